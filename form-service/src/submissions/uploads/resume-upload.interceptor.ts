import { Inject, Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { Request, RequestHandler, Response } from 'express';
import multer, { MulterError } from 'multer';
import { finalize, type Observable } from 'rxjs';
import { LINE_MAX_CHARS, TEXT_MAX_CHARS } from '../../contract/limits.ts';
import { messages } from '../../contract/messages.ts';
import { StorageUnavailableError, SubmissionStore } from '../../storage/submission-store.ts';
import { Refusal } from '../refusal.ts';
import { resumeRefusal } from './resume-refusal.ts';
import { UploadStorage } from './upload-storage.ts';

/** A character takes four bytes at most in UTF-8; the rule on characters gives the clear message, this bounds memory. */
const FIELD_MAX_BYTES = 4 * TEXT_MAX_CHARS + 1024;

/** Receives the multipart body of an application; whatever becomes of the request, no upload outlives it. */
@Injectable()
export class ResumeUploadInterceptor implements NestInterceptor {
  private readonly receive: RequestHandler;

  constructor(@Inject(SubmissionStore) private readonly store: SubmissionStore) {
    this.receive = multer({
      storage: new UploadStorage(store),
      defParamCharset: 'utf8',
      limits: { files: 1, fields: 20, parts: 21, fieldSize: FIELD_MAX_BYTES, fieldNameSize: LINE_MAX_CHARS, fieldNestingDepth: 0, headerPairs: 20 },
    }).single('resume');
  }

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    if (!request.is('multipart/form-data')) throw Refusal.unsupported('Please send the form as multipart/form-data.');
    await this.read(request, http.getResponse<Response>());
    return next.handle().pipe(finalize(() => void this.discard(request)));
  }

  private read(request: Request, response: Response): Promise<void> {
    return new Promise((resolve, reject) => {
      void this.receive(request, response, (error?: unknown) => (error ? reject(refusalOf(error)) : resolve()));
    });
  }

  private async discard({ file }: Request): Promise<void> {
    if (file) await this.store.discardUpload(file.path).catch(() => undefined);
  }
}

function refusalOf(error: unknown): Error {
  if (error instanceof Refusal || error instanceof StorageUnavailableError) return error;
  if (error instanceof MulterError) return limitRefusal(error.code);
  const { code, message } = error as NodeJS.ErrnoException;
  if (code?.startsWith('E') && code !== 'ECONNRESET') return new StorageUnavailableError(`storage: ${code}`, { cause: error });
  if (message.startsWith('Request ') || code === 'ECONNRESET') return new Refusal(400, 'aborted', 'The request ended before its body did.');
  // Control characters in a header of a part: a form of this site has none anywhere but in the name of the file.
  if (message === 'Malformed part header') return resumeRefusal(messages.resumeName);
  return Refusal.malformed('We could not read this form: its body is cut short or is not what its type says.');
}

function limitRefusal(code: string): Refusal {
  switch (code) {
    case 'LIMIT_UNEXPECTED_FILE':
    case 'LIMIT_FILE_COUNT':
      return Refusal.invalid('Please attach one file.', { resume: ['Please attach one file.'] });
    case 'LIMIT_FIELD_VALUE':
      return Refusal.tooLarge('One of the fields is too long. Please shorten it and send it again.');
    case 'LIMIT_FIELD_COUNT':
    case 'LIMIT_PART_COUNT':
      return Refusal.tooLarge('The form has too many fields.');
    default:
      return Refusal.malformed('We could not read this form: a field has a wrong name.');
  }
}
