import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { once } from 'node:events';
import { join } from 'node:path';
import { makeTemporaryFolder } from '../../test-support/temporary-folder.ts';
import { words } from '../../form-service/test/words.ts';
import { expect, NginxServer, readResponse, root, test, tlsVariables } from './server.ts';

const HOST = 'inbox.kitewright.example';
const INBOX_URL = `https://${HOST}`;

/** Requests for each location, with the expected status: 202 is the worker's. */
const REQUESTS: Readonly<Record<string, readonly (readonly [path: string, status: number])[]>> = {
  '= /': [['/', 303]],
  '~ ^/inbox(/|$)': [
    ['/inbox?q=x', 202],
    ['/inbox/KW-0', 202],
    ['/inbox/../inbox', 404],
  ],
  '~ ^/(site\\.css|mark\\.svg|favicon\\.ico|inbox-keys\\.js)$': [
    ['/site.css', 200],
    ['/mark.svg', 200],
  ],
  '~ ^/assets/[\\w-]+\\.woff2$': [['/assets/font-AbCd1234.woff2', 200]],
  '/': ['/about', '/contact', '/index.html', '/404', '/api/contact', '/api', '/metrics', '/robots.txt', '/site.css.gz']
    .concat('/assets/app-AbCd1234.js', '/assets/app-AbCd1234.js.map', '/images/hero.svg', '/.well-known/security.txt')
    .map((path) => [path, 404] as const),
};

test.describe('host of the inbox', () => {
  let nginx: NginxServer;
  let tlsPort: number;
  let pem: string;

  test.beforeAll(async () => {
    const folder = makeTemporaryFolder();
    const { port, variables, certificate } = await tlsVariables(folder);
    [tlsPort, pem] = [port, certificate.pem];
    nginx = await NginxServer.start({ variables: { ...variables, INBOX_URL } });
    nginx.upstream = (_, response) => void response.writeHead(202, { 'content-type': 'text/html' }).end('worker');
  });
  test.afterAll(() => nginx.close());

  const get = async (path: string, host = HOST) => {
    const options = { host: '127.0.0.1', port: tlsPort, servername: 'localhost', path, headers: { host }, ca: pem };
    const [response] = await once(request({ ...options, agent: false }).end(), 'response');
    return readResponse(response);
  };

  test('has a request for each location', () => {
    const text = ['inbox-site.conf', 'snippets/inbox.conf'].map((file) =>
      readFileSync(join(root, 'nginx', file), 'utf8'),
    );
    const locations = [...text.join('').matchAll(/^location (.+) \{/gm)].map(([, location]) => location);
    expect(Object.keys(REQUESTS).sort()).toEqual(locations.sort());
  });

  test('answers the inbox and its files, and nothing else of the site', async () => {
    for (const [path, status] of Object.values(REQUESTS).flat()) {
      const answer = await get(path);
      expect([path, answer.status, answer.body.includes('worker')]).toEqual([path, status, status === 202]);
      if (status === 404) expect(answer.body, path).toContain(words.errors.notFound);
    }
    expect((await get('/')).headers.location).toBe('/inbox');
  });

  test('has the headers of the inbox', async () => {
    expect((await get('/inbox')).headers).toMatchObject({
      'content-security-policy': expect.stringMatching(
        new RegExp(`^default-src 'none'; script-src ${INBOX_URL}/inbox-keys\\.js; style-src`),
      ),
      'strict-transport-security': 'max-age=86400',
      'referrer-policy': 'same-origin',
      'cache-control': 'no-store, no-transform',
      'x-content-type-options': 'nosniff',
    });
  });

  test('leaves the other hosts as they are', async () => {
    for (const host of ['kitewright.example', 'localhost', '127.0.0.1', 'inbox.invalid']) {
      expect([host, (await get('/about', host)).body]).toEqual([host, '<h1>About</h1>']);
      // The worker redirects these.
      expect([host, (await get('/inbox/KW-0', host)).status]).toEqual([host, 202]);
    }
  });

  test('is redirected to https, and proves its domain over plain HTTP', async () => {
    const { status, headers } = await nginx.request('/inbox/KW-0', { headers: { host: HOST } });
    expect([status, headers.location]).toEqual([301, `https://${HOST}:${tlsPort}/inbox/KW-0`]);
    const proof = await nginx.request('/.well-known/acme-challenge/none', { headers: { host: HOST } });
    expect(proof.status).toBe(404);
  });
});

test('host of the inbox > is served over plain HTTP > a proxy has the certificate', async () => {
  const nginx = await NginxServer.start({ variables: { INBOX_URL, INBOX: 'on' } });
  nginx.upstream = (_, response) => void response.writeHead(202).end('worker');
  const statusOf = async (path: string, host: string) => (await nginx.request(path, { headers: { host } })).status;
  expect([
    await statusOf('/inbox', HOST),
    await statusOf('/about', HOST),
    await statusOf('/about', 'x.example'),
  ]).toEqual([202, 404, 200]);
  await nginx.close();
});
