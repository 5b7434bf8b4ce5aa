import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pipeline, Transform, type Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { filePath } from '../database/database.ts';
import type { SubmissionFile } from '../database/schema.ts';
import { asStorageError, StorageUnavailableError, withStorageErrors } from '../database/storage-unavailable.error.ts';
import { DAY_MS } from '../settings/durations.ts';
import type { StorageSettings } from '../settings/settings.ts';
import { FolderStore, type FileStore, type StoredFile } from './folder-store.ts';
import type { S3Limits } from './s3-store.ts';

/** Keys that {@link keyFor} creates. Other files in the folder or bucket are ignored. */
const KEY = /^[0-9a-f]{2}\/KW(?:-[0-9A-Z]{4}){4}\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const SETTING = 'RESUMES_URL';

/** Age of an upload that no process is still receiving. */
const UPLOAD_MAX_MS = 60 * 60_000;

/** Minimum age of a file that is deleted as an orphan. A younger one may still get a submission, or be missed. */
export const ORPHAN_AGE_MS = 7 * DAY_MS;

/** Free space below which no file is accepted: it could fail half-way, and enquiries need the rest. */
export const FREE_BYTES_MIN = 32 * 1024 * 1024;

/** Key of the file with the id of the installation, next to the files. */
const MARKER = 'installation';

/** Key of a stored file, and the size and digest that it had on arrival. */
export type FileFacts = Pick<SubmissionFile, 'key' | 'size' | 'sha256'>;

/** The stored bytes are not those that arrived. Only a copy from a backup helps. */
export class DamagedStoredFileError extends StorageUnavailableError {
  constructor() {
    super(`${SETTING}: damaged file`);
  }
}

/**
 * Stores the bytes of files. A key contains the submission's reference, and nothing about the visitor. A file is durable
 * before its row is written and is removed after its row, so a file without a row is an orphan.
 */
export class FileStorage {
  private refusal: StorageUnavailableError | undefined;

  /** @param incoming folder on the local disk for uploads of all processes that are not stored yet */
  constructor(
    private readonly files: FileStore,
    private readonly incoming: string,
  ) {}

  /** Returns a new path for an upload. Call `keep` or `discard` afterwards. */
  async createUploadPath(): Promise<string> {
    if (this.refusal) throw this.refusal;
    await mkdir(this.incoming, { recursive: true });
    return join(this.incoming, randomUUID());
  }

  async discard(uploadPath: string): Promise<void> {
    await rm(uploadPath, { force: true });
  }

