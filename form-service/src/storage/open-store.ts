import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { StorageSettings } from '../config/env.ts';
import { FolderStore } from './folder-store.ts';
import { Holder } from './holder.ts';
import type { SubmissionStore } from './submission-store.ts';

/** Opens the store that `STORAGE_URL` names. The SDK for object storage is loaded only where it is used. */
export async function openStore(settings: StorageSettings): Promise<SubmissionStore> {
  if (settings.STORAGE_URL.startsWith('s3://')) return (await import('./s3/s3-store.ts')).S3Store.open(settings);
  return FolderStore.open(storageFolder(settings.STORAGE_URL), new Holder(settings.INSTANCE));
}

/** `file:///var/x` and `file:/var/x` are absolute, `file:x` starts at the working directory. */
export function storageFolder(storageUrl: string): string {
  return storageUrl.startsWith('file:/') ? fileURLToPath(storageUrl) : resolve(storageUrl.slice('file:'.length));
}
