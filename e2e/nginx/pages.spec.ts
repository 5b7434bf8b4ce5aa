import { expect, test } from './server.ts';

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

/** Paths that would like to be a redirect to elsewhere, or a header. */
const TRICKS = '/x%0d%0aSet-Cookie:a=b/ //evil.example/ /%2Fevil.example/ /%5cevil.example/ /https:%2f%2fevil.example/';

test('A page is served at its canonical address, and checked again each time.', async ({ nginx }) => {
  for (const [path, heading] of Object.entries(PAGES)) {
    const answer = await nginx.ask(path);
    expect(answer).toMatchObject({ status: 200, body: `<h1>${heading}</h1>` });
    expect(answer.headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' });
    const again = await nginx.ask(path, { headers: { 'if-none-match': String(answer.headers.etag) } });
    expect(again.status).toBe(304);
  }
});

test('Other addresses of a page redirect to the canonical one.', async ({ nginx }) => {
  for (const [from, to] of Object.entries(REDIRECTS)) {
    const { status, headers } = await nginx.ask(from);
    expect([status, headers.location], from).toEqual([301, to]);
  }
});

test('What is no page is not found, and nothing private is served.', async ({ nginx }) => {
  for (const path of MISSING.split(' ')) {
    const { status, headers, body } = await nginx.ask(path);
    expect([301, 404], path).toContain(status);
    if (status === 404) expect(body, path).toContain('404 Page Not Found');
    expect(headers['cache-control'], path).toBe(status === 404 ? 'no-store' : 'no-cache');
    expect(body, path).not.toContain('secret');
  }
  for (const path of TRICKS.split(' ')) {
    const { status, headers } = await nginx.ask(path);
    expect([status, headers.location, headers['set-cookie']], path).toEqual([404, undefined, undefined]);
  }
});

/** Ways to leave the folder of the pages, or to reach what is not public. */
const TRAVERSALS = String.raw`/../../../../etc/passwd /..%2f..%2f..%2fetc/passwd /%2e%2e/%2e%2e/etc/passwd /assets/..%5c..%5cetc%5cpasswd
/images/%252e%252e/%252e%252e/etc/passwd /assets/../../package.json /.env /.git/config /.well-known/../.env /%00 /about%00.html
/-/error/html /-/error/json /api/../metrics /api/%2e%2e/metrics /api/..;/metrics /api/health/ready /api/contact/../../health/live
/about%0d%0aX-Injected:%20yes.html /index.html.br /~root /%c0%ae%c0%ae/etc/passwd /%ff%fe /api/form-token%0d%0aX-Injected:1`;

test('No path leads out of the pages or to what is not public.', async ({ nginx }) => {
  const reached: (string | undefined)[] = [];
  nginx.upstream = ({ url }, response) => {
    reached.push(url);
    response.writeHead(404).end();
  };
  for (const path of TRAVERSALS.split(/\s/)) {
    const { status, headers, body } = await nginx.ask(path);
    expect([301, 400, 404], path).toContain(status);
    expect(headers['x-injected'], path).toBeUndefined();
    expect(headers.location ?? '/', path).toMatch(/^\/(?![/\\])/);
    expect(body, path).not.toContain('root:x:');
  }
  expect(reached.filter((url) => !url?.startsWith('/api/'))).toEqual([]);
});

test('A page is read, nothing else.', async ({ nginx }) => {
  const answer = await nginx.ask('/about', { method: 'POST', body: 'a=b' });
  expect(answer).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } });
});

test('A file with a hash in its name is kept for a year, an image for a day, and a missing one not at all.', async ({
  nginx,
}) => {
  const kept = async (path: string) => (await nginx.ask(path)).headers['cache-control'];
  expect(await kept('/assets/app-AbCd1234.js')).toBe('public, max-age=31536000, immutable');
  expect(await kept('/images/hero.svg')).toContain('max-age=86400');
  expect(await kept('/assets/app-00000000.js')).toBe('no-store');
  expect((await nginx.ask('/assets/app-00000000.js')).status).toBe(404);
  expect((await nginx.ask('/.well-known/security.txt')).status).toBe(200);
});

test('An error in the place of a file is not kept in its place, whatever was asked for.', async ({ nginx }) => {
  const path = '/assets/app-AbCd1234.js';
  const differs = await nginx.ask(path, { headers: { 'if-match': '"another"' } });
  expect([differs.status, differs.headers['cache-control']]).toEqual([412, 'no-store']);
  expect(differs.body).toContain('has changed');
  const beyond = await nginx.ask(path, { headers: { range: 'bytes=999999-' } });
  expect([beyond.status, beyond.headers['cache-control'], beyond.body]).toEqual([
    200,
    'public, max-age=31536000, immutable',
    'export {}',
  ]);
});

for (const [accepted, encoding] of [
  ['br, gzip', 'br'],
  ['gzip', 'gzip'],
  ['identity', undefined],
] as const) {
  test(`A page is sent as ${encoding ?? 'it is'} to who accepts ${accepted}.`, async ({ nginx }) => {
    const { headers } = await nginx.ask('/about', { headers: { 'accept-encoding': accepted } });
    expect(headers['content-encoding']).toBe(encoding);
    expect(headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', vary: 'Accept-Encoding' });
  });
}
