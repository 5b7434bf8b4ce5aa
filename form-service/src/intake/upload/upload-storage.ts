import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { callbackify } from 'node:util';
import type { Request } from 'express';
import type { StorageEngine } from 'multer';
import { RESUME_MAX_BYTES } from '../../contract/limits.ts';
import { messages } from '../../contract/messages.ts';
import type { ResumeFiles } from '../../submissions/resume-files.ts';
import { HttpError } from '../http-error.ts';

/** How far past the limit a file is read, and not kept, so that the fields behind it are still heard; in bytes. */
const OVERRUN_MAX_BYTES = 1024 * 1024;

/** A file on the store's own disk, as received and not judged yet. */
export interface ReceivedFile {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  /** Hex. */
  readonly sha256: string;
  /** Larger than {@link RESUME_MAX_BYTES}; its bytes are gone. */
  readonly tooLarge: boolean;
}

/** Streams an upload to the store's disk and digests it on the way; multer's own engine does neither in one pass. */
export class UploadStorage implements StorageEngine {
  constructor(private readonly files: ResumeFiles) {}

  _handleFile(
    _request: Request,
    file: Express.Multer.File,
    done: (error?: unknown, info?: Partial<Express.Multer.File>) => void,
  ): void {
    callbackify(() => this.receive(file.stream))(done);
  }

  _removeFile(_request: Request, file: Express.Multer.File, done: (error: Error | null) => void): void {
    callbackify(() => this.files.discard(file.path))(done);
  }

  private async receive(stream: Readable): Promise<ReceivedFile> {
    const path = await this.files.createUploadPath();
    const digest = createHash('sha256');
    const file = await open(path, 'wx', 0o600);
    let size = 0;
    try {
      // Ending a stream that multer still feeds would make it report a broken form instead of what went wrong here.
      for await (const chunk of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
        size += chunk.length;
        if (size > RESUME_MAX_BYTES + OVERRUN_MAX_BYTES) throw HttpError.tooLarge(messages.resumeTooLarge);
        if (size > RESUME_MAX_BYTES) continue;
        digest.update(chunk);
        await file.writeFile(chunk);
      }
    } catch (error) {
      await this.files.discard(path);
      throw error;
    } finally {
      await file.close();
    }
    const tooLarge = size > RESUME_MAX_BYTES;
    if (tooLarge) await this.files.discard(path);
    return { path, size, sha256: digest.digest('hex'), tooLarge };
  }
}
