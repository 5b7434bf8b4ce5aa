import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { filePath } from '../database/database.ts';
import { StorageUnavailableError, withStorageErrors } from '../database/storage-unavailable.error.ts';
import type { StorageSettings } from '../config/settings.ts';
import { FolderStore, type FileStore, type StoredFile } from './folder-store.ts';

/** The keys that {@link keyFor} makes. What else lies in the folder or bucket is not ours, and is left alone. */
const KEY = /^[0-9a-f]{2}\/KW(?:-[0-9A-Z]{4}){4}\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const SETTING = 'RESUMES_URL';

/** The file beside the résumés that holds the id of the installation. */
const MARKER = 'installation';

/**
 * Stores the bytes of résumés, each under a key that names its submission and nobody else. A file is durable before the
 * row that names it is written, and is removed after the row, so a file without a row is a left-over.
 */
export class ResumeFiles {
  /** The folder of this process for uploads. A process that takes its place has the same name, or sees that it is gone. */
  private readonly uploads: string;
  private refusal: StorageUnavailableError | undefined;

  /** @param incoming folder on the local disk where the uploads of all processes wait until they are stored */
  constructor(
    private readonly files: FileStore,
    private readonly incoming: string,
  ) {
    this.uploads = join(incoming, `${hostname()}.${process.pid}`);
  }

  /** Creates a path to stream an upload to; `keep` or `discard` must follow. */
  async createUploadPath(): Promise<string> {
    if (this.refusal) throw this.refusal;
    await mkdir(this.uploads, { recursive: true });
    return join(this.uploads, randomUUID());
  }

  async discard(uploadPath: string): Promise<void> {
    await rm(uploadPath, { force: true });
  }

  /** Removes the uploads of the processes before this one that were killed on this machine, or in this container. */
  async removeUploadsOfTheDead(): Promise<void> {
    for (const name of await readdir(this.incoming).catch(() => [])) {
      const pid = name.startsWith(`${hostname()}.`) ? Number(name.slice(hostname().length + 1)) : undefined;
      if (pid === process.pid || (pid && !isAlive(pid)))
        await rm(join(this.incoming, name), { recursive: true, force: true });
    }
  }

  /** Removes uploads that any process left behind. @param olderThan milliseconds */
  async removeStaleUploads(olderThan: number): Promise<void> {
    const options = { recursive: true, withFileTypes: true } as const;
    for (const entry of await readdir(this.incoming, options).catch(() => [])) {
      const path = join(entry.parentPath, entry.name);
      const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Infinity }));
      if (entry.isFile() && Date.now() - mtimeMs > olderThan) await this.discard(path);
    }
  }

  /** From now on no upload is taken, for this reason. */
  refuse(reason: StorageUnavailableError): void {
    this.refusal = reason;
  }

  /** The id of the installation that the files belong to; undefined where nobody has marked them. */
  async readMarker(): Promise<string | undefined> {
    try {
      return await text(await this.open(MARKER));
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  /** Marks the files as those of an installation. @returns the marker that is there then, which another may have set */
  async mark(id: string): Promise<string | undefined> {
    const path = await this.createUploadPath();
    await writeFile(path, id);
    await this.store(path, MARKER);
    return this.readMarker();
  }

  /** The files of ours; anything else in the folder or bucket is passed over. */
  async *list(): AsyncGenerator<StoredFile> {
    for await (const file of this.files.list()) if (isResumeKey(file.key)) yield file;
  }

  /**
   * Stores an upload durably.
   *
   * @returns its key
   * @throws StorageUnavailableError and then nothing is stored
   */
  async keep(uploadPath: string, submissionId: string): Promise<string> {
    const key = keyFor(submissionId);
    await this.store(uploadPath, key);
    return key;
  }

  /** Stores an upload durably under a key that it had before. */
  async store(uploadPath: string, key: string): Promise<void> {
    await withStorageErrors(SETTING, () => this.files.put(uploadPath, key));
    await this.discard(uploadPath);
  }

  /** @throws StorageUnavailableError, also when there is no such file */
  open(key: string): Promise<Readable> {
    return withStorageErrors(SETTING, () => this.files.get(key));
  }

  /** Removes a file, if it exists. */
  remove(key: string): Promise<void> {
    return withStorageErrors(SETTING, () => this.files.delete(key));
  }

  /** The free bytes, or undefined where the storage has no such limit. */
  freeBytes(): Promise<number | undefined> {
    return withStorageErrors(SETTING, () => this.files.freeBytes());
  }
}

/**
 * Opens the storage that `RESUMES_URL` names. The default is the folder `resumes` beside the database. The S3 SDK is
 * loaded only where it is used.
 */
export async function openResumeFiles(settings: StorageSettings): Promise<ResumeFiles> {
  const { RESUMES_URL: url, DATABASE_URL, UPLOAD_DIR } = settings;
  if (url?.startsWith('s3://')) {
    const { S3Store } = await import('./s3-store.ts');
    const incoming = UPLOAD_DIR ?? join(tmpdir(), 'kitewright-uploads');
    return new ResumeFiles(new S3Store(new URL(url), settings), incoming);
  }
  const database = DATABASE_URL.startsWith('file:') ? filePath(DATABASE_URL) : '.data/submissions.db';
  const root = url ? filePath(url) : join(dirname(database), 'resumes');
  return new ResumeFiles(new FolderStore(root), join(root, 'incoming'));
}

/** Whether a file could not be opened because there is none, which waiting does not mend. */
export function isMissing(error: unknown): boolean {
  return error instanceof StorageUnavailableError && /ENOENT|NoSuchKey/.test(error.message);
}

/** Whether a text is a key of ours. Only such a key may become part of a path. */
export function isResumeKey(text: string): boolean {
  return KEY.test(text);
}

/** The id of the submission that a key belongs to. */
export function submissionIdOf(key: string): string {
  return key.slice(key.lastIndexOf('/') + 1).split('.', 1)[0] ?? '';
}

/** A new key, which cannot be guessed and is never used twice. Keys are spread over 256 folders. */
function keyFor(submissionId: string): string {
  const random = randomUUID();
  return `${random.slice(0, 2)}/${submissionId}.${random}`;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
