import { expect, test } from './server.ts';

const EVERYWHERE = [
  'cache-control',
  'content-security-policy',
  'cross-origin-embedder-policy',
  'cross-origin-opener-policy',
  'cross-origin-resource-policy',
  'permissions-policy',
  'referrer-policy',
  'x-content-type-options',
  'x-request-id',
];

const PLACES = [
  ['a page', '/', 200],
  ['an image', '/images/hero.svg', 200],
  ['a redirect', '/about/', 301],
  ['not found', '/nothing', 404],
  ['a bad path', '/../x', 400],
  ['the health check', '/healthz', 200],
  ['an answer of the api', '/api/contact', 202],
  ['an error of the api', '/api/broken', 500],
] as const;

for (const [name, path, status] of PLACES) {
  test(`${name} carries every header once`, async ({ nginx }) => {
    nginx.upstream = (question, response) => {
      response.writeHead(question.url === '/api/contact' ? 202 : 500, {
        'content-security-policy': 'api',
        'cache-control': 'api',
        'x-powered-by': 'api',
      });
      response.end();
    };
    const answer = await nginx.ask(path);
    expect(answer.status).toBe(status);
    for (const header of EVERYWHERE) {
      expect(answer.headers[header], header).toBeTruthy();
      expect(answer.headers[header], header).not.toContain('api');
    }
    expect(answer.headers['x-powered-by']).toBeUndefined();
    expect(answer.headers.server).toBe('nginx');
  });
}

test('the content security policy has no unsafe source, and the hashes of the build', async ({ nginx }) => {
  const policy = String((await nginx.ask('/')).headers['content-security-policy']);
  expect(policy).not.toMatch(/unsafe|\*|https?:/);
  const directives = policy.split('; ');
  expect(directives).toEqual(
    expect.arrayContaining([
      "default-src 'none'",
      "script-src 'self' 'sha256-script'",
      "style-src 'self' 'sha256-style'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
      "form-action 'self'",
    ]),
  );
});

test('script and markup from text are refused by the browser', async ({ nginx }) => {
  const policy = String((await nginx.ask('/')).headers['content-security-policy']);
  expect(policy.split('; ')).toEqual(
    expect.arrayContaining(["require-trusted-types-for 'script'", "trusted-types 'none'"]),
  );
});

test('what is right only over TLS is not said because a visitor claims to have it', async ({ nginx }) => {
  const { headers } = await nginx.ask('/', { headers: { 'X-Forwarded-Proto': 'https' } });
  expect(headers['strict-transport-security']).toBeUndefined();
  expect(headers['content-security-policy']).not.toContain('upgrade-insecure-requests');
});

test('what is right only over TLS is not said without it', async ({ nginx }) => {
  const { headers } = await nginx.ask('/');
  expect(headers['strict-transport-security']).toBeUndefined();
  expect(headers['content-security-policy']).not.toContain('upgrade-insecure-requests');
});

test('a page says by which rules the next one is prepared, and nothing else does', async ({ nginx }) => {
  const rules = String((await nginx.ask('/about')).headers['speculation-rules']);
  const [, json = ''] = /^"data:application\/speculationrules\+json,(.+)"$/.exec(rules) ?? [];
  expect(JSON.parse(decodeURIComponent(json))).toMatchObject({ prerender: [{ eagerness: 'moderate' }] });
  expect((await nginx.ask('/images/hero.svg')).headers['speculation-rules']).toBeUndefined();
});

for (const headers of [{ 'Save-Data': 'on' }, { ECT: '2g' }, { ECT: 'slow-2g' }]) {
  test(`no page is prepared in advance for ${JSON.stringify(headers)}`, async ({ nginx }) => {
    expect((await nginx.ask('/about', { headers })).headers['speculation-rules']).toBeUndefined();
    expect((await nginx.ask('/about', { headers: { ECT: '3g' } })).headers['speculation-rules']).toBeTruthy();
  });
}
