import { closeSync, fstatSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { execa } from 'execa';
import { reasonIn } from './log-reason.ts';
import type { Probe } from './probes.ts';
import { sendSignal, waitForGroupEnd } from './process-group.ts';
import type { RunFolder } from './run-folder.ts';
import { StartError } from './start-error.ts';

/** Command of a process of the stack. */
export interface ProcessSpec {
  /** Name in messages, and of the pid file and the log. */
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Signal for a graceful shutdown. */
  readonly stopSignal: NodeJS.Signals;
  readonly isReady: Probe;
}

const FIRST_DELAY_MS = 100;
const MAX_DELAY_MS = 5_000;
/** After this uptime the restart delay is short again. */
const STABLE_AFTER_MS = 10_000;
const READY_DEADLINE_MS = 180_000;
/** After this time a process that is not ready says what it waits for. */
const HINT_AFTER_MS = 4_000;
const POLL_MS = 50;
const GROUP_END_MS = 500;

/**
 * A process that is restarted with exponential backoff when it ends, once it has been ready. Before that, its end is an
 * error of the start. It leads its own process group: Ctrl-C reaches only the stack, which stops the processes in order,
 * and the children of the process end with it.
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
  /** Size of the log when the process started. What is before that is of an earlier run. */
  #logStart = 0;
  readonly #hintAfterMs: number;

  constructor(spec: ProcessSpec, folder: RunFolder, say: (sentence: string) => void, hintAfterMs = HINT_AFTER_MS) {
    this.#spec = spec;
    this.#folder = folder;
    this.#say = say;
    this.#hintAfterMs = hintAfterMs;
  }

  /** Waits until the process is ready. Throws a {@link StartError} if it ends or takes too long. */
  async start(): Promise<void> {
    const { name } = this.#spec;
    const log = this.#folder.logFile(name);
    this.#ended = this.#keepRunning();
    const deadline = Date.now() + READY_DEADLINE_MS;
    const hintAt = Date.now() + this.#hintAfterMs;
    let hint: string | undefined;
    await this.#becomesReady(() => {
      if (this.#pid === undefined)
        throw new StartError(
          this.#endReason === hint
            ? `${name} did not start. See ${log}`
            : `${name} did not start: ${this.#endReason} (${log})`,
        );
      if (hint === undefined && Date.now() > hintAt) {
        hint = this.#reason();
        if (hint !== undefined) this.#say(`${name} waits: ${hint}`);
      }
      if (Date.now() > deadline)
        throw new StartError(`${name} is not ready after ${READY_DEADLINE_MS / 1000} s. See ${log}`);
    });
    this.#wasReady = true;
  }

  /** Stops the process group gracefully, and kills it after `maxMs`. Resolves when all its processes have ended. */
  async stop(maxMs: number): Promise<void> {
    this.#stopping.abort();
    const pid = this.#pid;
    if (pid !== undefined) sendSignal(pid, this.#spec.stopSignal);
    const force = setTimeout(() => this.kill(), maxMs);
    await this.#ended;
    clearTimeout(force);
  }

  kill(): void {
    this.#stopping.abort();
    if (this.#pid !== undefined) sendSignal(-this.#pid, 'SIGKILL');
  }

  /** Kills the process and starts it again without delay. Resolves when it is ready. */
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
    let delayMs = FIRST_DELAY_MS;
    while (!signal.aborted) {
      const startedAt = Date.now();
      this.#endReason = await this.#runOnce().catch((error: Error) => error.message);
      if (signal.aborted || !this.#wasReady) return;
      if (Date.now() - startedAt > STABLE_AFTER_MS) delayMs = FIRST_DELAY_MS;
      if (!this.#restarting.signal.aborted) {
        this.#say(`${this.#spec.name} ended (${this.#endReason}); restarting it in ${delayMs} ms`);
        const awake = AbortSignal.any([signal, this.#restarting.signal]);
        await pause(delayMs, undefined, { signal: awake }).catch(() => undefined);
        delayMs = Math.min(delayMs * 2, MAX_DELAY_MS);
      }
      if (this.#restarting.signal.aborted) this.#restarting = new AbortController();
    }
  }

  /** Runs the process once. Resolves with the reason of its end when its group is empty. */
  async #runOnce(): Promise<string> {
    const { name, command, args, env = {} } = this.#spec;
    // The child writes to the log itself, so that logging survives this process. The types of execa only know descriptors 0 to 2.
    const log = this.#folder.openLog(name) as 1;
    this.#logStart = fstatSync(log).size;
    const child = execa(command, args, { detached: true, reject: false, env, stdio: ['ignore', log, log] });
    closeSync(log);
    this.#pid = child.pid;
    if (child.pid !== undefined) this.#folder.add(name, child.pid);
    const { signal, exitCode, originalMessage } = await child;
    if (child.pid !== undefined) {
      // Remaining processes of the group may hold its port: the workers of nginx outlive a killed master.
      sendSignal(-child.pid, 'SIGKILL');
      await waitForGroupEnd(child.pid, GROUP_END_MS);
    }
    this.#pid = undefined;
    this.#folder.remove(name);
    return signal ?? originalMessage ?? this.#reason() ?? `status ${exitCode}`;
  }

  /** Returns what the log says about this run. */
  #reason(): string | undefined {
    return reasonIn(readFileSync(this.#folder.logFile(this.#spec.name)).toString('utf8', this.#logStart));
  }
}
