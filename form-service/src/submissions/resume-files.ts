import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { filePath } from '../database/database.ts';
import { asStorageError } from '../database/storage-unavailable.error.ts';
import type { StorageSettings } from '../config/settings.ts';

/** A stored file, as a clean-up lists it. */
export interface StoredFile {
  readonly key: string;
  /** Milliseconds since the epoch. */
  readonly modifiedAt: number;
}

/**
 * Stores the bytes of résumés, each under a key that names its submission and nobody else. A file is durable before the
 * row that names it is written, and is removed after the row, so a file without a row is a left-over.
 */
export abstract class ResumeFiles {
  /** @param incoming folder on the local disk where uploads wait until they are stored */
  protected constructor(protected readonly incoming: string) {}

  /** Creates a path to stream an upload to; `keep` or `discard` must follow. */
  async createUploadPath(): Promise<string> {
    await mkdir(this.incoming, { recursive: true, mode: 0o700 });
    return join(this.incoming, randomUUID());
  }

  async discard(uploadPath: string): Promise<void> {
    await rm(uploadPath, { force: true });
  }

  /** Removes uploads that a killed process left behind. @param olderThan milliseconds */
  async removeStaleUploads(olderThan: number): Promise<void> {
    for (const name of await readdir(this.incoming).catch(() => [])) {
      const path = join(this.incoming, name);
      const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }));
      if (Date.now() - mtimeMs > olderThan) await this.discard(path);
    }
  }

  /**
   * Stores an upload durably.
   *
   * @returns its key
   * @throws StorageUnavailableError and then nothing is stored
   */
  abstract keep(uploadPath: string, submissionId: string): Promise<string>;

  /** @throws StorageUnavailableError, also when there is no such file */
  abstract open(key: string): Promise<Readable>;

  /** Removes a file, if it exists. */
  abstract remove(key: string): Promise<void>;

  abstract list(): AsyncIterable<StoredFile>;

  /** The free bytes, or undefined where the storage has no such limit. */
  abstract freeBytes(): Promise<number | undefined>;
}

/**
 * Opens the storage that `RESUMES_URL` names. The default is the folder `resumes` beside the database. The S3 SDK is
 * loaded only where it is used.
 */
export async function openResumeFiles(settings: StorageSettings): Promise<ResumeFiles> {
  const { RESUMES_URL: url, DATABASE_URL } = settings;
  if (url?.startsWith('s3://'))
    return (await import('./s3-resume-files.ts')).S3ResumeFiles.open({ ...settings, RESUMES_URL: url });
  if (url) return new FolderResumeFiles(filePath(url));
  const database = DATABASE_URL.startsWith('file:') ? filePath(DATABASE_URL) : '.data/submissions.db';
  return new FolderResumeFiles(join(dirname(database), 'resumes'));
}

/** The id of the submission that a key belongs to. */
export function submissionIdOf(key: string): string {
  return key.slice(key.lastIndexOf('/') + 1).split('.', 1)[0] ?? '';
}

/** A new key, which cannot be guessed and is never used twice. Keys are spread over 256 folders. */
export function keyFor(submissionId: string): string {
  const random = randomUUID();
  return `${random.slice(0, 2)}/${submissionId}.${random}`;
}

/** Résumés in a folder on a local disk. */
export class FolderResumeFiles extends ResumeFiles {
  constructor(readonly root: string) {
    super(join(root, 'incoming'));
  }

  override async keep(uploadPath: string, submissionId: string): Promise<string> {
    const key = keyFor(submissionId);
    const path = join(this.root, key);
    return this.mapErrors(async () => {
      await sync(uploadPath);
      if (await mkdir(dirname(path), { recursive: true, mode: 0o700 })) await sync(this.root);
      await rename(uploadPath, path);
      await sync(dirname(path));
      return key;
    });
  }

  override open(key: string): Promise<Readable> {
    return this.mapErrors(async () => {
      const handle = await open(join(this.root, key));
      return handle.createReadStream();
    });
  }

  override remove(key: string): Promise<void> {
    return this.mapErrors(() => rm(join(this.root, key), { force: true }));
  }

  override async *list(): AsyncGenerator<StoredFile> {
    for (const folder of await readdir(this.root).catch(() => [])) {
      if (folder.length !== 2) continue;
      for (const name of await readdir(join(this.root, folder))) {
        const found = await stat(join(this.root, folder, name)).catch(() => undefined);
        if (found) yield { key: `${folder}/${name}`, modifiedAt: found.mtimeMs };
      }
    }
  }

  override freeBytes(): Promise<number> {
    return this.mapErrors(async () => {
      await mkdir(this.root, { recursive: true, mode: 0o700 });
      const { bavail, bsize } = await statfs(this.root);
      return bavail * bsize;
    });
  }

  private async mapErrors<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw asStorageError(error, 'RESUMES_URL');
    }
  }
}

/** Makes a file's bytes, or a folder's names, survive a power cut. */
async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
