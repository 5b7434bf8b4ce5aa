import { createHmac, timingSafeEqual } from 'node:crypto';
import type { CookieOptions, Request, Response } from 'express';

/**
 * Browsers accept a `__Host-` cookie only over TLS and without a domain, so that neither another subdomain nor the
 * network can set it. Plain HTTP is only used on this machine, where the name has no prefix.
 */
const isOverTls = (request: Request) => request.get('x-forwarded-proto') === 'https';
const nameOf = (request: Request, name: string) => (isOverTls(request) ? `__Host-${name}` : name);

/** `Lax`: links in mails open the page signed in, and forms of other sites are sent without the cookie (CSRF). */
const optionsOf = (request: Request): CookieOptions => ({
  httpOnly: true,
  secure: isOverTls(request),
  sameSite: 'lax',
  path: '/',
});

/** Sets a cookie that scripts cannot read. @param maxAge in milliseconds; by default until the browser ends */
export function setCookie(request: Request, response: Response, name: string, value: string, maxAge?: number): void {
  response.cookie(nameOf(request, name), value, { ...optionsOf(request), ...(maxAge && { maxAge }) });
}

export function clearCookie(request: Request, response: Response, name: string): void {
  response.clearCookie(nameOf(request, name), optionsOf(request));
}

/** Returns the value of a cookie, or an empty string. */
export function readCookie(request: Request, name: string): string {
  const prefix = `${nameOf(request, name)}=`;
  // `trim` would also remove a no-break space, which browsers take for a part of the name: a subdomain could set such a
  // cookie, and it would pass for one with the prefix `__Host-`.
  const pairs = (request.get('cookie') ?? '').split(/; */);
  return pairs.find((pair) => pair.startsWith(prefix))?.slice(prefix.length) ?? '';
}

const macOf = (text: string, key: string) => createHmac('sha256', key).update(text).digest('base64url');

/** Signs the content of a cookie (HMAC-SHA256). */
export function sign(content: object, key: string): string {
  const text = Buffer.from(JSON.stringify(content)).toString('base64url');
  return `${text}.${macOf(text, key)}`;
}

/** Whether a cookie was signed with this key. Compares in constant time (timing attack). */
export function isSigned(value: string, key: string): boolean {
  const [text = '', mac = ''] = value.split('.');
  const [given, expected] = [Buffer.from(mac), Buffer.from(macOf(text, key))];
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** Reads the content of a cookie. Verify its signature before you trust it. */
export function contentOf<Content extends object>(value: string): Partial<Content> {
  try {
    const content: unknown = JSON.parse(Buffer.from(value.split('.', 1)[0] ?? '', 'base64url').toString());
    return typeof content === 'object' && content !== null ? content : {};
  } catch {
    return {};
  }
}
