import { execaSync } from 'execa';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, rmdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

const POLL_MS = 200;

/**
 * A running process as `PID-START`, which no later process with the same number has; undefined when there is none, or only
 * its zombie. The start is in the system's own words, and only good for comparing.
 */
export function identify(pid: number): string | undefined {
  if (existsSync('/proc/self/stat')) {
    const [state, , , ...more] = statOf(pid) ?? [];
    return state === undefined || state === 'Z' ? undefined : `${pid}-${more[16]}`;
  }
  const { stdout } = execaSync('ps', ['-o', 'lstart=', '-p', String(pid)], { reject: false });
  return stdout ? `${pid}-${stdout.replace(/\W+/g, '')}` : undefined;
}

/** Linux: what /proc says of a process, from its state on, parent and group following; undefined when there is none. */
export function statOf(pid: number | string): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in brackets before it may hold anything.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}

/** The process of an identity. */
export const pidOf = (identity: string): number => Number.parseInt(identity, 10);

/** Whether that very process still runs. */
export const isRunning = (identity: string): boolean => identify(pidOf(identity)) === identity;

/**
 * Takes a lock for this process, or returns the process that holds it. The lock is a folder, in one that exists, with one
 * entry, its holder's. What a dead one held is free: only its own entry is removed, and only an empty folder, so nobody takes
 * a lock away from another.
 */
export function tryLock(folder: string): string | undefined {
  const own = identify(process.pid) ?? '';
  for (;;) {
    try {
      mkdirSync(folder);
      writeFileSync(`${folder}/${own}`, '');
      // Had another one removed the new folder while it was empty, and a third made it again, it would be the third's.
      if (readdirSync(folder).length === 1) return undefined;
      unlock(folder);
    } catch (error) {
      allow(error, 'EEXIST', 'ENOENT');
    }
    const holders = entriesOf(folder);
    const alive = holders.find(isRunning);
    if (alive !== undefined) return alive;
    for (const dead of holders) rmSync(`${folder}/${dead}`, { force: true });
    removeEmpty(folder);
  }
}

/** Gives back a lock that this process holds. */
export function unlock(folder: string): void {
  rmSync(`${folder}/${identify(process.pid)}`, { force: true });
  removeEmpty(folder);
}

/** Runs an action while no other process does so under the same lock; `what` says what the other one is doing. */
export function withLock(folder: string, what: string, action: () => void): void {
  mkdirSync(dirname(folder), { recursive: true });
  for (let saidOf; ; Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, POLL_MS)) {
    const holder = tryLock(folder);
    if (holder === undefined) break;
    if (saidOf !== holder) process.stderr.write(`Waiting for process ${pidOf(holder)}, which ${what} ...\n`);
    saidOf = holder;
  }
  try {
    action();
  } finally {
    unlock(folder);
  }
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    allow(error, 'ENOENT');
    return [];
  }
}

/** Unless another process has done so, or holds the lock again. */
function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch (error) {
    allow(error, 'ENOENT', 'ENOTEMPTY');
  }
}

/** Throws any other error again. */
function allow(error: unknown, ...codes: readonly string[]): void {
  if (!codes.includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
}
