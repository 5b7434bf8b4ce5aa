import { mkdirSync, openSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { acquireLock } from './lock.ts';
import { BOOT, waitForGroupEnd, identify, isRunning, pidOf, sendSignal } from './process-group.ts';
import { StartError } from './start-error.ts';

const LOG_MAX_BYTES = 10 * 1024 * 1024;
const ORPHAN_TIMEOUT_MS = 3_000;

/** Content of `run/stack.json`. */
interface Register {
  /** Machine and boot on which the processes ran. */
  readonly boot?: string;
  /** Pid of the supervisor. */
  readonly pid?: number;
  /** URLs of site and mail catcher, by name. */
  readonly addresses?: Readonly<Record<string, string>>;
  /** Environment of commands by variable name: URLs of database, files, queue, mail catcher, api and worker. */
  readonly connections?: Readonly<Record<string, string>>;
  /** Identities (`identify`) of the processes by name. */
  readonly processes: Readonly<Record<string, string>>;
}

/**
 * State of the stack that runs in a data folder: `stack.lock`, held while it runs; `run/NAME.pid`; `run/stack.json`, by which
 * the next start recognises orphaned processes; and `log/NAME.log`.
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

  /** Locks the folder and ends orphaned processes of a crashed run. Throws a {@link StartError} if a stack runs there. */
  async claim(): Promise<void> {
    mkdirSync(this.#log, { recursive: true });
    const unlock = acquireLock(this.#lock);
    const previous = this.#read();
    if (!unlock) {
      const where = Object.entries(previous.addresses ?? {}).map(([name, address]) => `${name} ${address}`);
      throw new StartError(
        `The stack already runs here (process ${previous.pid}): ${where.join(', ') || 'still starting'}. ` +
          'Stop it, or set DATA_DIR, PORT and MAIL_UI_PORT to run a second one.',
      );
    }
    this.#unlock = unlock;
    // No process survives a reboot, and the numbers of another machine belong to other processes here.
    if (previous.boot === BOOT) await Promise.all(Object.values(previous.processes).map(endOrphan));
    rmSync(this.#run, { recursive: true, force: true });
    mkdirSync(this.#run);
    this.update({ boot: BOOT, pid: process.pid });
  }

  /** Records a started process. */
  add(name: string, pid: number): void {
    const identity = identify(pid);
    if (identity === undefined) return;
    this.update({ processes: { ...this.#register.processes, [name]: identity } });
    replaceFile(this.pidFile(name), `${pid}\n`);
  }

  /** Removes an ended process. */
  remove(name: string): void {
    rmSync(this.pidFile(name), { force: true });
    const { [name]: _, ...processes } = this.#register.processes;
    this.update({ processes });
  }

  update(changes: Partial<Register>): void {
    this.#register = { ...this.#register, ...changes };
    replaceFile(this.#registerFile, JSON.stringify(this.#register));
  }

  /** Removes the state and unlocks the folder. */
  release(): void {
    rmSync(this.#run, { recursive: true, force: true });
    this.#unlock();
  }

  /** Returns the connections of the running stack, or nothing if none runs. */
  readConnections(): Readonly<Record<string, string>> {
    return this.#read().connections ?? {};
  }

  pidFile(name: string): string {
    return join(this.#run, `${name}.pid`);
  }

  logFile(name: string): string {
    return join(this.#log, `${name}.log`);
  }

  /** Opens the log of a process for appending. Rotates a large one to `NAME.log.1`. */
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
      // No stack has run here, or the file is incomplete after a power cut, which no process survives.
      return { processes: {} };
    }
  }
}

/**
 * Replaces a file atomically, so that readers see the old or the new content. A full disk must not end the stack: the old
 * content then stays.
 */
function replaceFile(path: string, text: string): void {
  try {
    writeFileSync(`${path}.new`, text, { mode: 0o600 });
    renameSync(`${path}.new`, path);
  } catch (error) {
    process.stderr.write(`Cannot write ${path} (${(error as NodeJS.ErrnoException).code}).\n`);
  }
}

/** Ends the process group of a crashed run, which can outlive its leader (the workers of nginx do). */
async function endOrphan(identity: string): Promise<void> {
  const pid = pidOf(identity);
  const isPidReused = identify(pid) !== undefined && !isRunning(identity);
  if (isPidReused) return;
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    sendSignal(-pid, signal);
    if (await waitForGroupEnd(pid, ORPHAN_TIMEOUT_MS)) return;
  }
}
