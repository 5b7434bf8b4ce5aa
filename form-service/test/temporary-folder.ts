import { rm } from 'node:fs/promises';
import { makeTemporaryFolder } from '../../scripts/checks/temporary-folder.ts';

/** Creates an empty folder. `remove` deletes it with its contents. */
export async function temporaryFolder(): Promise<{ path: string; remove: () => Promise<void> }> {
  const path = makeTemporaryFolder();
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}
