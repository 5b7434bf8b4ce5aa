import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

const BUSY = 5;
const MAX_WAIT_MS = 600_000;

/** References to held locks, so that garbage collection does not release them. */
const held = new Set<DatabaseSync>();

/**
 * Acquires a lock and returns a function that releases it, or undefined if another process holds it. Uses SQLite's file
 * lock on an empty file, which the operating system releases when the process ends, even after a crash.
 */
export function acquireLock(file: string, waitMs = 0): (() => void) | undefined {
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

/** Runs an action under the lock of the builds. Waits while another process holds it. */
export function withBuildLock(file: string, action: () => void): void {
  let unlock = acquireLock(file);
  if (!unlock) process.stderr.write('Waiting for the build of another process ...\n');
  unlock ??= acquireLock(file, MAX_WAIT_MS);
  if (!unlock) throw new Error(`Another process still holds ${file} after ${MAX_WAIT_MS / 60_000} minutes.`);
  try {
    action();
  } finally {
    unlock();
  }
}
