import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { FolderLayout } from '../../form-service/src/storage/folder-layout.ts';

/** A sweep comes every 15 s, and a claim that was being given back is soon gone. */
const QUIET_MS = 45_000;
const LOOK_MS = 500;

/**
 * What is left in the store when a sweep has had the time to come by: paths from its root, which hold references and
 * nothing of a visitor.
 *
 * @param records every submission there is, by reference
 */
export async function leftoversWhenQuiet(root: string, records: ReadonlyMap<string, unknown>): Promise<string[]> {
  const deadline = performance.now() + QUIET_MS;
  for (;;) {
    const left = leftovers(root, records);
    if (left.length === 0 || performance.now() > deadline) return left;
    await pause(LOOK_MS);
  }
}

/** Files in the store that belong to no submission. */
function leftovers(root: string, records: ReadonlyMap<string, unknown>): string[] {
  const { incoming, claims, damaged } = new FolderLayout(root);
  const halfDone = [incoming, claims, damaged].flatMap((folder) => filesUnder(folder));
  const orphans = filesUnder(join(root, 'files')).filter((path) => !records.has(referenceOf(path)));
  return [...halfDone, ...orphans].map((path) => path.slice(root.length + 1));
}

function filesUnder(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** A résumé is named by its reference and its digest. */
function referenceOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).split('.', 1)[0] ?? '';
}
