import { mkdirSync, openSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { groupIsEmptyWithin, identify, isRunning, sendSignal, type ProcessIdentity } from './process-identity.ts';
import { StartError } from './start-error.ts';

const LOG_MAX_BYTES = 10 * 1024 * 1024;
const LEFTOVER_PATIENCE_MS = 3_000;

interface Register {
  readonly supervisor: ProcessIdentity;
  readonly processes: Record<string, ProcessIdentity>;
}

/**
 * Who runs in a data folder: `run/NAME.pid` for people and scripts, `run/stack.json` with start times so that a later start
 * can tell its own leftovers from strangers, and `log/NAME.log`.
 */
export class RunFolder {
  readonly #run: string;
  readonly #log: string;
  readonly #registerFile: string;
  readonly #connectionsFile: string;
  readonly #processes: Record<string, ProcessIdentity> = {};

  constructor(dataDir: string) {
    this.#run = join(dataDir, 'run');
    this.#log = join(dataDir, 'log');
    this.#registerFile = join(this.#run, 'stack.json');
    this.#connectionsFile = join(this.#run, 'connections.json');
  }

  /** Takes the folder for this process. Ends what a crashed run left behind; throws when a run is alive. */
  async claim(): Promise<void> {
    mkdirSync(this.#run, { recursive: true });
    mkdirSync(this.#log, { recursive: true });
    const previous = readJson<Register>(this.#registerFile);
    if (previous !== undefined) {
      if (isRunning(previous.supervisor)) {
        throw new StartError(
          `Already running here (process ${previous.supervisor.pid}): stop it, or set DATA_DIR, PORT and MAIL_UI_PORT for a second one.`,
        );
      }
      await Promise.all(Object.values(previous.processes).map(endLeftover));
    }
    this.#writeRegister();
  }

  /** Notes a started process. */
  add(name: string, pid: number): void {
    const identity = identify(pid);
    if (identity === undefined) return;
    this.#processes[name] = identity;
    replaceFile(this.pidFile(name), `${pid}\n`);
    this.#writeRegister();
  }

  /** Forgets a process that has ended. */
  remove(name: string): void {
    delete this.#processes[name];
    rmSync(this.pidFile(name), { force: true });
    this.#writeRegister();
  }

  /** Gives the folder back. */
  release(): void {
    rmSync(this.#registerFile, { force: true });
    rmSync(this.#connectionsFile, { force: true });
  }

  /** Notes where this run's database, files and queue are, by the names of the variables, for commands run beside it. */
  writeConnections(connections: Readonly<Record<string, string>>): void {
    writeFileSync(this.#connectionsFile, JSON.stringify(connections), { mode: 0o600 });
  }

  /** What the running stack noted; empty when none runs. */
  readConnections(): Record<string, string> {
    const register = readJson<Register>(this.#registerFile);
    if (register === undefined || !isRunning(register.supervisor)) return {};
    return readJson(this.#connectionsFile) ?? {};
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

  #writeRegister(): void {
    const supervisor = identify(process.pid);
    if (supervisor === undefined) throw new Error('This process cannot be found in the process table');
    replaceFile(this.#registerFile, JSON.stringify({ supervisor, processes: this.#processes } satisfies Register));
  }
}

/** Writes a file in one step for those who read it meanwhile: they find all of it, or what was there before. */
function replaceFile(path: string, text: string): void {
  writeFileSync(`${path}.new`, text);
  renameSync(`${path}.new`, path);
}

/** Undefined when the file is absent, or was cut short by a crash. */
function readJson<Content>(path: string): Content | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Content;
  } catch {
    return undefined;
  }
}

/** A process of a run that crashed: asked to stop, then made to. Its group may outlive it (nginx's workers do). */
async function endLeftover(leftover: ProcessIdentity): Promise<void> {
  const isStranger = identify(leftover.pid) !== undefined && !isRunning(leftover);
  if (isStranger) return;
  sendSignal(-leftover.pid, 'SIGTERM');
  if (await groupIsEmptyWithin(leftover.pid, LEFTOVER_PATIENCE_MS)) return;
  sendSignal(-leftover.pid, 'SIGKILL');
  await groupIsEmptyWithin(leftover.pid, LEFTOVER_PATIENCE_MS);
}
