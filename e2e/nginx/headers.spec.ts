import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { makeTemporaryFolder } from '../../test-support/temporary-folder.ts';
import { expect, NginxServer, SECURITY_HEADERS, test } from './server.ts';
import { writeSmallBuild } from './small-site.ts';

/** Expected status of each path. */
const STATUSES = {
  '/': 200,
  '/images/hero.svg': 200,
  '/about/': 301,
  '/nothing': 404,
  '/../x': 400,
  '/healthz': 200,
  '/healthz/deliveries': 500,
  '/api/contact': 202,
  '/api/broken': 500,
};

for (const [path, status] of Object.entries(STATUSES)) {
  test(`${path} > has every security header once`, async ({ nginx }) => {
    nginx.upstream = (request, response) => {
      const own = { 'content-security-policy': 'api', 'cache-control': 'api', 'x-powered-by': 'api' };
      response.writeHead(request.url === '/api/contact' ? 202 : 500, own).end();
    };
    const answer = await nginx.request(path);
    expect(answer.status).toBe(status);
    expect(answer.headers).toMatchObject({ ...SECURITY_HEADERS, server: 'nginx' });
    expect(answer.headers['cache-control']).toMatch(/^(no-(cache|store), no-transform|public, max-age=\d+.*)$/);
    // HTTP Observatory also checks cookies and CORS.
    for (const name of ['x-powered-by', 'set-cookie', 'access-control-allow-origin'])
      expect(answer.headers[name], name).toBeUndefined();
  });
}

for (const file of ['/site.css', '/assets/app-AbCd1234.js']) {
  test(`${file} > has no headers for documents`, async ({ nginx }) => {
    const { headers } = await nginx.request(file);
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
    });
    for (const name of Object.keys(SECURITY_HEADERS))
      if (!name.startsWith('x-')) expect(headers[name], name).toBeUndefined();
  });
}

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
  const folder = makeTemporaryFolder();
  writeSmallBuild(folder, { analyticsOrigin: 'https://stats.example' });
  const nginx = await NginxServer.start({ variables: { SITE_CONFIG_DIR: join(folder, 'nginx') } });
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
    rmSync(folder, { recursive: true });
  }
});

for (const claim of [{}, { 'X-Forwarded-Proto': 'https' }]) {
  test(`plain HTTP > has no HSTS and upgrade > with ${JSON.stringify(claim)}`, async ({ nginx }) => {
    const { headers } = await nginx.request('/', { headers: claim });
    expect(headers['strict-transport-security']).toBeUndefined();
    expect(headers['content-security-policy']).not.toContain('upgrade-insecure-requests');
  });
}

test('Speculation-Rules > is not sent for pages of the inbox', async ({ nginx }) => {
  nginx.upstream = (_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end();
  for (const path of ['/inbox', '/inbox/KW-0'])
    expect((await nginx.request(path)).headers['speculation-rules'], path).toBeUndefined();
});

test('Speculation-Rules > is sent for pages only', async ({ nginx }) => {
  const rulesFor = async (path: string) => (await nginx.request(path)).headers['speculation-rules'];
  const [, json = ''] =
    /^"data:application\/speculationrules\+json,(.+)"$/.exec(String(await rulesFor('/about'))) ?? [];
  expect(JSON.parse(decodeURIComponent(json))).toMatchObject({ prerender: [{ eagerness: 'moderate' }] });
  expect(await rulesFor('/images/hero.svg')).toBeUndefined();
});
