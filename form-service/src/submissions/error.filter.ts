import { Catch, HttpException, Inject, Logger, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Request, Response } from 'express';
import { StorageUnavailableError } from '../storage/submission-store.ts';
import { AnswerWriter } from './answers/answer-writer.ts';
import { Refusal } from './refusal.ts';
import { traceOf } from './request-trace.ts';

/** The one place where an error becomes an answer. What nobody foresaw is a generic 500, and is logged without values. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  private readonly log = new Logger('ErrorFilter');

  constructor(@Inject(AnswerWriter) private readonly answers: AnswerWriter) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    const refusal = asRefusal(error);
    if (refusal.status >= 500) this.report(refusal, traceOf(response).requestId);
    if (response.headersSent) response.destroy();
    else this.answers.refused(request, response, refusal);
  }

  /** Names, codes and places in our own source; a message could quote what a visitor sent. */
  private report({ reason, cause }: Refusal, requestId: string): void {
    if (!(cause instanceof Error)) return this.log.error({ event: reason, requestId });
    const known = cause instanceof StorageUnavailableError ? cause.message : undefined;
    const at = cause.stack?.split('\n').filter((line) => line.startsWith('    at ')).slice(0, 5);
    this.log.error({ event: reason, requestId, error: cause.name, cause: known, at: known ? undefined : at });
  }
}

function asRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof StorageUnavailableError) return Refusal.unavailable(error);
  if (error instanceof HttpException && error.getStatus() === 404) return new Refusal(404, 'not-found', 'There is nothing at this address.');
  if (error instanceof HttpException && error.getStatus() < 500) return new Refusal(error.getStatus(), 'malformed', 'We could not read this request.');
  return Refusal.internal(error);
}
