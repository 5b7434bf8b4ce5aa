import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { parse } from 'node:querystring';
import { Injectable, type NestMiddleware } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { aborted, HttpError, tooManyFields } from './http-error.ts';
import { serviceWords } from '../contract/service-words.ts';

const words = serviceWords('errors');

/** Maximum size of an enquiry's body. Fields at their limits take about a third of it. */
const BODY_MAX_BYTES = 128 * 1024;
const FIELDS_MAX = 50;

/** Reads the body of an enquiry: JSON or a plain form. */
@Injectable()
export class RequestBodyMiddleware implements NestMiddleware {
  /** @throws HttpError 400, 413 or 415 */
  async use(request: Request, _response: Response, next: NextFunction): Promise<void> {
    if (request.method === 'POST') request.body = await readBody(request);
    next();
  }
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const parser = parserFor(request.headers['content-type']);
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
    throw new HttpError('wrong-type', words.compressed);
  const body = await readAll(request);
  if (body.length === 0) throw new HttpError('malformed', words.noBody);
  if (!isUtf8(body)) throw new HttpError('malformed', words.textNotUtf8);
  return parser(body.toString());
}

function parserFor(contentType = ''): (text: string) => unknown {
  const charset = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(contentType)?.[1];
  if (charset !== undefined && !/^utf-?8$/i.test(charset)) throw new HttpError('wrong-type', words.notUtf8);
  switch (contentType.split(';', 1)[0]?.trim().toLowerCase()) {
    case 'application/json':
      return parseJson;
    case 'application/x-www-form-urlencoded':
      return parseForm;
    default:
      throw new HttpError('wrong-type', words.typeOfForm);
  }
}

/** Reads the body. Drains one that is too large without storing it, so that the client reads the response. */
function readAll(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= BODY_MAX_BYTES) chunks.push(chunk);
      else reject(new HttpError('too-large', words.tooLarge));
    });
    request.once('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
    request.once('error', () => undefined);
    // Every request closes. Creates the error, with its costly stack, only if the body is incomplete.
    request.once('close', () => request.readableEnded || reject(aborted()));
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    throw new HttpError('malformed', words.otherType);
  }
}

function parseForm(text: string): unknown {
  if (text.split('&', FIELDS_MAX + 1).length > FIELDS_MAX) throw tooManyFields();
  return parse(text, '&', '=', { maxKeys: 0 });
}
