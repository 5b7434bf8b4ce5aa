import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { cspHashes } from '../frontend/builder/csp-hashes.ts';
import { makeTemporaryFolder } from '../test-support/temporary-folder.ts';
import { expect, test } from './harness/test.ts';
import { NginxServer } from './nginx/server.ts';
import { cookieBanner, openWithBanner } from './pages/site.ts';

const DIST = new URL('../frontend/dist/', import.meta.url).pathname;
const SITE = join(DIST, 'site');

/** Analytics script that reports a visit. */
const SCRIPT = `fetch(new URL('/visit', document.currentScript.src), { method: 'POST', mode: 'no-cors' });`;

/** Writes the home page and the hashes for its policy as a build with `ANALYTICS_URL` does. */
function writeSite(folder: string, analyticsUrl: string): void {
  cpSync(SITE, join(folder, 'site'), { recursive: true, filter: (path) => !/index\.html\.(?:br|gz)$/.test(path) });
  const html = readFileSync(join(SITE, 'index.html'), 'utf8');
  const [, css = ''] = /<style>(.*?)<\/style>/s.exec(html) ?? [];
  const [, boot = ''] = /<script>(.*?)<\/script>/s.exec(html) ?? [];
  const template = `<template data-analytics><script async src="${analyticsUrl}"></script></template>`;
  writeFileSync(
    join(folder, 'site/index.html'),
    html.replace('</body>', () => `${template}</body>`),
  );
  cpSync(join(DIST, 'nginx'), join(folder, 'nginx'), { recursive: true });
  const hashes = cspHashes({ '/index.html': css }, boot, analyticsUrl);
  writeFileSync(join(folder, 'nginx/csp-hashes.conf'), hashes);
}

test.describe('Consent under the content security policy', () => {
  test.use({ hasDeclinedCookies: false });

  let folder: string;
  let nginx: NginxServer;
  const requests: string[] = [];
  const analytics = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    response.writeHead(200, { 'content-type': 'text/javascript' }).end(SCRIPT);
  });

  test.beforeAll(async () => {
    folder = makeTemporaryFolder();
    await new Promise<void>((listening) => analytics.listen(0, '127.0.0.1', listening));
    const { port } = analytics.address() as AddressInfo;
    writeSite(folder, `http://127.0.0.1:${port}/script.js`);
    const variables = { WEB_ROOT: join(folder, 'site'), SITE_CONFIG_DIR: join(folder, 'nginx') };
    nginx = await NginxServer.start({ variables });
  });
  test.afterAll(async () => {
    await nginx.close();
    analytics.close();
    rmSync(folder, { recursive: true });
  });

  test('loads the analytics script > "accepted" was chosen, now and at the next visit', async ({ page }) => {
    const visits = ['GET /script.js', 'POST /visit'];
    await openWithBanner(page, `http://127.0.0.1:${nginx.port}/`);
    expect(requests, 'before the choice').toEqual([]);
    await cookieBanner(page).locator('[data-consent-choice=accepted]').click();
    await expect.poll(() => requests).toEqual(visits);
    await page.reload();
    await page.clock.fastForward(1_000);
    await expect.poll(() => requests).toEqual([...visits, ...visits]);
  });
});