  /** Removes uploads that a killed process left behind. */
  async removeStaleUploads(): Promise<void> {
    for (const name of await readdir(this.incoming).catch(() => [])) {
      const path = join(this.incoming, name);
      const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Infinity }));
      if (Date.now() - mtimeMs > UPLOAD_MAX_MS) await this.discard(path);
    }
  }

  /** Rejects all further uploads with this reason. */
  refuse(reason: StorageUnavailableError): void {
    this.refusal = reason;
  }

  /** Returns the id of the installation that the files belong to; undefined if they have no marker. */
  async readMarker(): Promise<string | undefined> {
    try {
      return await text(await this.read(MARKER));
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  /** Marks the files as those of an installation. @returns the marker afterwards, which another process may have set */
  async mark(id: string): Promise<string | undefined> {
    await this.write(MARKER, id);
    return this.readMarker();
  }

  /** Stores content durably under a given key. */
  async write(key: string, content: string | Buffer): Promise<void> {
    const path = await this.createUploadPath();
    try {
      await writeFile(path, content);
      await this.store(path, key);
    } finally {
      await this.discard(path);
    }
  }

  /** Lists the files of submissions. Other files in the folder or bucket are skipped. */
  async *list(): AsyncGenerator<StoredFile> {
    for await (const file of this.files.list()) if (isFileKey(file.key)) yield file;
  }

  /**
   * Stores an upload durably under a new key.
   *
   * @returns the key
   * @throws StorageUnavailableError; then nothing is stored
   */
  async keep(uploadPath: string, submissionId: string): Promise<string> {
    const key = keyFor(submissionId);
    await this.store(uploadPath, key);
    return key;
  }

  /** Stores an upload durably under a given key. */
  async store(uploadPath: string, key: string): Promise<void> {
    await withStorageErrors(SETTING, () => this.files.put(uploadPath, key));
    await this.discard(uploadPath);
  }

  /**
   * Opens a file. Its stream fails with a {@link DamagedStoredFileError} in place of the end if size or SHA-256 differ. A
   * reader that stops earlier gets no error.
   *
   * @throws StorageUnavailableError, also if there is no such file
   */
  async open(file: FileFacts): Promise<Readable> {
    return verified(await this.read(file.key), file);
  }

  /** Removes a file, if it exists. */
  remove(key: string): Promise<void> {
    return withStorageErrors(SETTING, () => this.files.delete(key));
  }

  /** Returns the free bytes, or undefined if the storage has no such limit. */
  freeBytes(): Promise<number | undefined> {
    return withStorageErrors(SETTING, () => this.files.freeBytes());
  }

  /** Whether another file may be stored. */
  async hasRoom(): Promise<boolean> {
    return ((await this.freeBytes()) ?? Infinity) >= FREE_BYTES_MIN;
  }

  private read(key: string): Promise<Readable> {
    return withStorageErrors(SETTING, () => this.files.get(key));
  }
}

/**
 * Returns the keys of files that no submission names and that have a minimum age, and the number of all files.
 *
 * @param namedBy reads the keys that submissions name
 */
export async function findOrphans(
  files: FileStorage,
  namedBy: { fileKeys(ids: readonly string[]): Promise<ReadonlySet<string>> },
  olderThanMs: number,
): Promise<{ orphans: string[]; total: number }> {
  const older: string[] = [];
  let total = 0;
  for await (const { key, modifiedAt } of files.list()) {
    total += 1;
    if (Date.now() - modifiedAt >= olderThanMs) older.push(key);
  }
  const named = await namedBy.fileKeys(older.map(submissionIdOf));
  return { orphans: older.filter((key) => !named.has(key)), total };
}

/**
 * Compares the content of a file with its size and digest. The latest chunk is held back until the next one or the end,
 * so that no reader receives all bytes of a damaged file.
 */
function verified(content: Readable, { size, sha256 }: FileFacts): Readable {
  const digest = createHash('sha256');
  let length = 0;
  let held: Buffer | undefined;
  const compared = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      length += chunk.length;
      if (length > size) return done(new DamagedStoredFileError());
      digest.update(chunk);
      const previous = held;
      held = chunk;
      done(null, previous);
    },
    flush(done) {
      if (length < size || digest.digest('hex') !== sha256) return done(new DamagedStoredFileError());
      done(null, held);
    },
  });
  content.once('error', (error) => compared.destroy(asStorageError(error, SETTING) as Error));
  // The file may fail before the reader begins, who then finds the stream destroyed.
  compared.on('error', () => undefined);
  // Closes the file when the reader stops.
  pipeline(content, compared, () => undefined);
  return compared;
}

/**
 * Opens the storage that `RESUMES_URL` names, by default the folder `resumes` next to the database. Uploads to object
 * storage are buffered next to the database, too, or in the temporary folder.
 */
export async function openFileStorage(settings: StorageSettings, limits?: S3Limits): Promise<FileStorage> {
  const { RESUMES_URL: url, DATABASE_URL } = settings;
  const database = DATABASE_URL.startsWith('file:') ? filePath(DATABASE_URL) : undefined;
  if (url?.startsWith('s3://')) {
    // Loads the large S3 SDK only if it is used.
    const { S3Store } = await import('./s3-store.ts');
    const incoming = database ? join(dirname(database), 'uploads') : join(tmpdir(), 'kitewright-uploads');
    return new FileStorage(new S3Store(new URL(url), settings, limits), incoming);
  }
  const root = url ? filePath(url) : join(dirname(database ?? '.data/submissions.db'), 'resumes');
  return new FileStorage(new FolderStore(root), join(root, 'incoming'));
}

/** Whether a file could not be opened because it does not exist; a retry does not help. */
export function isMissing(error: unknown): boolean {
  return error instanceof StorageUnavailableError && error.isMissing;
}

/** Whether a text is the key of a file. Only such a key may become part of a path (path traversal). */
export function isFileKey(text: string): boolean {
  return KEY.test(text);
}

/** Returns the id of the submission that a key belongs to. */
export function submissionIdOf(key: string): string {
  return key.slice(key.lastIndexOf('/') + 1).split('.', 1)[0] ?? '';
}

/** Returns a new key that cannot be guessed and is never reused. Keys are spread over 256 folders. */
function keyFor(submissionId: string): string {
  const random = randomUUID();
  return `${random.slice(0, 2)}/${submissionId}.${random}`;
}
