// A lock between processes of this machine, in plain JavaScript with no dependency: the installation of the packages needs it.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, rmdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

const POLL_MS = 200;

/**
 * A running process as `PID-START`, which no later process with the same number has; undefined when there is none, or only
 * its zombie. The start is in the system's own words, and only good for comparing.
 * @param {number} pid
 * @returns {string | undefined}
 */
export function identify(pid) {
  if (existsSync('/proc/self/stat')) {
    const [state, , , ...more] = statOf(pid) ?? [];
    return state === undefined || state === 'Z' ? undefined : `${pid}-${more[16]}`;
  }
  const { stdout } = spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' });
  return stdout ? `${pid}-${stdout.replace(/\W+/g, '')}` : undefined;
}

/**
 * Linux: what /proc says of a process, from its state on, parent and group following; undefined when there is none.
 * @param {number | string} pid
 */
export function statOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in brackets before it may hold anything.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}

/** The process of an identity. */
export const pidOf = (/** @type {string} */ identity) => Number.parseInt(identity, 10);

/** Whether that very process still runs. */
export const isRunning = (/** @type {string} */ identity) => identify(pidOf(identity)) === identity;

/**
 * Takes a lock for this process, or returns the process that holds it. The lock is a folder with one entry, its holder's. What
 * a dead one held is free: only its own entry is removed, and only an empty folder, so nobody takes a lock away from another.
 * @param {string} folder in a folder that exists
 * @returns {string | undefined}
 */
export function tryLock(folder) {
  const own = identify(process.pid) ?? '';
  for (;;) {
    try {
      mkdirSync(folder);
      writeFileSync(`${folder}/${own}`, '');
      // Had another one removed the new folder while it was empty, and a third made it again, it would be the third's.
      if (readdirSync(folder).length === 1) return undefined;
      unlock(folder);
    } catch (error) {
      if (!hasCode(error, 'EEXIST', 'ENOENT')) throw error;
    }
    const holders = entriesOf(folder);
    const alive = holders.find(isRunning);
    if (alive !== undefined) return alive;
    for (const dead of holders) rmSync(`${folder}/${dead}`, { force: true });
    removeEmpty(folder);
  }
}

/** Gives back a lock that this process holds. */
export function unlock(/** @type {string} */ folder) {
  rmSync(`${folder}/${identify(process.pid)}`, { force: true });
  removeEmpty(folder);
}

function entriesOf(/** @type {string} */ folder) {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return [];
    throw error;
  }
}

/** Unless another process has done so, or holds the lock again. */
function removeEmpty(/** @type {string} */ folder) {
  try {
    rmdirSync(folder);
  } catch (error) {
    if (!hasCode(error, 'ENOENT', 'ENOTEMPTY')) throw error;
  }
}

/**
 * Runs an action while no other process does so under the same lock.
 * @param {string} folder
 * @param {string} what the other one is doing, to say what is waited for
 * @param {() => void} action
 */
export function withLock(folder, what, action) {
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

function hasCode(/** @type {unknown} */ error, /** @type {string[]} */ ...codes) {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}
