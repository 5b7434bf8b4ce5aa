import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';

const BUSY = 5;
const POLL_MS = 200;

/** References to held locks, so that garbage collection does not release them. */
const held = new Set<DatabaseSync>();

/**
 * Acquires a lock and returns a function that releases it, or undefined if another process holds it. Uses SQLite's file
 * lock on an empty file, which the operating system releases when the process ends, even after a crash.
 */
export function acquireLock(file: string): (() => void) | undefined {
  mkdirSync(dirname(file), { recursive: true });
  const lock = new DatabaseSync(file, { timeout: 0 });
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

/** Waits for a lock, and returns a function that releases it. */
export async function waitForLock(file: string): Promise<() => void> {
  let unlock = acquireLock(file);
  for (; !unlock; unlock = acquireLock(file)) await pause(POLL_MS);
  return unlock;
}
