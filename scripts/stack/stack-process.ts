import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { execa, type ResultPromise } from 'execa';
import { endingWithParent } from './end-with-parent.ts';
import type { Probe } from './probes.ts';
import { StartError } from './start-error.ts';

/** How a process of the stack is started, and how it shows that it is ready. */
export interface ProcessSpec {
  /** Name in messages, and of the log. */
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Signal for a graceful shutdown. */
  readonly stopSignal: NodeJS.Signals;
  readonly isReady: Probe;
}

const READY_DEADLINE_MS = 180_000;
const POLL_MS = 50;

/** Number of lines that are printed of the log of a process that ended. */
const LAST_LINES = 8;

/**
 * A process of the stack. It leads its own process group: Ctrl-C reaches only the stack, which stops the processes in order,
 * and the children of the process end with it. It also ends if the stack is killed.
 */
export class StackProcess {
  readonly #spec: ProcessSpec;
  readonly #log: string;
  readonly #onEnd: (process: StackProcess, reason: string) => void;
  #child: ResultPromise | undefined;
  #ended: Promise<void> = Promise.resolve();
  #restarted: Promise<void> = Promise.resolve();
  /** Whether its end is not a failure of the run: it is starting, stopping or restarting. */
  #mayEnd = true;
  #isStopped = false;

  /** @param onEnd called with the reason if the process ends although nobody stopped it */
  constructor(spec: ProcessSpec, log: string, onEnd: (process: StackProcess, reason: string) => void) {
    this.#spec = spec;
    this.#log = log;
    this.#onEnd = onEnd;
    writeFileSync(log, '', { mode: 0o600 });
  }

  /** Waits until the process is ready. Throws a {@link StartError} if it ends or takes too long. */
  async start(): Promise<void> {
    this.#ended = this.#run();
    for (const deadline = Date.now() + READY_DEADLINE_MS; !(await this.#spec.isReady()); await pause(POLL_MS)) {
      if (this.#child === undefined) throw new StartError(`${this.#spec.name} did not start. ${this.#lastLines()}`);
      if (Date.now() > deadline)
        throw new StartError(`${this.#spec.name} is not ready after ${READY_DEADLINE_MS / 1000} s. See ${this.#log}`);
    }
    this.#mayEnd = this.#child === undefined;
  }

  /** Stops the process gracefully, and kills it after `maxMs`. Resolves when it has ended. */
  async stop(maxMs: number): Promise<void> {
    this.#isStopped = true;
    this.#mayEnd = true;
    this.#child?.kill(this.#spec.stopSignal);
    const force = setTimeout(() => this.kill(), maxMs);
    await this.#ended;
    clearTimeout(force);
  }

  kill(): void {
    this.#mayEnd = true;
    if (this.#child?.pid !== undefined) sendSignal(-this.#child.pid, 'SIGKILL');
  }

  /**
   * Kills the process and starts it again. If it cannot start, `onEnd` is called. Restarts follow one another: two at once
   * would start two processes, of which one would never stop.
   */
  restart(): Promise<void> {
    this.#restarted = this.#restarted.then(() => this.#restart());
    return this.#restarted;
  }

  async #restart(): Promise<void> {
    this.kill();
    await this.#ended;
    if (this.#isStopped) return;
    await this.start().catch((error: Error) => this.#onEnd(this, error.message));
  }

  async #run(): Promise<void> {
    const { name, command, args, env = {} } = this.#spec;
    // The child writes to the log itself. The types of execa only know descriptors 0 to 2.
    const log = openSync(this.#log, 'a') as 1;
    // The caller decides how long it may take.
    const options = {
      detached: true,
      reject: false,
      env,
      stdio: ['ignore', log, log],
      forceKillAfterDelay: false,
    } as const;
    const child = execa(...endingWithParent('SIGTERM', command, args), options);
    this.#child = child;
    closeSync(log);
    const { signal, exitCode } = await child;
    // Workers of nginx outlive a killed master, and hold its port.
    if (child.pid !== undefined) sendSignal(-child.pid, 'SIGKILL');
    this.#child = undefined;
    if (!this.#mayEnd) this.#onEnd(this, `${name} ended (${signal ?? `status ${exitCode}`}). ${this.#lastLines()}`);
  }

  #lastLines(): string {
    const lines = readFileSync(this.#log, 'utf8').trimEnd().split('\n').slice(-LAST_LINES);
    return `The end of ${this.#log}:\n${lines.join('\n')}`;
  }
}

/** Sends a signal to a process, or to a process group by its negative pid. One that has ended is ignored. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
