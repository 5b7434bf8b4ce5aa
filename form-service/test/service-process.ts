import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { until } from './until.ts';

/** The api or the worker as it really runs, in a process that can be killed. */
export class ServiceProcess {
  private output = '';
  private readonly process: ChildProcess;
  /** When it has ended and all that it wrote has been read. */
  private readonly closed: Promise<unknown>;

  private constructor(process: ChildProcess) {
    this.process = process;
    this.closed = once(process, 'close');
    for (const stream of [process.stdout, process.stderr])
      stream?.on('data', (chunk) => (this.output += String(chunk)));
  }

  /**
   * Resolves when it listens.
   *
   * @param program `api`, `worker`, or the path of another that says like them where it listens
   */
  static async start(program: string, environment: Readonly<Record<string, string>>): Promise<ServiceProcess> {
    const env = { ...globalThis.process.env, NODE_OPTIONS: '', ...environment, API_PORT: '0', WORKER_PORT: '0' };
    const entry = program.endsWith('.mjs') ? program : fileURLToPath(new URL(`../dist/${program}.js`, import.meta.url));
    const service = new ServiceProcess(spawn(globalThis.process.execPath, [entry], { env }));
    await until(`the ${program} listening; it said ${service.output}`, () => service.url ?? service.hasEnded);
    if (service.hasEnded) {
      await service.closed;
      throw new Error(service.output);
    }
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

  /** Resolves with the exit code when it has ended and the log is complete, null when the signal ended it. */
  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> {
    if (!this.hasEnded) this.process.kill(signal);
    await this.closed;
    return this.process.exitCode;
  }
}
