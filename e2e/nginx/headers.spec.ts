import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, NginxServer, SECURITY_HEADERS, test } from './server.ts';
import { writeSmallBuild } from './small-site.ts';

/** What is answered where, with its status. */
const PLACES = {
  '/': 200,
  '/images/hero.svg': 200,
  '/about/': 301,
  '/nothing': 404,
  '/../x': 400,
  '/healthz': 200,
  '/api/contact': 202,
  '/api/broken': 500,
};

for (const [path, status] of Object.entries(PLACES)) {
  test(`${path} carries every security header once, whatever the api says.`, async ({ nginx }) => {
    nginx.upstream = (question, response) => {
      const own = { 'content-security-policy': 'api', 'cache-control': 'api', 'x-powered-by': 'api' };
      response.writeHead(question.url === '/api/contact' ? 202 : 500, own).end();
    };
    const answer = await nginx.ask(path);
    expect(answer.status).toBe(status);
    expect(answer.headers).toMatchObject({ ...SECURITY_HEADERS, server: 'nginx' });
    expect(answer.headers['cache-control']).toMatch(/^(no-cache|no-store|public, max-age=\d+.*)$/);
    // Nor cookies, nor other origins: what the HTTP Observatory marks down.
    for (const name of ['x-powered-by', 'set-cookie', 'access-control-allow-origin'])
      expect(answer.headers[name], name).toBeUndefined();
  });
}

for (const file of ['/site.css', '/assets/app-AbCd1234.js']) {
  test(`${file}, a part of a page, carries no header that is for documents.`, async ({ nginx }) => {
    const { headers } = await nginx.ask(file);
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
    });
    for (const name of Object.keys(SECURITY_HEADERS))
      if (!/^(x-|cross-origin-resource)/.test(name)) expect(headers[name], name).toBeUndefined();
  });
}

test('The content security policy has no unsafe source, the hashes of the build, and no script from text.', async ({
  nginx,
}) => {
  const policy = String((await nginx.ask('/')).headers['content-security-policy']);
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

test("An operator's analytics script is allowed its origin, and nothing is demanded of it that it may not keep.", async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kitewright-analytics-'));
  writeSmallBuild(folder, { analyticsOrigin: 'https://stats.example' });
  const nginx = await NginxServer.start({ variables: { CSP_HASHES_FILE: join(folder, 'nginx/csp-hashes.conf') } });
  try {
    const { headers } = await nginx.ask('/about');
    const directives = String(headers['content-security-policy']).split('; ');
    const allowed = directives.filter((directive) => directive.includes('https://stats.example'));
    expect(allowed.map((directive) => directive.split(' ')[0])).toEqual(['script-src', 'connect-src']);
    expect(directives).toEqual(expect.arrayContaining(["default-src 'none'", "base-uri 'none'"]));
    // Such scripts write markup from text, and their servers do not say that other sites may embed them.
    expect(directives.join()).not.toMatch(/trusted-types|unsafe/);
    expect(headers['cross-origin-embedder-policy']).toBeUndefined();
  } finally {
    await nginx.close();
    rmSync(folder, { recursive: true });
  }
});

for (const claim of [{}, { 'X-Forwarded-Proto': 'https' }]) {
  test(`What is right only over TLS is not said to a visitor with ${JSON.stringify(claim)}.`, async ({ nginx }) => {
    const { headers } = await nginx.ask('/', { headers: claim });
    expect(headers['strict-transport-security']).toBeUndefined();
    expect(headers['content-security-policy']).not.toContain('upgrade-insecure-requests');
  });
}

test('A page says by which rules the next one is prepared, unless the visitor or the line is to be spared.', async ({
  nginx,
}) => {
  const rulesFor = async (path: string, headers = {}) =>
    (await nginx.ask(path, { headers })).headers['speculation-rules'];
  const [, json = ''] =
    /^"data:application\/speculationrules\+json,(.+)"$/.exec(String(await rulesFor('/about'))) ?? [];
  expect(JSON.parse(decodeURIComponent(json))).toMatchObject({ prerender: [{ eagerness: 'moderate' }] });
  expect(await rulesFor('/about', { ECT: '3g' })).toBeTruthy();
  expect(await rulesFor('/images/hero.svg')).toBeUndefined();
  for (const spared of [{ 'Save-Data': 'on' }, { ECT: '2g' }, { ECT: 'slow-2g' }])
    expect(await rulesFor('/about', spared)).toBeUndefined();
});
