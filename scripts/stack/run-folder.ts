import { mkdirSync, openSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { takeLock } from './lock.ts';
import { groupIsEmptyWithin, identify, isRunning, pidOf, sendSignal } from './process-group.ts';
import { StartError } from './start-error.ts';

const LOG_MAX_BYTES = 10 * 1024 * 1024;
const LEFTOVER_PATIENCE_MS = 3_000;

/** What a run says of itself. */
interface Register {
  /** Who keeps the others running. */
  readonly pid?: number;
  /** Where it can be seen. */
  readonly addresses?: Readonly<Record<string, string>>;
  /** Where its database, files and queue are, by the names of the variables. */
  readonly connections?: Readonly<Record<string, string>>;
  /** Its processes by name, each as what `identify` says of it. */
  readonly processes: Readonly<Record<string, string>>;
}

/**
 * Who runs in a data folder: `stack.lock`, held while somebody does, `run/NAME.pid` for people and scripts, `run/stack.json` so that a
 * later start can tell its own leftovers from strangers, and `log/NAME.log`.
 */
export class RunFolder {
  readonly #lock: string;
  #unlock = () => {};
  readonly #run: string;
  readonly #log: string;
  #register: Register = { processes: {} };

  constructor(dataDir: string) {
    this.#lock = join(dataDir, 'stack.lock');
    this.#run = join(dataDir, 'run');
    this.#log = join(dataDir, 'log');
  }

  /** Takes the folder for this process. Ends what a crashed run left behind; throws when a run is alive. */
  async claim(): Promise<void> {
    mkdirSync(this.#log, { recursive: true });
    const unlock = takeLock(this.#lock);
    const former = this.#read();
    if (!unlock) {
      const where = Object.entries(former.addresses ?? {}).map(([name, address]) => `${name} ${address}`);
      throw new StartError(
        `Already running here (process ${former.pid}): ${where.join(', ') || 'it is starting'}. ` +
          'Stop it, or set DATA_DIR, PORT and MAIL_UI_PORT for a second one.',
      );
    }
    this.#unlock = unlock;
    await Promise.all(Object.values(former.processes).map(endLeftover));
    rmSync(this.#run, { recursive: true, force: true });
    mkdirSync(this.#run);
    this.note({ pid: process.pid });
  }

  /** Notes a started process. */
  add(name: string, pid: number): void {
    const identity = identify(pid);
    if (identity === undefined) return;
    this.note({ processes: { ...this.#register.processes, [name]: identity } });
    replaceFile(this.pidFile(name), `${pid}\n`);
  }

  /** Forgets a process that has ended. */
  remove(name: string): void {
    rmSync(this.pidFile(name), { force: true });
    const { [name]: _, ...processes } = this.#register.processes;
    this.note({ processes });
  }

  note(news: Partial<Register>): void {
    this.#register = { ...this.#register, ...news };
    replaceFile(this.#registerFile, JSON.stringify(this.#register));
  }

  /** Gives the folder back. */
  release(): void {
    rmSync(this.#run, { recursive: true, force: true });
    this.#unlock();
  }

  /** What the running stack noted; empty when none runs. */
  readConnections(): Readonly<Record<string, string>> {
    return this.#read().connections ?? {};
  }

  pidFile(name: string): string {
    return join(this.#run, `${name}.pid`);
  }

  logFile(name: string): string {
    return join(this.#log, `${name}.log`);
  }

  /** Opens a process's log for appending; a large one from earlier is kept once, as `NAME.log.1`. */
  openLog(name: string): number {
    const path = this.logFile(name);
    if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > LOG_MAX_BYTES) renameSync(path, `${path}.1`);
    return openSync(path, 'a', 0o600);
  }

  get #registerFile(): string {
    return join(this.#run, 'stack.json');
  }

  #read(): Register {
    try {
      return JSON.parse(readFileSync(this.#registerFile, 'utf8')) as Register;
    } catch {
      // Nobody ran here, or a power cut has left half of it, and then no process.
      return { processes: {} };
    }
  }
}

/**
 * Writes a file in one step for those who read it meanwhile: they find all of it, or what was there before. A disk that has
 * become full must not end what runs: then they find what was there before.
 */
function replaceFile(path: string, text: string): void {
  try {
    writeFileSync(`${path}.new`, text, { mode: 0o600 });
    renameSync(`${path}.new`, path);
  } catch (error) {
    process.stderr.write(`${path} cannot be written: ${(error as NodeJS.ErrnoException).code}\n`);
  }
}

/** A process of a run that crashed: asked to stop, then made to. Its group may outlive it (nginx's workers do). */
async function endLeftover(leftover: string): Promise<void> {
  const pid = pidOf(leftover);
  const isStranger = identify(pid) !== undefined && !isRunning(leftover);
  if (isStranger) return;
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    sendSignal(-pid, signal);
    if (await groupIsEmptyWithin(pid, LEFTOVER_PATIENCE_MS)) return;
  }
}
