import type { IncomingMessage } from 'node:http';
import type { Request } from 'express';
import { serviceWords } from '../contract/service-words.ts';
import { HttpError } from '../http/http-error.ts';

/** Whether the connection from the browser is confidential: over TLS, or on this machine itself. */
export function isPrivateConnection(request: Request): boolean {
  const scheme = request.get('x-forwarded-proto');
  return (
    scheme === 'https' || /^(?:(?:[\w-]+\.)?localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/.test(request.get('host') ?? '')
  );
}

/** Paths of files. A link on another site must not start their download, which the history has. */
const FILE = /\/(?:export\.csv|resume|view)\/?$/i;

/** Path of the request, without the query. */
export const pathOf = ({ originalUrl }: Request) => originalUrl.replace(/\?.*/s, '');

const isRead = ({ method }: Request) => method === 'GET' || method === 'HEAD';

/** Whether a request asks for a page, not for a file or a change. */
export const isForPage = (request: Request) => isRead(request) && !FILE.test(pathOf(request));

/**
 * CSRF guard: a change must come from a page of the inbox. Another site may link to a page, and may neither embed it nor
 * start a download. Browsers without `Sec-Fetch-Site` (Safari before 16.4) name the origin of a POST. Browsers with it say
 * `Origin: null` for our own page if a proxy has set `Referrer-Policy: no-referrer`.
 */
export function isFromOurPages(request: Request): boolean {
  const site = request.get('sec-fetch-site');
  if (isRead(request)) {
    const isLink = request.get('sec-fetch-dest') === 'document' && isForPage(request);
    return site === undefined || site === 'same-origin' || site === 'none' || isLink;
  }
  const origin = request.get('origin');
  if (site === undefined) return origin !== undefined && originOf(origin) === ownOrigin(request);
  const isUnnamed = origin === undefined || origin === 'null';
  const hasOurHost = isUnnamed || (URL.canParse(origin) && new URL(origin).hostname === request.hostname);
  return site === 'same-origin' && hasOurHost;
}

/**
 * Whether a browser opens the answer as a page of its own. Scripts of our own host, such as an analytics script, share the
 * session: so no fetch, frame, image or script may read or change anything. A browser without these headers is not asked.
 *
 * Chromium saves a file without a page: "Save link as", and the button of its PDF viewer. Scripts cannot read a download,
 * and cannot fetch with this mode.
 */
export function isNavigation(request: Request): boolean {
  const isDownload = request.get('sec-fetch-dest') === 'empty' && isRead(request) && !isForPage(request);
  return (
    (isDownload || (request.get('sec-fetch-dest') ?? 'document') === 'document') &&
    (request.get('sec-fetch-mode') ?? 'navigate') === 'navigate'
  );
}

/** Scheme, host and port under which the browser sees the inbox. nginx passes them on. */
export function ownOrigin(request: Request): string | undefined {
  return originOf(`${request.get('x-forwarded-proto') ?? 'http'}://${hostOf(request)}`);
}

/** Host and port under which the browser sees the inbox. */
export const hostOf = (request: Request) => request.get('x-forwarded-host') ?? request.get('host') ?? '';

/** Origin of a URL, without the default port; undefined for text that is no URL. */
const originOf = (url: string): string | undefined => (URL.canParse(url) ? new URL(url).origin : undefined);

/** A path of the inbox, as nginx passes it on, and a query of printable characters. */
const RETURN_PATH = /^\/inbox(?:\/[A-Za-z0-9_-]+)*(?:\?[\x21-\x7E]*)?$/;

/** Returns the page to open after the sign-in. Anything but a path of the inbox is replaced (open redirect). */
export const returnPath = (text: unknown): string =>
  typeof text === 'string' && text.length <= 1_000 && RETURN_PATH.test(text) ? text : '/inbox';

/**
 * Returns the page that leads back to what a request asked for before the sign-in: a page itself; for a file or a change,
 * the page that has its link or button.
 */
export const returnPathOf = (request: Request): string =>
  returnPath(isForPage(request) ? request.originalUrl : pathOf(request).replace(/\/[^/]*\/?$/, ''));

/** Maximum size of a form, the same as nginx has (`snippets/inbox.conf`). */
const FORM_MAX_CHARS = 16_384;

/** Reads the fields of a plain form. Reads an oversized body to its end and discards it. @throws HttpError 413 */
export async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  let text = '';
  for await (const chunk of request.setEncoding('latin1')) if (text.length <= FORM_MAX_CHARS) text += String(chunk);
  if (text.length > FORM_MAX_CHARS) throw new HttpError('too-large', serviceWords('inbox').errors.tooLarge);
  return new URLSearchParams(text);
}

/** Returns the text of a field: line feeds only, spaces for tabs, and no other control characters. */
export const textOf = (form: URLSearchParams, field: string): string =>
  (form.get(field) ?? '')
    .replace(/\r\n?/g, '\n')
    .replaceAll('\t', ' ')
    .replace(/(?!\n)\p{Cc}/gu, '')
    .trim();
