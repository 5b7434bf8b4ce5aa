import { Catch, Inject, Logger, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Request, Response } from 'express';
import { SETTINGS, type Settings } from '../config/settings.ts';
import type { Accepted, Refused } from '../contract/protocol.ts';
import { StorageUnavailableError } from '../database/storage-unavailable.error.ts';
import type { FormKind } from '../submissions/submission.ts';
import { FORMS, formOf } from './forms.ts';
import { toHttpError, type HttpError } from './http-error.ts';
import type { SubmitResult } from './intake.service.ts';
import { errorPage, formPage, sentPage } from './pages/pages.ts';
import { contextOf } from './submission.middleware.ts';

/**
 * The formats of an answer, with what writes it: JSON for programs, a sentence, and a page for a browser that posted a
 * plain form.
 */
interface Formats {
  json(): Accepted | Refused;
  text(): string;
  html(): string;
}

/** What nearly every client asks for is answered as JSON without a look at the other formats. */
const JSON_ALONE: ReadonlySet<string | undefined> = new Set([undefined, '*/*', 'application/json']);

/**
 * Writes every answer to a submission, in the format that the client asks for in `Accept`. It is the error filter too:
 * an error that is ours is logged without a value.
 */
@Catch()
export class AnswerService implements ExceptionFilter {
  private readonly log = new Logger('ErrorFilter');

  constructor(@Inject(SETTINGS) private readonly settings: Pick<Settings, 'COMPANY_NAME'>) {}

  accepted(request: Request, response: Response, form: FormKind, result: SubmitResult): void {
    const { reference, repeat, quarantined } = result;
    const { sent, sentDetail } = FORMS[form];
    Object.assign(contextOf(response), { reference, repeat, quarantined });
    send(request, response, 202, {
      json: () => ({ success: true, message: sent, reference }),
      text: () => `${sent} ${sentDetail} Your reference is ${reference}.`,
      html: () => sentPage(this.settings.COMPANY_NAME, FORMS[form], reference),
    });
  }

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    const error = toHttpError(thrown);
    if (error.status >= 500) this.report(error, contextOf(response).requestId);
    if (response.headersSent) response.destroy();
    else this.failed(request, response, error);
  }

  private failed(request: Request, response: Response, error: HttpError): void {
    const { message, reason, status } = error;
    const { errors, retryAfterSeconds, allow } = error.details;
    contextOf(response).error = reason;
    const form = formOf(request.originalUrl);
    const { COMPANY_NAME: company } = this.settings;
    const headers = {
      ...(retryAfterSeconds !== undefined && { 'Retry-After': String(retryAfterSeconds) }),
      ...(allow !== undefined && { Allow: allow }),
    };
    const formats: Formats = {
      json: () => ({ success: false, message, ...(errors && { errors }) }),
      text: () => sentenceOf(error),
      html: () =>
        form && errors
          ? formPage(company, FORMS[form], error, request.body)
          : errorPage(company, form && FORMS[form], error),
    };
    send(request, response, status, formats, headers);
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

/** The message, and what is wrong with each field, as a person reads it. */
function sentenceOf({ message, details }: HttpError): string {
  const wrong = Object.values(details.errors ?? {}).flatMap((ofField) => ofField.slice(0, 1));
  return [message, ...wrong.filter((one) => one !== message).map((one) => `${one}.`)].join(' ');
}

/** Writes the answer by hand, since Express' own way takes a tenth of the time that an enquiry takes. */
function send(request: Request, response: Response, status: number, formats: Formats, headers: object = {}): void {
  const format = JSON_ALONE.has(request.headers.accept) ? 'json' : request.accepts(['json', 'text', 'html']);
  const [type, body] =
    format === 'text'
      ? ['text/plain', formats.text()]
      : format === 'html'
        ? ['text/html', formats.html()]
        : ['application/json', JSON.stringify(formats.json())];
  response.writeHead(status, {
    'Content-Type': `${type}; charset=utf-8`,
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    Vary: 'Accept',
    'X-Request-Id': contextOf(response).requestId,
    ...headers,
  });
  response.end(body);
}
