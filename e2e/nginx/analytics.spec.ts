import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cspHashes } from '../../frontend/build/csp-hashes.ts';
import { buildChanged } from '../../scripts/stack/build.ts';
import { freePorts } from '../../scripts/stack/ports.ts';
import { expect, NginxServer, root, test } from './server.ts';

/** What such scripts do: write markup from text, and report. */
const SCRIPT = `document.body.insertAdjacentHTML('beforeend', '<p id="measured">Measured</p>'); fetch('/hit', { method: 'POST', mode: 'no-cors' });`;

let asked: string[];
let folder: string;
let analytics: Server;
let nginx: NginxServer;

test.beforeAll(async () => {
  test.setTimeout(240_000);
  buildChanged(root, ['frontend']);
  folder = mkdtempSync(join(tmpdir(), 'kitewright-analytics-'));
  const [port = 0] = await freePorts(1);
  const origin = `http://127.0.0.1:${port}`;
  // A server that knows nothing of this site: it neither allows other origins nor says that they may embed it.
  analytics = createServer((question, response) => {
    asked.push(`${question.method} ${question.url}`);
    response
      .writeHead(200, { 'content-type': 'text/javascript' })
      .end(question.url === '/script.js' ? SCRIPT.replace('/hit', `${origin}/hit`) : '');
  }).listen(port, '127.0.0.1');
  await once(analytics, 'listening');
  buildWith(`${origin}/script.js`);
  nginx = await NginxServer.start({
    variables: { WEB_ROOT: join(folder, 'site'), CSP_HASHES_FILE: join(folder, 'csp-hashes.conf') },
  });
});
test.afterAll(async () => {
  await nginx?.close();
  analytics?.close().closeAllConnections();
  rmSync(folder, { recursive: true });
});
test.beforeEach(() => {
  asked = [];
});

/** The built page as it is with ANALYTICS_URL set, which is one attribute of its banner, and the hashes that go with it. */
function buildWith(analyticsUrl: string): void {
  cpSync(join(root, 'frontend/dist/site'), join(folder, 'site'), {
    recursive: true,
    filter: (path) => !/about\.html\.(br|gz)$/.test(path),
  });
  const file = join(folder, 'site/about.html');
  const page = readFileSync(file, 'utf8').replace(' data-consent-key', ` data-analytics-url="${analyticsUrl}"$&`);
  expect(page, 'where the banner has the address').toContain(analyticsUrl);
  writeFileSync(file, page);
  const inlined = (element: string) => new RegExp(`<${element}>([^]*?)</${element}>`).exec(page)?.[1] ?? '';
  writeFileSync(
    join(folder, 'csp-hashes.conf'),
    cspHashes({ styles: { '/about.html': inlined('style') }, boot: inlined('script'), analyticsUrl }),
  );
}

test('The policy allows the script its origin, and demands no more of it than it can keep.', async () => {
  const { headers } = await nginx.ask('/about');
  const directives = String(headers['content-security-policy']).split('; ');
  const allowed = directives.filter((directive) => directive.includes('http://127.0.0.1'));
  expect(allowed.map((directive) => directive.split(' ')[0])).toEqual(['script-src', 'connect-src']);
  expect(directives).toEqual(
    expect.arrayContaining(["default-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"]),
  );
  expect(directives.join()).not.toMatch(/trusted-types|unsafe/);
  expect(headers['cross-origin-embedder-policy']).toBeUndefined();
});

test('the script is loaded after "Accept", at the next visit too, and never before or after "Decline"', async ({
  page,
}) => {
  const errors: string[] = [];
  page.on('console', (message) => void (message.type() === 'error' && errors.push(message.text())));
  const site = `http://127.0.0.1:${nginx.port}/about`;
  const choose = async (choice: string) => {
    await page.getByRole('region', { name: 'Cookie consent' }).getByRole('button', { name: choice }).click();
    await expect(page.getByRole('region', { name: 'Cookie consent' })).toBeHidden();
  };

  await page.goto(site);
  await choose('Decline');
  await page.reload();
  await page.waitForLoadState('networkidle');
  expect(asked).toEqual([]);

  await page.evaluate(() => localStorage.clear());
  await page.reload();
  await choose('Accept');
  await expect(page.locator('#measured')).toBeVisible();
  await expect.poll(() => asked).toEqual(['GET /script.js', 'POST /hit']);
  await page.reload();
  await expect(page.locator('#measured')).toBeVisible();
  expect(errors).toEqual([]);
});
