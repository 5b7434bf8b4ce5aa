import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { Request, RequestHandler, Response } from 'express';
import multer, { MulterError } from 'multer';
import { finalize, type Observable } from 'rxjs';
import { LINE_MAX_CHARS, TEXT_MAX_CHARS } from '../../contract/limits.ts';
import { messages } from '../../contract/messages.ts';
import { asStorageError, StorageUnavailableError } from '../../database/storage-unavailable.error.ts';
import { StorageHealth } from '../../observability/storage.health.ts';
import { ResumeFiles } from '../../submissions/resume-files.ts';
import { clientKey } from '../../spam/client-key.ts';
import { HttpError } from '../http-error.ts';
import { resumeError } from './resume-error.ts';
import { UploadQuota } from './upload-quota.service.ts';
import { UploadStorage } from './upload-storage.ts';

/**
 * A character takes at most four bytes in UTF-8. The limit of characters gives the clear message; this one only bounds
 * memory.
 */
const FIELD_MAX_BYTES = 4 * TEXT_MAX_CHARS + 1024;

/** The parser's own errors begin like this; any other error is a failure of the disk, or a bug. */
const FORM_ERRORS = /^(?:Multipart|Malformed|Unexpected|Unsupported)/;

/** Receives the multipart body of an application. No upload outlives its request, however that ends. */
@Injectable()
export class UploadInterceptor implements NestInterceptor {
  private readonly receive: RequestHandler;

  constructor(
    private readonly files: ResumeFiles,
    private readonly storage: StorageHealth,
    private readonly quota: UploadQuota,
  ) {
    this.receive = multer({
      storage: new UploadStorage(files),
      defParamCharset: 'utf8',
      limits: {
        files: 1,
        fields: 20,
        parts: 21,
        fieldSize: FIELD_MAX_BYTES,
        fieldNameSize: LINE_MAX_CHARS,
        fieldNestingDepth: 0,
        headerPairs: 20,
      },
    }).single('resume');
  }

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    if (!request.is('multipart/form-data')) throw HttpError.unsupported('Please send the form as multipart/form-data.');
    if (!this.storage.hasRoom) throw new StorageUnavailableError('RESUMES_URL: no room for another file');
    await this.quota.consume(clientKey(request.ip), Number(request.get('content-length')));
    await this.read(request, http.getResponse<Response>());
    return next.handle().pipe(finalize(() => void this.discard(request)));
  }

  private read(request: Request, response: Response): Promise<void> {
    return new Promise((resolve, reject) => {
      void this.receive(request, response, (error?: unknown) => (error ? reject(httpErrorOf(error)) : resolve()));
    });
  }

  private async discard({ file }: Request): Promise<void> {
    if (file) await this.files.discard(file.path).catch(() => undefined);
  }
}

function httpErrorOf(error: unknown): unknown {
  if (error instanceof HttpError || error instanceof StorageUnavailableError) return error;
  if (error instanceof MulterError) return limitErrorOf(error.code);
  const { code, message } = error as NodeJS.ErrnoException;
  if (message.startsWith('Request ') || code === 'ECONNRESET')
    return new HttpError(400, 'aborted', 'The request ended before its body did.');
  if (!FORM_ERRORS.test(message)) return asStorageError(error, 'RESUMES_URL');
  // Forms of this site have control characters in the header of a part only in the name of the file.
  if (message === 'Malformed part header') return resumeError(messages.resumeName);
  return HttpError.malformed('We could not read this form: its body is cut short or is not what its type says.');
}

function limitErrorOf(code: string): HttpError {
  switch (code) {
    case 'LIMIT_UNEXPECTED_FILE':
    case 'LIMIT_FILE_COUNT':
      return HttpError.invalid('Please attach one file.', { resume: ['Please attach one file.'] });
    case 'LIMIT_FIELD_VALUE':
      return HttpError.tooLarge('One of the fields is too long. Please shorten it and send it again.');
    case 'LIMIT_FIELD_COUNT':
    case 'LIMIT_PART_COUNT':
      return HttpError.tooLarge('The form has too many fields.');
    default:
      return HttpError.malformed('We could not read this form: a field has a wrong name.');
  }
}
