import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { identify } from './process-identity.ts';

const POLL_MS = 200;

/** Runs an action while no other process of this work tree builds: two starts at once must not write one folder. */
export function withBuildLock(path: string, action: () => void): void {
  mkdirSync(dirname(path), { recursive: true });
  while (!take(path)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, POLL_MS);
  try {
    action();
  } finally {
    rmSync(path, { force: true });
  }
}

function take(path: string): boolean {
  try {
    writeFileSync(path, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    if (isAbandoned(path)) rmSync(path, { force: true });
    return false;
  }
}

function isAbandoned(path: string): boolean {
  try {
    const holder = Number(readFileSync(path, 'utf8'));
    return holder > 0 && identify(holder) === undefined;
  } catch {
    // Given back in between.
    return false;
  }
}
