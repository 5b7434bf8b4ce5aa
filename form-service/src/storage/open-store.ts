import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { StorageSettings } from '../config/env.ts';
import { FolderStore } from './folder-store.ts';
import { Holder } from './holder.ts';
import type { SubmissionStore } from './submission-store.ts';

/** Opens the store that `STORAGE_URL` names. */
export function openStore(settings: StorageSettings): Promise<SubmissionStore> {
  return FolderStore.open(storageFolder(settings.STORAGE_URL), new Holder(settings.INSTANCE));
}

/** `file:///var/x` and `file:/var/x` are absolute, `file:x` starts at the working directory. */
export function storageFolder(storageUrl: string): string {
  return storageUrl.startsWith('file:/') ? fileURLToPath(storageUrl) : resolve(storageUrl.slice('file:'.length));
}
