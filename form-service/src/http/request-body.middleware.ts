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

/** Field in which a browser names the character set of a plain form (HTML, `_charset_`). */
const CHARSET_FIELD = '_charset_';

/** windows-1252 from 0x80 to 0x9F. TextDecoder of some versions of Node.js decodes these bytes as ISO 8859-1. */
const WINDOWS_1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8DŽ\x8F\x90‘’“”•–—˜™š›œ\x9DžŸ';

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
  return parser(body);
}

function parserFor(contentType = ''): (body: Buffer) => unknown {
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

function parseJson(body: Buffer): unknown {
  if (!isUtf8(body)) throw new HttpError('malformed', words.textNotUtf8);
  try {
    return JSON.parse(body.toString().replace(/^\uFEFF/, ''));
  } catch {
    throw new HttpError('malformed', words.otherType);
  }
}

function parseForm(body: Buffer): Record<string, unknown> {
  const text = body.toString('latin1');
  if (text.split('&', FIELDS_MAX + 1).length > FIELDS_MAX) throw tooManyFields();
  const bytesOf = (part: string) =>
    part.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return decodeFields(parse(text, '&', '=', { maxKeys: 0, decodeURIComponent: bytesOf }));
}

/** Decodes the values of a form that was parsed as latin1. */
export function decodeFields(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const named = Object.hasOwn(fields, CHARSET_FIELD) ? fields[CHARSET_FIELD] : undefined;
  const charset = typeof named === 'string' ? named : undefined;
  const decoded: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const [name, value] of Object.entries(fields))
    decoded[name] = typeof value === 'string' ? decodeText(value, charset) : value;
  return decoded;
}

/**
 * Decodes a text that was parsed as latin1: as UTF-8, else in the character set that the form names, else as
 * windows-1252, which old programs use without declaring it. Text that is decoded already is returned unchanged.
 */
export function decodeText(binary: string, charset?: string): string {
  // oxlint-disable-next-line no-control-regex -- these are bytes
  if (!/[^\0-\x7F]/.test(binary) || /[^\0-\xFF]/.test(binary)) return binary;
  const bytes = Buffer.from(binary, 'latin1');
  if (isUtf8(bytes)) return bytes.toString();
  try {
    const decoder = new TextDecoder(charset, { fatal: true });
    if (decoder.encoding !== 'windows-1252') return decoder.decode(bytes);
  } catch {
    // Unknown name, or not the character set of this text.
  }
  return binary.replace(/[\x80-\x9F]/g, (byte) => WINDOWS_1252[byte.charCodeAt(0) - 0x80] ?? byte);
}
