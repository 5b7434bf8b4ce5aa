import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { until } from './until.ts';

const WORKER = fileURLToPath(new URL('../src/worker.ts', import.meta.url));

/** The worker as it really runs, in a process that can be killed. */
export class WorkerProcess {
  private output = '';

  private constructor(private readonly process: ChildProcess) {
    for (const stream of [process.stdout, process.stderr]) stream?.on('data', (chunk) => (this.output += String(chunk)));
  }

  /** Resolves when it listens. */
  static async start(environment: Readonly<Record<string, string>>): Promise<WorkerProcess> {
    const env = { ...globalThis.process.env, ...environment, WORKER_PORT: '0', NODE_OPTIONS: '' };
    const worker = new WorkerProcess(spawn(globalThis.process.execPath, ['--import', 'tsx', WORKER], { env }));
    await until(`a worker that listens; it said ${worker.output}`, () => worker.url ?? worker.hasEnded);
    if (worker.hasEnded) throw new Error(worker.output);
    return worker;
  }

  /** Where it serves health and metrics, once it does. */
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
