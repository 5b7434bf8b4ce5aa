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

/** Clears a cookie if the browser has it. */
export function clearCookie(request: Request, response: Response, name: string): void {
  const fullName = nameOf(request, name);
  if (pairsOf(request).some((pair) => pair.startsWith(`${fullName}=`)))
    response.clearCookie(fullName, optionsOf(request));
}

/**
 * Cookies of a request. `trim` would also remove a no-break space, which browsers take for a part of the name: a subdomain
 * could set such a cookie, and it would pass for one with the prefix `__Host-`.
 */
const pairsOf = (request: Request) => (request.get('cookie') ?? '').split(/; */);

/** Returns the value of a cookie, or an empty string. */
export function readCookie(request: Request, name: string): string {
  const prefix = `${nameOf(request, name)}=`;
  return (
    pairsOf(request)
      .find((pair) => pair.startsWith(prefix))
      ?.slice(prefix.length) ?? ''
  );
}

/** Returns the MAC of a text (HMAC-SHA256). */
const macOf = (text: string, key: string) => createHmac('sha256', key).update(text).digest('base64url');

/** Whether the MAC is that of the text. Compares in constant time (timing attack). */
function isMacOf(mac: string, text: string, key: string): boolean {
  const [given, expected] = [Buffer.from(mac), Buffer.from(macOf(text, key))];
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** Signs the content of a cookie. */
export function sign(content: object, key: string): string {
  const text = Buffer.from(JSON.stringify(content)).toString('base64url');
  return `${text}.${macOf(text, key)}`;
}

/** Returns the content of a cookie, or undefined if it was not signed with this key. */
export function readSigned<Content extends object>(value: string, key: string): Content | undefined {
  const [text = '', mac = ''] = value.split('.');
  return isMacOf(mac, text, key) ? (unverifiedContent<Content>(value) as Content) : undefined;
}

/** Returns the content of a cookie that anybody may have written. */
export function unverifiedContent<Content extends object>(value: string): Partial<Content> {
  try {
    const content: unknown = JSON.parse(Buffer.from(value.split('.', 1)[0] ?? '', 'base64url').toString());
    return typeof content === 'object' && content !== null ? content : {};
  } catch {
    return {};
  }
}
