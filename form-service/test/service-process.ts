import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { until } from './until.ts';

const ENTRIES = {
  api: fileURLToPath(new URL('../dist/api.js', import.meta.url)),
  worker: fileURLToPath(new URL('../dist/worker.js', import.meta.url)),
};

/** The api or the worker as it really runs, in a process that can be killed. */
export class ServiceProcess {
  private output = '';

  private constructor(private readonly process: ChildProcess) {
    for (const stream of [process.stdout, process.stderr])
      stream?.on('data', (chunk) => (this.output += String(chunk)));
  }

  /** Resolves when it listens. */
  static async start(
    program: keyof typeof ENTRIES,
    environment: Readonly<Record<string, string>>,
  ): Promise<ServiceProcess> {
    const env = { ...globalThis.process.env, ...environment, API_PORT: '0', WORKER_PORT: '0', NODE_OPTIONS: '' };
    const service = new ServiceProcess(spawn(globalThis.process.execPath, [ENTRIES[program]], { env }));
    await until(`the ${program} listening; it said ${service.output}`, () => service.url ?? service.hasEnded);
    if (service.hasEnded) throw new Error(service.output);
    return service;
  }

  /** Where it listens, once it does. */
  get url(): string | undefined {
    return /"event":"listening","url":"([^"]+)"/.exec(this.output)?.[1];
  }

  /** All that it wrote. */
  get log(): string {
    return this.output;
  }

  get hasEnded(): boolean {
    return this.process.exitCode !== null || this.process.signalCode !== null;
  }

  /** Resolves with the exit code when it has ended, null when the signal ended it. */
  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> {
    if (!this.hasEnded) {
      this.process.kill(signal);
      await once(this.process, 'exit');
    }
    return this.process.exitCode;
  }
}
