import { words } from '../../form-service/test/words.ts';
import { expect, NginxServer, test } from './server.ts';

const PAGES = { '/': 'Home', '/about': 'About', '/services': 'Services', '/services/web-development': 'Web' };

const REDIRECTS = {
  '/about/': '/about',
  '/services/web-development/': '/services/web-development',
  '/about.html': '/about',
  '/index.html': '/',
  '/index': '/',
  '/about/?from=mail&x=%2F': '/about?from=mail&x=%2F',
  '/about.html?a=b': '/about?a=b',
  '/About': '/about',
  '/SERVICES/Web-Development/': '/services/web-development',
  '/about%20': '/about',
  '/about%C2%A0%0A': '/about',
  '/about%E2%80%8B?a=b': '/about?a=b',
  '//about': '/about',
  '/services//web-development': '/services/web-development',
  '//': '/',
};

const MISSING =
  '/nothing /404 /404.html /.secret /assets/app-AbCd1234.js.map /about.html.gz /about.html.br /assets/ /about/../.secret';

/** Attempts at open redirects and header injection. */
const INJECTIONS =
  '/x%0d%0aSet-Cookie:a=b/ //evil.example/ /%2Fevil.example/ /%5cevil.example/ /https:%2f%2fevil.example/';

test('page > is served at its canonical address and revalidated', async ({ nginx }) => {
  for (const [path, heading] of Object.entries(PAGES)) {
    const answer = await nginx.request(path);
    expect(answer).toMatchObject({ status: 200, body: `<h1>${heading}</h1>` });
    expect(answer.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
    });
    const again = await nginx.request(path, { headers: { 'if-none-match': String(answer.headers.etag) } });
    expect(again.status).toBe(304);
  }
});

test('page > redirects other addresses to the canonical one', async ({ nginx }) => {
  for (const [from, to] of Object.entries(REDIRECTS)) {
    const { status, headers } = await nginx.request(from);
    expect([status, headers.location], from).toEqual([301, to]);
  }
});

test('unknown and private paths > answer 404', async ({ nginx }) => {
  for (const path of MISSING.split(' ')) {
    const { status, headers, body } = await nginx.request(path);
    expect([301, 404], path).toContain(status);
    if (status === 404) expect(body, path).toContain('404 Page Not Found');
    expect(headers['cache-control'], path).toBe(status === 404 ? 'no-store, no-transform' : 'no-cache, no-transform');
    expect(body, path).not.toContain('secret');
  }
  for (const path of INJECTIONS.split(' ')) {
    const { status, headers } = await nginx.request(path);
    expect([status, headers.location, headers['set-cookie']], path).toEqual([404, undefined, undefined]);
  }
});

/** Attempts at path traversal, and paths that are not public. */
const TRAVERSALS = String.raw`/../../../../etc/passwd /..%2f..%2f..%2fetc/passwd /%2e%2e/%2e%2e/etc/passwd /assets/..%5c..%5cetc%5cpasswd
/images/%252e%252e/%252e%252e/etc/passwd /assets/../../package.json /.env /.git/config /.well-known/../.env /%00 /about%00.html
/-/error/html /-/error/json /about%0d%0aX-Injected:%20yes.html /index.html.br /~root /%c0%ae%c0%ae/etc/passwd /%ff%fe`;

test('path traversal > reaches nothing outside the site', async ({ nginx }) => {
  for (const path of TRAVERSALS.split(/\s/)) {
    const { status, headers, body } = await nginx.request(path);
    expect([301, 400, 404], path).toContain(status);
    expect(headers['x-injected'], path).toBeUndefined();
    expect(headers.location ?? '/', path).toMatch(/^\/(?![/\\])/);
    expect(body, path).not.toContain('root:x:');
  }
});

test('cache > keeps hashed files for a year, images for a day, errors never', async ({ nginx }) => {
  const kept = async (path: string) => (await nginx.request(path)).headers['cache-control'];
  expect(await kept('/assets/app-AbCd1234.js')).toBe('public, max-age=31536000, immutable');
  expect(await kept('/images/hero.svg')).toContain('max-age=86400');
  expect(await kept('/assets/app-00000000.js')).toBe('no-store, no-transform');
  expect((await nginx.request('/assets/app-00000000.js')).status).toBe(404);
  expect((await nginx.request('/.well-known/security.txt')).status).toBe(200);
});

test('cache > does not keep an error in the place of a file', async ({ nginx }) => {
  const path = '/assets/app-AbCd1234.js';
  const differs = await nginx.request(path, { headers: { 'if-match': '"another"' } });
  expect([differs.status, differs.headers['cache-control']]).toEqual([412, 'no-store, no-transform']);
  expect(differs.body).toContain(words.errors.server.changed);
});

test('page > is encoded as the visitor accepts it', async ({ nginx }) => {
  const plain = await NginxServer.start({ variables: { NGINX_MODULES_DIR: '' } });
  for (const [server, accepted, encoding] of [
    [nginx, 'br, gzip', 'br'],
    [nginx, 'gzip', 'gzip'],
    [nginx, 'identity', undefined],
    // Not every nginx has the module of brotli.
    [plain, 'br, gzip', 'gzip'],
  ] as const) {
    const { headers } = await server.request('/about', { headers: { 'accept-encoding': accepted } });
    expect([accepted, headers['content-encoding']]).toEqual([accepted, encoding]);
    expect(headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', vary: 'Accept-Encoding' });
  }
  await plain.close();
});
