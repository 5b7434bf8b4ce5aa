import { Catch, Logger, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Request, Response } from 'express';
import { StorageUnavailableError } from '../database/storage-unavailable.error.ts';
import { AnswerService } from './answer.service.ts';
import { toHttpError, type HttpError } from './http-error.ts';
import { contextOf } from './submission.middleware.ts';

/** Answers every error, and logs those that are ours without a value. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  private readonly log = new Logger('ErrorFilter');

  constructor(private readonly answers: AnswerService) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    const httpError = toHttpError(error);
    if (httpError.status >= 500) this.report(httpError, contextOf(response).requestId);
    if (response.headersSent) response.destroy();
    else this.answers.failed(request, response, httpError);
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
