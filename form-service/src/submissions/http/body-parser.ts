import { Injectable, type NestMiddleware } from '@nestjs/common';
import express, { type NextFunction, type Request, type Response } from 'express';
import { Refusal } from '../refusal.ts';

/** Largest body of an enquiry, in bytes; its fields at their limits take about a third of it. */
const BODY_MAX_BYTES = 128 * 1024;

const parseJson = express.json({ limit: BODY_MAX_BYTES, inflate: false, strict: false });
const parseForm = express.urlencoded({ limit: BODY_MAX_BYTES, inflate: false, extended: false, parameterLimit: 50 });

/** The parser would decode any character set whose name begins with `utf-`, UTF-7 among them. */
const OTHER_CHARSET = /;\s*charset\s*=\s*(?!"?utf-8"?\s*(?:;|$))/i;

const ONLY_UTF8 = 'The body must be UTF-8 text and not compressed.';

/** Reads the body of an enquiry: JSON, or what a plain HTML form posts. Its errors are told in our own words. */
@Injectable()
export class BodyParser implements NestMiddleware {
  use(request: Request, response: Response, next: NextFunction): void {
    const parse = request.is('application/json') ? parseJson : request.is('application/x-www-form-urlencoded') ? parseForm : undefined;
    if (request.get('content-length') === '0') throw Refusal.malformed('The request has no body.');
    if (OTHER_CHARSET.test(request.get('content-type') ?? '')) throw Refusal.unsupported(ONLY_UTF8);
    if (parse) return parse(request, response, (error?: unknown) => next(error === undefined ? missingBody(request) : refusalOf(error)));
    if (request.is('*/*') === null) throw Refusal.malformed('The request has no body.');
    throw Refusal.unsupported('Please send the form as JSON or as application/x-www-form-urlencoded.');
  }
}

function missingBody(request: Request): Refusal | undefined {
  return request.body === undefined ? Refusal.malformed('The request has no body.') : undefined;
}

/** The parser's errors are those of `http-errors`: a status and a type; their messages may quote the body. */
function refusalOf(error: unknown): unknown {
  const { status, type } = error as { status?: number; type?: string };
  if (type === 'request.aborted') return new Refusal(400, 'aborted', 'The request ended before its body did.');
  if (type === 'parameters.too.many') return Refusal.tooLarge('The form has too many fields.');
  if (status === 413) return Refusal.tooLarge('Your message is too large. Please shorten it and send it again.');
  if (status === 415) return Refusal.unsupported(ONLY_UTF8);
  if (status === 400) return Refusal.malformed('We could not read this request: its body is not what its type says.');
  return error;
}
