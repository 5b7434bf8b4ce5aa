import { callbackify } from 'node:util';
import { Injectable } from '@nestjs/common';
import type { Request, RequestHandler, Response } from 'express';
import multer, { MulterError, type Options } from 'multer';
import { LINE_MAX_CHARS, RESUME_MAX_BYTES, TEXT_MAX_CHARS } from '../contract/protocol.ts';
import { messages } from '../contract/messages.ts';
import { asStorageError, StorageUnavailableError } from '../database/storage-unavailable.error.ts';
import { UnsuitableDocumentError } from '../documents/identify-document.ts';
import { StorageHealth } from '../observability/storage.health.ts';
import { ResumeFiles } from '../submissions/resume-files.ts';
import { ClientLimits } from './client-limits.service.ts';
import { aborted, HttpError } from './http-error.ts';
import { decodeFields, decodeText } from './request-body.ts';

/**
 * A character takes at most four bytes in UTF-8. The limit of characters gives the clear message; this one only bounds
 * memory.
 */
const FIELD_MAX_BYTES = 4 * TEXT_MAX_CHARS + 1024;

/** A file over the limit is read on for so many bytes, so that the fields after it are received. */
const OVERRUN_MAX_BYTES = 1024 * 1024;

/** The parser's own errors begin like this; any other error is a failure of the disk, or a bug. */
const FORM_ERRORS = /^(?:Multipart|Malformed|Unexpected|Unsupported)/;

/** The head of a file's part with a control character in the name of the file, which the parser refuses. */
// oxlint-disable-next-line no-control-regex -- these are bytes
const ODD_FILE_NAME = /filename="[^"\r\n]*[\0-\x08\x0B-\x1F\x7F]/;

/** An uploaded file on the local disk, as received and not checked yet. */
export interface ReceivedFile {
  readonly path: string;
  /** The name that the visitor's computer has for it. */
  readonly originalname: string;
  /** Size in bytes. */
  readonly size: number;
}

/** Receives the multipart body of an application: the fields into `request.body`, the file onto the disk. */
@Injectable()
export class ResumeUpload {
  private readonly parse: RequestHandler;

  constructor(
    private readonly files: ResumeFiles,
    private readonly storage: StorageHealth,
    private readonly limits: ClientLimits,
  ) {
    // Texts and names come as one character for each byte, and are decoded below. The types lack `defCharset`.
    const options: Options & { defCharset: string } = {
      storage: multer.diskStorage({
        destination: (_request, _file, done) => callbackify(() => this.files.createUploadPath())(done),
        // The destination is the whole path.
        filename: (_request, _file, done) => done(null, ''),
      }),
      defCharset: 'latin1',
      defParamCharset: 'latin1',
      limits: {
        files: 1,
        fileSize: RESUME_MAX_BYTES + OVERRUN_MAX_BYTES,
        fields: 20,
        parts: 21,
        fieldSize: FIELD_MAX_BYTES,
        fieldNameSize: LINE_MAX_CHARS,
        fieldNestingDepth: 0,
        headerPairs: 20,
      },
    };
    this.parse = multer(options).single('resume');
  }

  /**
   * The caller discards the file when it has answered.
   *
   * @param client the key of the client, whose bytes are counted
   * @returns undefined when the form has no file
   * @throws HttpError, StorageUnavailableError, UnsuitableDocumentError, MulterError
   */
  async receive(request: Request, response: Response, client: string): Promise<ReceivedFile | undefined> {
    if (!request.is('multipart/form-data'))
      throw new HttpError('wrong-type', 'Please send the form as multipart/form-data.');
    if (!/boundary=\s*"?[^\s";]/i.test(request.get('content-type') ?? '')) throw unreadable();
    if (!this.storage.hasRoom) throw new StorageUnavailableError('RESUMES_URL: no room for another file');
    await this.limits.countBytes(client, Number(request.headers['content-length']));
    let last: Buffer = Buffer.alloc(0);
    request.on('data', (chunk: Buffer) => (last = chunk));
    await new Promise<void>((resolve, reject) => {
      const done = (error?: unknown) => (error ? reject(uploadError(error, last)) : resolve());
      void this.parse(request, response, done);
    });
    const fields = request.body as Readonly<Record<string, unknown>>;
    request.body = decodeFields(fields);
    const { file } = request;
    return file && { path: file.path, originalname: decodeText(file.originalname), size: file.size };
  }

  async discard({ path }: ReceivedFile): Promise<void> {
    await this.files.discard(path).catch(() => undefined);
  }
}

const unreadable = () =>
  new HttpError('malformed', 'We could not read this form: its body is cut short or is not what its type says.');

/** What the parser's error means; `last` are the bytes at which it stopped. */
function uploadError(error: unknown, last: Buffer): unknown {
  if (error instanceof MulterError) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  if (message.startsWith('Request ') || code === 'ECONNRESET') return aborted();
  if (!FORM_ERRORS.test(message)) return asStorageError(error, 'RESUMES_URL');
  const isOddName = message === 'Malformed part header' && ODD_FILE_NAME.test(last.toString('latin1'));
  return isOddName ? new UnsuitableDocumentError(messages.resumeName) : unreadable();
}
