import { rm } from 'node:fs/promises';
import { makeFolderInMemory } from '../../test-support/temporary-folder.ts';

/** Creates an empty folder, in memory if there is room. `remove` deletes it with its contents. */
export async function temporaryFolder(): Promise<{ path: string; remove: () => Promise<void> }> {
  const path = makeFolderInMemory();
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}
