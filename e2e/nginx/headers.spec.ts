import { expect, NginxServer, test } from './server.ts';

test('Cross-Origin-Resource-Policy > is sent for everything but the pages of the site', async ({ nginx }) => {
  nginx.upstream = (_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end();
  const policies = { '/': undefined, '/about': undefined, '/nothing': undefined };
  for (const path of ['/images/hero.svg', '/healthz', '/api/contact', '/inbox', '/about/'])
    Object.assign(policies, { [path]: 'same-origin' });
  for (const [path, policy] of Object.entries(policies))
    expect((await nginx.request(path)).headers['cross-origin-resource-policy'], path).toBe(policy);
});

test('Content-Security-Policy > allows only hashes and enforces Trusted Types', async ({ nginx }) => {
  const policy = String((await nginx.request('/')).headers['content-security-policy']);
  expect(policy).not.toMatch(/unsafe|\*|https?:/);
  expect(policy.split('; ')).toEqual(
    expect.arrayContaining([
      "default-src 'none'",
      "script-src 'self' 'sha256-script'",
      "style-src 'self' 'sha256-style'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
      "form-action 'self'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ]),
  );
});

test('Content-Security-Policy > lets a viewer show a PDF, without script or sandbox', async ({ nginx }) => {
  nginx.upstream = (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/pdf', 'accept-ranges': 'none' }).end('%PDF');
  };
  const { headers } = await nginx.request('/api/contact');
  expect(headers).toMatchObject({ 'accept-ranges': 'none', 'x-content-type-options': 'nosniff' });
  expect(String(headers['content-security-policy']).split('; ')).toEqual([
    "default-src 'none'",
    "object-src 'self'",
    "style-src 'unsafe-inline'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ]);
});

test('Content-Security-Policy > allows the analytics origin without Trusted Types', async () => {
  const nginx = await NginxServer.start({ build: { analyticsOrigin: 'https://stats.example' } });
  try {
    const { headers } = await nginx.request('/about');
    const directives = String(headers['content-security-policy']).split('; ');
    const allowed = directives.filter((directive) => directive.includes('https://stats.example'));
    expect(allowed.map((directive) => directive.split(' ')[0])).toEqual(['script-src', 'connect-src']);
    expect(directives).toEqual(expect.arrayContaining(["default-src 'none'", "base-uri 'none'"]));
    // Such scripts insert HTML, and their servers may not send a Cross-Origin-Resource-Policy.
    expect(directives.join()).not.toMatch(/trusted-types|unsafe/);
    expect(headers['cross-origin-embedder-policy']).toBeUndefined();
  } finally {
    await nginx.close();
  }
});

test('Speculation-Rules > is sent for pages of the site only', async ({ nginx }) => {
  nginx.upstream = (_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end();
  const rulesFor = async (path: string) => (await nginx.request(path)).headers['speculation-rules'];
  const [, json = ''] =
    /^"data:application\/speculationrules\+json,(.+)"$/.exec(String(await rulesFor('/about'))) ?? [];
  expect(JSON.parse(decodeURIComponent(json))).toMatchObject({ prerender: [{ eagerness: 'moderate' }] });
  for (const path of ['/images/hero.svg', '/inbox']) expect(await rulesFor(path), path).toBeUndefined();
});
