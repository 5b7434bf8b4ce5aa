import { createCipheriv, createDecipheriv, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
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

/** Returns the names of the request's cookies that are `prefix` and a text of base64url. */
export function cookieNames(request: Request, prefix: string): string[] {
  const start = nameOf(request, prefix);
  return pairsOf(request)
    .filter((pair) => pair.startsWith(start))
    .flatMap((pair) => /^([\w-]+)=/.exec(pair.slice(start.length))?.[1] ?? [])
    .map((rest) => prefix + rest);
}

export type Key = string | Buffer;

/** Returns the MAC of a text (HMAC-SHA256). */
export const macOf = (text: string, key: Key) => createHmac('sha256', key).update(text).digest('base64url');

/** Whether the MAC is that of the text. Compares in constant time (timing attack). */
export function isMacOf(mac: string, text: string, key: Key): boolean {
  const [given, expected] = [Buffer.from(mac), Buffer.from(macOf(text, key))];
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** Signs the content of a cookie. */
export function sign(content: object, key: Key): string {
  const text = Buffer.from(JSON.stringify(content)).toString('base64url');
  return `${text}.${macOf(text, key)}`;
}

/** Returns the content of a cookie, or undefined if it was not signed with this key. */
export function readSigned<Content extends object>(value: string, key: Key): Content | undefined {
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

const CIPHER = 'aes-256-gcm';
const [IV_BYTES, TAG_BYTES] = [12, 16];

/** Encrypts and authenticates the content of a cookie (AES-256-GCM). @param key 32 bytes */
export function seal(content: object, key: Buffer): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES });
  const sealed = Buffer.concat([cipher.update(JSON.stringify(content)), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url');
}

/** Returns the content of a sealed cookie, or undefined if it was not sealed with this key. */
export function unseal<Content extends object>(value: string, key: Buffer): Content | undefined {
  const bytes = Buffer.from(value, 'base64url');
  const [iv, rest] = [bytes.subarray(0, IV_BYTES), bytes.subarray(IV_BYTES)];
  if (rest.length < TAG_BYTES) return undefined;
  const decipher = createDecipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES });
  decipher.setAuthTag(rest.subarray(0, TAG_BYTES));
  try {
    return JSON.parse(decipher.update(rest.subarray(TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')) as Content;
  } catch {
    return undefined;
  }
}
