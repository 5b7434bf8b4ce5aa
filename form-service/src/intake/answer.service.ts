import { Inject, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { SETTINGS, type Settings } from '../config/settings.ts';
import type { Accepted, Refused } from '../contract/answer.ts';
import type { FormKind } from '../submissions/submission.ts';
import { FORMS, formOf } from './forms.ts';
import type { HttpError } from './http-error.ts';
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

/** Writes every answer to a submission, in the format that the client asks for in `Accept`. */
@Injectable()
export class AnswerService {
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

  failed(request: Request, response: Response, error: HttpError): void {
    const { status, message, errors, retryAfterSeconds, allow } = error;
    contextOf(response).error = error.reason;
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
}

/** The message, and what is wrong with each field, as a person reads it. */
function sentenceOf({ message, errors }: HttpError): string {
  const details = Object.values(errors ?? {}).flatMap((ofField) => ofField.slice(0, 1));
  return [message, ...details.filter((detail) => detail !== message).map((detail) => `${detail}.`)].join(' ');
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
