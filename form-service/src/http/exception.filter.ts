import { Catch, Inject, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Request, Response } from 'express';
import { StorageUnavailableError } from '../database/storage-unavailable.error.ts';
import { Log } from '../observability/log.ts';
import { toHttpError, type HttpError } from './http-error.ts';
import { contextOf } from './request-context.middleware.ts';
import { respond, type Renderers } from './respond.ts';

/** Renders an error for the clients of a process. The api and the inbox each provide one as {@link RENDER_ERROR}. */
export type RenderError = (error: HttpError, request: Request, response: Response) => Renderers;
export const RENDER_ERROR = Symbol('render error');

/** Answers all errors that are thrown while a request is served. Logs server errors without values of the visitor. */
@Catch()
export class HttpExceptionFilter implements ExceptionFilter {
  private readonly log = new Log('ExceptionFilter');

  constructor(@Inject(RENDER_ERROR) private readonly render: RenderError) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    const error = toHttpError(thrown);
    const context = contextOf(response);
    if (error.status >= 500) this.report(error, context.requestId);
    // A partial response must not look complete.
    if (response.headersSent || response.destroyed) return void response.destroy();
    context.error = error.reason;
    const { retryAfterSeconds, headers } = error.details;
    respond(request, response, error.status, this.render(error, request, response), {
      ...(retryAfterSeconds !== undefined && { 'Retry-After': String(retryAfterSeconds) }),
      ...headers,
    });
  }

  /** Logs the name and stack frames of an error, but not its message, which could quote a visitor. */
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
