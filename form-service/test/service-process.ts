import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { endingWithParent } from '../../scripts/stack/end-with-parent.ts';
import { until } from './until.ts';

const ANY_PORT = { API_URL: 'http://127.0.0.1:0', WORKER_URL: 'http://127.0.0.1:0' };

/** The built api or worker in its own process. */
export class ServiceProcess {
  private output = '';
  private readonly process: ChildProcess;
  /** Resolves when the process has ended and its output is read. */
  private readonly closed: Promise<unknown>;

  private constructor(process: ChildProcess) {
    this.process = process;
    this.closed = once(process, 'close');
    for (const stream of [process.stdout, process.stderr])
      stream?.on('data', (chunk) => (this.output += String(chunk)));
  }

  /**
   * Starts a process. Resolves when it listens.
   *
   * @param program `api`, `worker`, or the path of another that logs its URL in the same way
   * @param before command and options that run it, such as `AS_ORDINARY_USER`
   */
  static async start(
    program: string,
    environment: Readonly<Record<string, string>>,
    before: readonly string[] = [],
  ): Promise<ServiceProcess> {
    const env = { ...globalThis.process.env, NODE_OPTIONS: '', ...ANY_PORT, ...environment };
    const entry = program.endsWith('.mjs') ? program : fileURLToPath(new URL(`../dist/${program}.js`, import.meta.url));
    const [command = '', ...args] = [...before, globalThis.process.execPath, entry];
    const service = new ServiceProcess(spawn(...endingWithParent('SIGKILL', command, args), { env }));
    await until(`the ${program} to listen`, () => service.url ?? service.hasEnded);
    if (service.hasEnded) {
      await service.closed;
      throw new Error(service.output);
    }
    return service;
  }

  /** URL of the process, once it listens. */
  get url(): string | undefined {
    return /"event":"listening","url":"([^"]+)"/.exec(this.output)?.[1];
  }

  /** Output so far. */
  get log(): string {
    return this.output;
  }

  get hasEnded(): boolean {
    return this.process.exitCode !== null || this.process.signalCode !== null;
  }

  /** Sends a signal and waits for the end. @returns the exit code, or null if the signal ended the process */
  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> {
    if (!this.hasEnded) this.process.kill(signal);
    await this.closed;
    return this.process.exitCode;
  }
}
