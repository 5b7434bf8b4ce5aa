import type { IncomingMessage } from 'node:http';
import { HttpError } from '../http/http-error.ts';
import { serviceWords } from '../contract/service-words.ts';

const words = serviceWords('inbox').errors;

/** Maximum size of a form, the same as nginx has (`snippets/inbox.conf`). */
const FORM_MAX_CHARS = 16_384;

/** Reads the fields of a plain form. Reads an oversized body to its end and discards it. @throws HttpError 413 */
export async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  let text = '';
  for await (const chunk of request.setEncoding('latin1')) if (text.length <= FORM_MAX_CHARS) text += String(chunk);
  if (text.length > FORM_MAX_CHARS) throw new HttpError('too-large', words.tooLarge);
  return new URLSearchParams(text);
}

/** Returns the text of a field: line feeds only, spaces for tabs, and no other control characters. */
export const textOf = (form: URLSearchParams, field: string): string =>
  (form.get(field) ?? '')
    .replace(/\r\n?/g, '\n')
    .replaceAll('\t', ' ')
    .replace(/(?!\n)\p{Cc}/gu, '')
    .trim();
