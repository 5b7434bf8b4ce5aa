import { expect, test } from './server.ts';

test.describe('a page', () => {
  for (const [path, heading] of [
    ['/', 'Home'],
    ['/about', 'About'],
    ['/services', 'Services'],
    ['/services/web-development', 'Web'],
  ] as const) {
    test(`${path} is served at its canonical address, checked again each time`, async ({ nginx }) => {
      const answer = await nginx.ask(path);
      expect(answer).toMatchObject({ status: 200, body: `<h1>${heading}</h1>` });
      expect(answer.headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' });
      const again = await nginx.ask(path, { headers: { 'if-none-match': String(answer.headers.etag) } });
      expect(again.status).toBe(304);
    });
  }

  for (const [from, to] of [
    ['/about/', '/about'],
    ['/services/web-development/', '/services/web-development'],
    ['/about.html', '/about'],
    ['/index.html', '/'],
    ['/index', '/'],
    ['/about/?from=mail&x=%2F', '/about?from=mail&x=%2F'],
    ['/about.html?a=b', '/about?a=b'],
  ] as const) {
    test(`${from} redirects to ${to}`, async ({ nginx }) => {
      const answer = await nginx.ask(from);
      expect(answer.status).toBe(301);
      expect(answer.headers.location).toBe(to);
    });
  }

  for (const path of [
    '/nothing',
    '/404',
    '/404.html',
    '/.secret',
    '/assets/app-AbCd1234.js.map',
    '/about.html.gz',
    '/about.html.br',
    '/assets/',
    '/about/../.secret',
  ]) {
    test(`${path} is not found`, async ({ nginx }) => {
      const answer = await nginx.ask(path);
      expect([301, 404]).toContain(answer.status);
      if (answer.status === 404) expect(answer.body).toContain('404 Page Not Found');
      expect(answer.headers['cache-control']).toBe('no-cache');
      expect(answer.body).not.toContain('secret');
    });
  }

  for (const path of [
    '/x%0d%0aSet-Cookie:a=b/',
    '//evil.example/',
    '/%2Fevil.example/',
    '/%5cevil.example/',
    '/https:%2f%2fevil.example/',
  ]) {
    test(`${path} redirects nowhere else and sets no header`, async ({ nginx }) => {
      const answer = await nginx.ask(path);
      expect(answer.status).toBe(404);
      expect(answer.headers.location).toBeUndefined();
      expect(answer.headers['set-cookie']).toBeUndefined();
    });
  }

  test('is read, nothing else', async ({ nginx }) => {
    const answer = await nginx.ask('/about', { method: 'POST', body: 'a=b' });
    expect(answer).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } });
  });
});

test.describe('a file', () => {
  test('with a hash in its name is kept for a year', async ({ nginx }) => {
    const { headers } = await nginx.ask('/assets/app-AbCd1234.js');
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
  });

  test('missing from a folder of hashed ones is not', async ({ nginx }) => {
    const { status, headers } = await nginx.ask('/assets/app-00000000.js');
    expect([status, headers['cache-control']]).toEqual([404, 'no-cache']);
  });

  test('that is an image is kept for a day', async ({ nginx }) => {
    const { headers } = await nginx.ask('/images/hero.svg');
    expect(headers['cache-control']).toContain('max-age=86400');
  });

  for (const [accepted, encoding] of [
    ['br, gzip', 'br'],
    ['gzip', 'gzip'],
    ['identity', undefined],
  ] as const) {
    test(`is sent as ${encoding ?? 'it is'} to who accepts ${accepted}`, async ({ nginx }) => {
      const { headers } = await nginx.ask('/about', { headers: { 'accept-encoding': accepted } });
      expect(headers['content-encoding']).toBe(encoding);
      expect(headers['content-type']).toBe('text/html; charset=utf-8');
      expect(headers.vary).toBe('Accept-Encoding');
    });
  }

  test('in .well-known is served', async ({ nginx }) => {
    expect((await nginx.ask('/.well-known/security.txt')).status).toBe(200);
  });
});
