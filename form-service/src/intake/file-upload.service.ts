import { callbackify } from 'node:util';
import { Injectable } from '@nestjs/common';
import type { Request, RequestHandler, Response } from 'express';
import multer, { MulterError } from 'multer';
import { LINE_MAX_CHARS, RESUME_MAX_BYTES, TEXT_MAX_CHARS } from '../contract/protocol.ts';
import { messages } from '../contract/messages.ts';
import { asStorageError, StorageUnavailableError } from '../database/storage-unavailable.error.ts';
import { FileStorage } from '../files/file-storage.ts';
import { ClientLimits } from '../http/client-limits.ts';
import { aborted, fieldError, HttpError, tooManyFields } from '../http/http-error.ts';
import { serviceWords } from '../contract/service-words.ts';

const words = serviceWords('errors');

/** Bounds memory: a character takes at most four bytes in UTF-8. Validation reports the limit in characters. */
const FIELD_MAX_BYTES = 4 * TEXT_MAX_CHARS + 1024;

const FIELDS_MAX = 20;

/** Bytes that are still read of a file over the limit, so that the fields after it are received. */
const OVERRUN_MAX_BYTES = 1024 * 1024;

/** Beginnings of the parser's own error messages. Any other error is a failure of the disk or a bug. */
const FORM_ERRORS = /^(?:Multipart|Malformed|Unexpected|Unsupported)/;

/** An uploaded file on the local disk that is not checked yet. */
export interface ReceivedFile {
  readonly path: string;
  /** Name on the visitor's computer. */
  readonly originalname: string;
  /** Size in bytes. */
  readonly size: number;
}

/** Receives a multipart body: the fields into `request.body`, the file onto the disk. */
@Injectable()
export class FileUpload {
  private readonly parser: multer.Multer;

  constructor(
    private readonly files: FileStorage,
    private readonly limits: ClientLimits,
  ) {
    this.parser = multer({
      storage: multer.diskStorage({
        destination: (_request, _file, done) => callbackify(() => this.files.createUploadPath())(done),
        // `destination` is already the full path.
        filename: (_request, _file, done) => done(null, ''),
      }),
      defParamCharset: 'utf8',
      limits: {
        files: 1,
        fileSize: RESUME_MAX_BYTES + OVERRUN_MAX_BYTES,
        fields: FIELDS_MAX,
        parts: FIELDS_MAX + 1,
        fieldSize: FIELD_MAX_BYTES,
        fieldNameSize: LINE_MAX_CHARS,
        // Names such as a[b] become objects or arrays. A high index would make a sparse array that is slow to copy.
        fieldArrayIndexLimit: FIELDS_MAX,
        headerPairs: 20,
      },
    });
  }

  /**
   * Receives the body. The caller discards the file after the response.
   *
   * @param field name of the field with the file
   * @param client key whose upload quota is charged
   * @returns undefined if the form has no file
   * @throws HttpError, StorageUnavailableError
   */
  async receive(
    request: Request,
    response: Response,
    field: string,
    client: string,
  ): Promise<ReceivedFile | undefined> {
    if (!request.is('multipart/form-data')) throw new HttpError('wrong-type', words.typeOfFormWithFile);
    if (!(await this.files.hasRoom())) throw new StorageUnavailableError('RESUMES_URL: no room for another file');
    const stated = Number(request.headers['content-length']) || 0;
    await this.limits.countBytes(client, stated);
    let received = 0;
    request.on('data', (chunk: Buffer) => (received += chunk.length));
    const [parsed] = await Promise.allSettled([this.parseForm(request, response, field)]);
    const { file } = request;
    try {
      // A chunked request has no Content-Length, so its bytes are counted after they have arrived.
      if (received > stated) await this.limits.countBytes(client, received - stated);
      if (parsed.status === 'rejected') throw uploadError(parsed.reason, field);
    } catch (error) {
      if (file) await this.discard(file);
      throw error;
    }
    return file;
  }

  async discard({ path }: Pick<ReceivedFile, 'path'>): Promise<void> {
    await this.files.discard(path).catch(() => undefined);
  }

  private parseForm(request: Request, response: Response, field: string): Promise<void> {
    const parse: RequestHandler = this.parser.single(field);
    return new Promise((resolve, reject) => {
      void parse(request, response, (error?: unknown) => (error ? reject(error as Error) : resolve()));
    });
  }
}

const unreadable = () => new HttpError('malformed', words.unreadableForm);

/** Converts the parser's error. */
function uploadError(error: unknown, field: string): unknown {
  if (error instanceof MulterError) return LIMITS[error.code]?.(field) ?? new HttpError('malformed', words.fieldName);
  const { code, message } = error as NodeJS.ErrnoException;
  if (message.startsWith('Request ') || code === 'ECONNRESET') return aborted();
  return FORM_ERRORS.test(message) ? unreadable() : asStorageError(error, 'RESUMES_URL');
}

/** Errors by the code of the limit. Any other code is about the name of a field. */
const LIMITS: Readonly<Record<string, (field: string) => HttpError>> = {
  LIMIT_UNEXPECTED_FILE: (field) => fieldError('invalid', field, words.oneFile),
  LIMIT_FILE_COUNT: (field) => fieldError('invalid', field, words.oneFile),
  LIMIT_FILE_SIZE: (field) => fieldError('too-large', field, messages.resumeTooLarge),
  LIMIT_FIELD_VALUE: () => new HttpError('too-large', words.fieldTooLong),
  LIMIT_FIELD_COUNT: tooManyFields,
  LIMIT_PART_COUNT: tooManyFields,
};
