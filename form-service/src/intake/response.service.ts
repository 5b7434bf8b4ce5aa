import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Accepted, Refused } from '../contract/answer.ts';
import { logEntryOf } from './access-log.middleware.ts';
import type { FormKind } from '../submissions/submission.ts';
import { FORMS, formOf } from './forms.ts';
import type { HttpError } from './http-error.ts';
import type { SubmitResult } from './intake.service.ts';
import { formPage } from './pages/form-page.ts';
import { errorPage, sentPage } from './pages/page.ts';

/**
 * The formats: JSON for programs, a sentence for the site's own form, and a page for a browser that posted a plain
 * form.
 */
type ResponseFormat = 'json' | 'text' | 'html';

/** Writes every answer to a submission, in the format that the client asked for. */
@Injectable()
export class ResponseService {
  accepted(request: Request, response: Response, form: FormKind, result: SubmitResult): void {
    const { reference, repeat, quarantined } = result;
    const { sent, sentDetail } = FORMS[form];
    Object.assign(logEntryOf(response), { reference, repeat, quarantined });
    send(response, 202, formatOf(request), {
      json: (): Accepted => ({ success: true, message: sent, reference }),
      text: () => `${sent} ${sentDetail} Your reference is ${reference}.`,
      html: () => sentPage(FORMS[form], reference),
    });
  }

  failed(request: Request, response: Response, error: HttpError): void {
    const { status, message, errors, retryAfterSeconds, allow } = error;
    logEntryOf(response).error = error.reason;
    if (retryAfterSeconds !== undefined) response.setHeader('Retry-After', String(retryAfterSeconds));
    if (allow !== undefined) response.setHeader('Allow', allow);
    const form = formOf(request.originalUrl);
    send(response, status, formatOf(request), {
      json: (): Refused => ({ success: false, message, ...(errors && { errors }) }),
      text: () => sentenceOf(error),
      html: () => (form && errors ? formPage(FORMS[form], error, request.body) : errorPage(form && FORMS[form], error)),
    });
  }
}

/** The contact form shows this sentence in a toast, so it names the wrong fields. */
function sentenceOf({ message, errors }: HttpError): string {
  const details = Object.values(errors ?? {}).flatMap((ofField) => ofField.slice(0, 1));
  return [message, ...details.filter((detail) => detail !== message).map((detail) => `${detail}.`)].join(' ');
}

/**
 * The format that the client asks for in `Accept`; JSON when it accepts anything, or asks for a format that does not
 * exist.
 */
function formatOf(request: Request): ResponseFormat {
  const format = request.accepts(['json', 'text', 'html']);
  return format === 'text' || format === 'html' ? format : 'json';
}

function send(
  response: Response,
  status: number,
  format: ResponseFormat,
  bodies: { json(): object; text(): string; html(): string },
): void {
  response.status(status).setHeader('Cache-Control', 'no-store');
  response.vary('Accept');
  if (format === 'json') response.json(bodies.json());
  else
    response.type(format === 'text' ? 'text/plain; charset=utf-8' : 'text/html; charset=utf-8').send(bodies[format]());
}
