import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Accepted, Refused } from '../../contract/answer.ts';
import { FORMS, formOf, type FormKind } from '../form-kind.ts';
import { errorPage } from '../pages/error-page.ts';
import { formPage } from '../pages/form-page.ts';
import { sentPage } from '../pages/sent-page.ts';
import type { Refusal } from '../refusal.ts';
import { traceOf } from '../request-trace.ts';
import type { Receipt } from '../submission-intake.ts';
import { answerFormat, type AnswerFormat } from './answer-format.ts';

/** Writes every answer of the two calls, in the format that the client asked for. */
@Injectable()
export class AnswerWriter {
  accepted(request: Request, response: Response, form: FormKind, receipt: Receipt): void {
    const { reference, repeat, setAside } = receipt;
    const { sent, sentDetail } = FORMS[form];
    Object.assign(traceOf(response), { reference, repeat, setAside });
    send(response, 202, answerFormat(request), {
      json: (): Accepted => ({ success: true, message: sent, reference }),
      text: () => `${sent} ${sentDetail} Your reference is ${reference}.`,
      html: () => sentPage(FORMS[form], reference),
    });
  }

  refused(request: Request, response: Response, refusal: Refusal): void {
    const { status, message, errors, retryAfterSeconds, allow } = refusal;
    traceOf(response).refusal = refusal.reason;
    if (retryAfterSeconds !== undefined) response.setHeader('Retry-After', String(retryAfterSeconds));
    if (allow !== undefined) response.setHeader('Allow', allow);
    const form = formOf(request.originalUrl);
    send(response, status, answerFormat(request), {
      json: (): Refused => ({ success: false, message, ...(errors && { errors }) }),
      text: () => sentenceOf(refusal),
      html: () => (form && errors ? formPage(FORMS[form], refusal, request.body) : errorPage(form && FORMS[form], refusal)),
    });
  }
}

/** The toast of the contact form shows this after the status, so it says which fields are wrong. */
function sentenceOf({ message, errors }: Refusal): string {
  const details = Object.values(errors ?? {}).flatMap((ofField) => ofField.slice(0, 1));
  return [message, ...details.filter((detail) => detail !== message).map((detail) => `${detail}.`)].join(' ');
}

function send(response: Response, status: number, format: AnswerFormat, bodies: { json(): object; text(): string; html(): string }): void {
  response.status(status).setHeader('Cache-Control', 'no-store');
  response.vary('Accept');
  if (format === 'json') response.json(bodies.json());
  else response.type(format === 'text' ? 'text/plain; charset=utf-8' : 'text/html; charset=utf-8').send(bodies[format]());
}
