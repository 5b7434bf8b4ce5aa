import { closeSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { execa } from 'execa';
import type { Probe } from './probes.ts';
import { groupIsEmptyWithin, sendSignal } from './process-group.ts';
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
const READY_DEADLINE_MS = 180_000;
const POLL_MS = 50;
const GROUP_END_MS = 500;

/**
 * One process, kept running. It leads a process group of its own, so that a Ctrl-C reaches only the stack, which then stops
 * everything in order, and so that nothing it started can outlive it. Until it has been ready once, its end is an error of
 * the start; from then on it is started again, after growing pauses.
 */
export class SupervisedProcess {
  readonly #spec: ProcessSpec;
  readonly #folder: RunFolder;
  readonly #say: (sentence: string) => void;
  readonly #stopping = new AbortController();
  #restarting = new AbortController();
  #pid: number | undefined;
  #ended: Promise<unknown> = Promise.resolve();
  #wasReady = false;
  #endReason = '';

  constructor(spec: ProcessSpec, folder: RunFolder, say: (sentence: string) => void) {
    this.#spec = spec;
    this.#folder = folder;
    this.#say = say;
  }

  /** Starts it and waits until it is ready. Throws a {@link StartError} when it ends, or takes too long. */
  async start(): Promise<void> {
    const { name } = this.#spec;
    const log = this.#folder.logFile(name);
    this.#ended = this.#keepRunning();
    const deadline = Date.now() + READY_DEADLINE_MS;
    await this.#becomesReady(() => {
      if (this.#pid === undefined)
        throw new StartError(`${name} did not start (${this.#endReason}): ${lastWords(log)} (${log})`);
      if (Date.now() > deadline)
        throw new StartError(`${name} is not ready after ${READY_DEADLINE_MS / 1000} s: see ${log}`);
    });
    this.#wasReady = true;
  }

  /** Asks it to end; after `patienceMs` it is made to. Resolves when neither it nor anything it started is left. */
  async stop(patienceMs: number): Promise<void> {
    this.#stopping.abort();
    const pid = this.#pid;
    if (pid !== undefined) sendSignal(pid, this.#spec.stopSignal);
    const force = setTimeout(() => this.kill(), patienceMs);
    await this.#ended;
    clearTimeout(force);
  }

  /** Ends it at once. */
  kill(): void {
    this.#stopping.abort();
    if (this.#pid !== undefined) sendSignal(-this.#pid, 'SIGKILL');
  }

  /** Ends it at once and starts it anew at once, as what it reads at its start has changed; resolves when it is ready. */
  async restart(): Promise<void> {
    this.#restarting.abort();
    if (this.#pid !== undefined) sendSignal(-this.#pid, 'SIGKILL');
    while (this.#restarting.signal.aborted && !this.#stopping.signal.aborted) await pause(POLL_MS);
    await this.#becomesReady();
  }

  async #becomesReady(check: () => void = () => undefined): Promise<void> {
    while (!(await this.#spec.isReady()) && !this.#stopping.signal.aborted) {
      check();
      await pause(POLL_MS);
    }
  }

  async #keepRunning(): Promise<void> {
    const { signal } = this.#stopping;
    let pauseMs = FIRST_PAUSE_MS;
    while (!signal.aborted) {
      const startedAt = Date.now();
      this.#endReason = await this.#runOnce().catch((error: Error) => error.message);
      if (signal.aborted || !this.#wasReady) return;
      if (Date.now() - startedAt > STEADY_MS) pauseMs = FIRST_PAUSE_MS;
      if (!this.#restarting.signal.aborted) {
        this.#say(`${this.#spec.name} ended (${this.#endReason}); starting it again in ${pauseMs} ms`);
        const awake = AbortSignal.any([signal, this.#restarting.signal]);
        await pause(pauseMs, undefined, { signal: awake }).catch(() => undefined);
        pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
      }
      if (this.#restarting.signal.aborted) this.#restarting = new AbortController();
    }
  }

  /** Resolves with why it ended, when nothing of its group is left. */
  async #runOnce(): Promise<string> {
    const { name, command, args, env = {} } = this.#spec;
    // Not through this process: a log must not end with it. execa takes any descriptor, and its types only the usual ones.
    const log = this.#folder.openLog(name) as 1;
    const child = execa(command, args, { detached: true, reject: false, env, stdio: ['ignore', log, log] });
    closeSync(log);
    this.#pid = child.pid;
    if (child.pid !== undefined) this.#folder.add(name, child.pid);
    const { signal, exitCode, originalMessage } = await child;
    if (child.pid !== undefined) {
      // What it left of its group may hold its port: nginx's workers outlive a killed master.
      sendSignal(-child.pid, 'SIGKILL');
      await groupIsEmptyWithin(child.pid, GROUP_END_MS);
    }
    this.#pid = undefined;
    this.#folder.remove(name);
    return signal ?? originalMessage ?? `status ${exitCode}`;
  }
}

/** Where a program says why it ended: its last line that speaks of an error, or its last one. */
function lastWords(file: string): string {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n').slice(-20);
  return lines.findLast((line) => /error|cannot|failed/i.test(line)) ?? (lines.at(-1) || 'it said nothing');
}
