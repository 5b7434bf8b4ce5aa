import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

const BUSY = 5;
const LONGEST_WAIT_MS = 600_000;

/** What nobody referred to would be closed, and given back, by the collection of garbage. */
const held = new Set<DatabaseSync>();

/**
 * Takes a lock and returns what gives it back, or undefined when another process has it. It is SQLite's own, on a file of no
 * bytes: the system gives it back when its holder ends, however it ends.
 */
export function takeLock(file: string, waitMs = 0): (() => void) | undefined {
  mkdirSync(dirname(file), { recursive: true });
  const lock = new DatabaseSync(file, { timeout: waitMs });
  try {
    lock.exec('BEGIN EXCLUSIVE');
    held.add(lock);
    return () => {
      held.delete(lock);
      lock.close();
    };
  } catch (error) {
    lock.close();
    if ((error as { readonly errcode?: number }).errcode === BUSY) return undefined;
    throw error;
  }
}

/** Runs an action while no other process does so under the same lock; `what` says what the other one is doing. */
export function withLock(file: string, what: string, action: () => void): void {
  let unlock = takeLock(file);
  if (!unlock) process.stderr.write(`Waiting for another process, which ${what} ...\n`);
  unlock ??= takeLock(file, LONGEST_WAIT_MS);
  if (!unlock) throw new Error(`${file} is held for too long`);
  try {
    action();
  } finally {
    unlock();
  }
}
