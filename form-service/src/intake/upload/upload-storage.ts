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

/**
 * A file over the limit is read on for so many bytes without being stored, so that the fields after it are received.
 */
const OVERRUN_MAX_BYTES = 1024 * 1024;

/** An uploaded file on the local disk, as received and not checked yet. */
export interface ReceivedFile {
  readonly path: string;
  /** Size in bytes. */
  readonly size: number;
  /** Hex digest of the bytes. */
  readonly sha256: string;
  /** True when the file is larger than {@link RESUME_MAX_BYTES}; its bytes were not kept. */
  readonly tooLarge: boolean;
}

/**
 * Streams an upload to the disk and computes its digest on the way; multer's own engine does not do both in one pass.
 */
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
      // Ending a stream that multer still feeds would make multer report a broken form instead of the real error.
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
