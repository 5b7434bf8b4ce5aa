import { Catch, HttpException, Logger, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Request, Response } from 'express';
import { StorageUnavailableError } from '../database/storage-unavailable.error.ts';
import { logEntryOf } from './access-log.middleware.ts';
import { HttpError } from './http-error.ts';
import { ResponseService } from './response.service.ts';

/** Converts every error into an answer. An unexpected error becomes a generic 500, and is logged without values. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  private readonly log = new Logger('ErrorFilter');

  constructor(private readonly responses: ResponseService) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    const httpError = asHttpError(error);
    if (httpError.status >= 500) this.report(httpError, logEntryOf(response).requestId);
    if (response.headersSent) response.destroy();
    else this.responses.failed(request, response, httpError);
  }

  /**
   * What is logged of an unexpected error: its name, its code and the places in our own source. Its message could quote
   * what a visitor sent.
   */
  private report({ reason, cause }: HttpError, requestId: string): void {
    if (!(cause instanceof Error)) return this.log.error({ event: reason, requestId });
    const known = cause instanceof StorageUnavailableError ? cause.message : undefined;
    const at = cause.stack
      ?.split('\n')
      .filter((line) => line.startsWith('    at '))
      .slice(0, 5);
    this.log.error({ event: reason, requestId, error: cause.name, cause: known, at: known ? undefined : at });
  }
}

function asHttpError(error: unknown): HttpError {
  if (error instanceof HttpError) return error;
  if (error instanceof StorageUnavailableError) return HttpError.unavailable(error);
  if (error instanceof HttpException) return ofNest(error);
  return ofBodyParser(error as { status?: number; type?: string }) ?? HttpError.internal(error);
}

function ofNest(error: HttpException): HttpError {
  const status = error.getStatus();
  if (status === 404) return new HttpError(404, 'not-found', 'There is nothing at this address.');
  return status < 500
    ? new HttpError(status, 'malformed', 'We could not read this request.')
    : HttpError.internal(error);
}

/**
 * The body parser throws errors of `http-errors`, which have a status and a type. Their messages may quote the body.
 */
function ofBodyParser({ status, type }: { status?: number; type?: string }): HttpError | undefined {
  if (type === undefined) return undefined;
  if (type === 'request.aborted') return new HttpError(400, 'aborted', 'The request ended before its body did.');
  if (type === 'parameters.too.many') return HttpError.tooLarge('The form has too many fields.');
  if (status === 413) return HttpError.tooLarge('Your message is too large. Please shorten it and send it again.');
  if (status === 415) return HttpError.unsupported('The body must be UTF-8 text and not compressed.');
  if (status === 400) return HttpError.malformed('We could not read this request: its body is not what its type says.');
  return undefined;
}
