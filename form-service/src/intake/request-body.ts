import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { parse } from 'node:querystring';
import { aborted, HttpError, tooManyFields } from './http-error.ts';

/** The largest body of an enquiry in bytes; its fields at their limits take about a third of it. */
const BODY_MAX_BYTES = 128 * 1024;
const FIELDS_MAX = 50;

/** The field in which a browser names the character set of a plain form that asks for it. */
const CHARSET_FIELD = '_charset_';

/** What windows-1252 has from 0x80 to 0x9F; TextDecoder of some versions of Node.js reads these as ISO 8859-1. */
const WINDOWS_1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8DŽ\x8F\x90‘’“”•–—˜™š›œ\x9DžŸ';

/**
 * Reads the body of an enquiry: JSON, or the fields of a plain form.
 *
 * @throws HttpError 400, 413 or 415
 */
export async function readEnquiry(request: IncomingMessage): Promise<unknown> {
  const parser = parserFor(request.headers['content-type']);
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
    throw new HttpError('wrong-type', 'The body must not be compressed.');
  const body = await readAll(request);
  if (body.length === 0) throw new HttpError('malformed', 'The request has no body.');
  return parser(body);
}

function parserFor(contentType = ''): (body: Buffer) => unknown {
  const charset = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(contentType)?.[1];
  if (charset !== undefined && !/^utf-?8$/i.test(charset))
    throw new HttpError('wrong-type', 'The body must be UTF-8 text.');
  switch (contentType.split(';', 1)[0]?.trim().toLowerCase()) {
    case 'application/json':
      return parseJson;
    case 'application/x-www-form-urlencoded':
      return parseForm;
    default:
      throw new HttpError('wrong-type', 'Please send the form as JSON or as application/x-www-form-urlencoded.');
  }
}

/** A body that is too large is read on without being kept, so that the client reads the answer. */
function readAll(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= BODY_MAX_BYTES) chunks.push(chunk);
      else reject(new HttpError('too-large', 'Your message is too large. Please shorten it and send it again.'));
    });
    request.once('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
    request.once('error', () => undefined);
    // Every request closes; an error, with its stack, is only made for one whose body did not end.
    request.once('close', () => request.readableEnded || reject(aborted()));
  });
}

function parseJson(body: Buffer): unknown {
  if (!isUtf8(body)) throw new HttpError('malformed', 'We could not read this request: its text is not UTF-8.');
  try {
    return JSON.parse(body.toString().replace(/^\uFEFF/, ''));
  } catch {
    throw new HttpError('malformed', 'We could not read this request: its body is not what its type says.');
  }
}

function parseForm(body: Buffer): Record<string, unknown> {
  const text = body.toString('latin1');
  if (text.split('&', FIELDS_MAX + 1).length > FIELDS_MAX) throw tooManyFields();
  const bytesOf = (part: string) =>
    part.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return decodeFields(parse(text, '&', '=', { maxKeys: 0, decodeURIComponent: bytesOf }));
}

/** Decodes the texts of a form whose strings have one character for each byte. */
export function decodeFields(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const named = Object.hasOwn(fields, CHARSET_FIELD) ? fields[CHARSET_FIELD] : undefined;
  const charset = typeof named === 'string' ? named : undefined;
  const decoded: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const [name, value] of Object.entries(fields))
    decoded[name] = typeof value === 'string' ? decodeText(value, charset) : value;
  return decoded;
}

/**
 * Decodes a text whose string has one character for each byte: as UTF-8, or, where its bytes are not UTF-8, in the
 * character set that the form names, or in windows-1252, which old programs and pages use without saying so. A text
 * that was decoded already stays as it is.
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
    // The name is unknown, or it is not the character set of this text.
  }
  return binary.replace(/[\x80-\x9F]/g, (byte) => WINDOWS_1252[byte.charCodeAt(0) - 0x80] ?? byte);
}
