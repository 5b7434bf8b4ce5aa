import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, readFileSync } from 'node:fs';
import { groupIsEmptyWithin, sendSignal } from './process-identity.ts';
import type { Probe } from './probes.ts';
import type { RunFolder } from './run-folder.ts';
import { StartError } from './start-error.ts';

/** How one process of the stack is run. */
export interface ProcessSpec {
  /** Short name: of its pid file, its log and in messages. */
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Asks it to finish what it has in hand and end. */
  readonly stopSignal: NodeJS.Signals;
  readonly isReady: Probe;
}

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;
/** A process that ran for this long gets the short pause again. */
const STEADY_MS = 10_000;
const READY_DEADLINE_MS = 60_000;
const POLL_MS = 50;
const GROUP_END_MS = 500;

/**
 * One process, kept running. It leads a process group of its own, so that a Ctrl-C reaches only the stack, which then stops
 * everything in order, and so that nothing it started can outlive it. Until it has been ready once, its end is an error of
 * the start; from then on it is started again, after growing pauses.
 */
export class SupervisedProcess {
  readonly name: string;
  readonly #spec: ProcessSpec;
  readonly #folder: RunFolder;
  readonly #say: (sentence: string) => void;
  #child: ChildProcess | undefined;
  #ended: Promise<void> = Promise.resolve();
  #restart: NodeJS.Timeout | undefined;
  #wasReady = false;
  #isStopping = false;
  #pauseMs = FIRST_PAUSE_MS;

  constructor(spec: ProcessSpec, folder: RunFolder, say: (sentence: string) => void) {
    this.name = spec.name;
    this.#spec = spec;
    this.#folder = folder;
    this.#say = say;
  }

  /** Starts it and waits until it is ready. Throws a {@link StartError} when it ends, or takes too long. */
  async start(): Promise<void> {
    this.#spawn();
    const deadline = Date.now() + READY_DEADLINE_MS;
    while (!(await this.#spec.isReady())) {
      if (this.#isStopping) return;
      if (this.#child === undefined) throw new StartError(`${this.name} did not start: ${this.#lastLogLine()}`);
      if (Date.now() > deadline)
        throw new StartError(
          `${this.name} is not ready after ${READY_DEADLINE_MS / 1000} s: see ${this.#folder.logFile(this.name)}`,
        );
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
    this.#wasReady = true;
  }

  /** Asks it to end; after `patienceMs` it is made to. Resolves when neither it nor anything it started is left. */
  async stop(patienceMs: number): Promise<void> {
    this.#isStopping = true;
    clearTimeout(this.#restart);
    const pid = this.#child?.pid;
    if (pid === undefined) return;
    sendSignal(pid, this.#spec.stopSignal);
    const force = setTimeout(() => sendSignal(-pid, 'SIGKILL'), patienceMs);
    await this.#ended;
    clearTimeout(force);
  }

  /** Ends it at once. */
  kill(): void {
    this.#isStopping = true;
    clearTimeout(this.#restart);
    if (this.#child?.pid !== undefined) sendSignal(-this.#child.pid, 'SIGKILL');
  }

  #spawn(): void {
    const { name, command, args, env } = this.#spec;
    const log = this.#folder.openLog(name);
    const child = spawn(command, args, {
      detached: true,
      stdio: ['ignore', log, log],
      env: { ...process.env, ...env },
    });
    closeSync(log);
    const startedAt = Date.now();
    this.#child = child;
    this.#ended = new Promise((resolve) => {
      child.once('error', (error) => this.#say(`${name} cannot be run: ${error.message}`));
      child.once(
        'close',
        (code, signal) => void this.#afterEnd(child, startedAt, signal ?? `status ${code}`).then(resolve),
      );
    });
    if (child.pid !== undefined) this.#folder.add(name, child.pid);
  }

  async #afterEnd(child: ChildProcess, startedAt: number, reason: string): Promise<void> {
    // What it left of its group may hold its port: nginx's workers outlive a killed master.
    if (child.pid !== undefined) {
      sendSignal(-child.pid, 'SIGKILL');
      await groupIsEmptyWithin(child.pid, GROUP_END_MS);
    }
    this.#child = undefined;
    this.#folder.remove(this.name);
    if (this.#isStopping || !this.#wasReady) return;
    if (Date.now() - startedAt > STEADY_MS) this.#pauseMs = FIRST_PAUSE_MS;
    this.#say(`${this.name} ended (${reason}); starting it again in ${this.#pauseMs} ms`);
    this.#restart = setTimeout(() => this.#spawn(), this.#pauseMs);
    this.#pauseMs = Math.min(this.#pauseMs * 2, LONGEST_PAUSE_MS);
  }

  #lastLogLine(): string {
    const lines = readFileSync(this.#folder.logFile(this.name), 'utf8').trimEnd().split('\n');
    return `${lines.at(-1) || 'it said nothing'} (${this.#folder.logFile(this.name)})`;
  }
}
