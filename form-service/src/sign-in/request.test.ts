import { describe, expect, it } from '@jest/globals';
import type { Request } from 'express';
import { isFromOurPages, isNavigation, isPrivateConnection, returnPath, returnPathOf } from './request.ts';

type Headers = Readonly<Record<string, string | undefined>>;

const HOST = 'www.kitewright.example';
const OURS = `https://${HOST}`;
const PAGE = '/inbox/KW-3F9K-Q7TM-X2VD-8HNC';

/** A request as nginx passes it on from a visitor over TLS. */
const requestOf = (method: string, originalUrl: string, headers: Headers = {}): Request => {
  const all: Headers = { host: HOST, 'x-forwarded-host': HOST, 'x-forwarded-proto': 'https', ...headers };
  return { method, originalUrl, hostname: HOST, get: (name: string) => all[name] } as unknown as Request;
};

const fetched = (site: string | undefined, dest?: string, mode?: string): Headers => ({
  'sec-fetch-site': site,
  'sec-fetch-dest': dest,
  'sec-fetch-mode': mode,
});

describe('change in the inbox', () => {
  it('is accepted from a page of the inbox only > all origins and sites', () => {
    const origins = [undefined, '', 'null', OURS, `http://${HOST}`, `${OURS}:8443`, 'https://evil.example', 'no URL'];
    for (const origin of origins)
      for (const site of [undefined, 'same-origin', 'same-site', 'cross-site', 'none', 'other']) {
        // A browser does not know a proxy's scheme or port, so with its own verdict only the host is compared.
        const hasOurHost = origin === undefined || origin === 'null' || URL.parse(origin)?.hostname === HOST;
        const isOurs = site === undefined ? origin === OURS : site === 'same-origin' && hasOurHost;
        const request = requestOf('POST', `${PAGE}/release`, { origin, ...fetched(site) });
        expect([origin, site, isFromOurPages(request)]).toEqual([origin, site, isOurs]);
      }
  });
});

describe('page or file of the inbox', () => {
  it.each([
    ['/inbox', fetched('cross-site', 'document'), true],
    [`${PAGE}?from=mail`, fetched('cross-site', 'document'), true],
    ['/inbox', fetched('cross-site', 'image'), false],
    [PAGE, fetched('cross-site', 'iframe'), false],
    ['/inbox/export.csv', fetched('cross-site', 'document'), false],
    ['/inbox/EXPORT.csv/?q=x', fetched('cross-site', 'document'), false],
    [`${PAGE}/view`, fetched('cross-site', 'document'), false],
    [`${PAGE}/resume/`, fetched('same-site', 'document'), false],
    [`${PAGE}/resume`, fetched('same-origin', 'document'), true],
    ['/inbox/export.csv', fetched('none', 'document'), true],
    ['/inbox/export.csv', fetched(undefined), true],
  ])('is reached by a link of another site > %s, %j: %s', (path, headers, isOurs) => {
    expect([isFromOurPages(requestOf('GET', path, headers)), isFromOurPages(requestOf('HEAD', path, headers))]).toEqual(
      [isOurs, isOurs],
    );
  });

  it.each([
    ['GET', '/inbox', 'document', 'navigate', true],
    ['POST', `${PAGE}/note`, 'document', 'navigate', true],
    ['POST', '/inbox/sign-in', undefined, undefined, true],
    ['GET', '/inbox', 'iframe', 'navigate', false],
    ['GET', '/inbox/export.csv', 'empty', 'cors', false],
    ['GET', PAGE, '', undefined, false],
    ['POST', '/inbox/sign-out', 'empty', 'cors', false],
    ['POST', '/inbox/sign-in', undefined, 'no-cors', false],
    ['POST', `${PAGE}/note`, undefined, '', false],
    // Chromium's PDF viewer sends the request again to save, and so does "Save link as".
    ['GET', `${PAGE}/resume`, 'empty', 'navigate', true],
    ['GET', `${PAGE}/view`, 'empty', 'navigate', true],
    ['GET', PAGE, 'empty', 'navigate', false],
    ['POST', `${PAGE}/resume`, 'empty', 'navigate', false],
  ])('is opened as a page of its own > %s %s as %s, %s: %s', (method, path, dest, mode, isOpened) => {
    expect(isNavigation(requestOf(method, path, fetched('same-origin', dest, mode)))).toBe(isOpened);
  });

  it.each([
    ['https', HOST, true],
    ['http', HOST, false],
    [undefined, HOST, false],
    ['http', '127.0.0.1:8080', true],
    [undefined, 'inbox.localhost:8080', true],
    ['http', '[::1]', true],
    ['http', 'localhost.evil.example', false],
  ])('has a private connection > %s to %s: %s', (scheme, host, isPrivate) => {
    expect(isPrivateConnection(requestOf('GET', '/inbox', { 'x-forwarded-proto': scheme, host }))).toBe(isPrivate);
  });
});

describe('page after the sign-in', () => {
  it.each([
    '//evil.example',
    '/inbox//evil.example',
    '/inbox/../x',
    '/inboxes',
    '/inbox\r\nSet-Cookie: a=b',
    'javascript:alert(1)',
    `/inbox?${'a'.repeat(1_000)}`,
    ['/inbox/x'],
  ])('is the list and not %j', (to) => {
    expect(returnPath(to)).toBe('/inbox');
  });

  it.each([
    ['GET', '/inbox?q=a%26b&state=failed', '/inbox?q=a%26b&state=failed'],
    ['GET', `${PAGE}/erase`, `${PAGE}/erase`],
    ['GET', '/inbox/export.csv?q=x', '/inbox'],
    ['GET', `${PAGE}/resume`, PAGE],
    ['GET', `${PAGE}/view`, PAGE],
    ['POST', `${PAGE}/release`, PAGE],
    ['POST', '/inbox/sign-out', '/inbox'],
  ])('of %s %s is %s', (method, path, to) => {
    expect(returnPathOf(requestOf(method, path))).toBe(to);
  });
});
