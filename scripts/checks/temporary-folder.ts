import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { identify, isRunning } from '../stack/process-group.ts';

/** The name of a folder begins with the identity of the process that created it. */
const OWNED = /^kitewright-(\d+-\w+)-/;

/** Creates an empty folder for tests. A later run removes it if this process is killed before it does. */
export function makeTemporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), `kitewright-${identify(process.pid)}-`));
}

/** Removes the folders of processes that have ended without removing them. */
export function removeAbandonedFolders(): void {
  for (const name of readdirSync(tmpdir())) {
    const owner = OWNED.exec(name)?.[1];
    if (owner === undefined || isRunning(owner)) continue;
    try {
      rmSync(join(tmpdir(), name), { recursive: true, force: true });
    } catch {
      // It belongs to another user, or another run removes it at the same time.
    }
  }
}
