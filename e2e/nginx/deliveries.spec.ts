import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { endingWithParent } from '../../scripts/stack/end-with-parent.ts';
import { expect, NginxServer, test } from './server.ts';

const PATH = '/healthz/deliveries';
/** Program that prints its port. While it is stopped, a full queue drops further connections, as a host that is off does. */
const LISTENER =
  "const s = require('node:net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => process.stdout.write(`${s.address().port}`))";
const BROWSER = { accept: 'text/html,*/*;q=0.8' };

for (const [status, body] of [
  [200, 'ok\n'],
  [503, 'late\n'],
] as const)
  test(`${PATH} > passes on the answer of the api > ${status}`, async ({ nginx }) => {
    nginx.upstream = (_, response) =>
      void response.writeHead(status, { 'content-type': 'text/plain', 'cache-control': 'no-store' }).end(body);
    for (const headers of [{}, BROWSER]) {
      const answer = await nginx.request(PATH, { headers });
      expect(answer).toMatchObject({ status, body, headers: { 'cache-control': 'no-store, no-transform' } });
      expect(answer.headers['content-type']).toMatch(/^text\/plain/);
    }
    expect(await nginx.request(PATH, { method: 'HEAD' })).toMatchObject({ status, body: '' });
  });

test(`${PATH} > accepts only GET and HEAD`, async ({ nginx }) => {
  let reached = 0;
  nginx.upstream = (_, response) => void response.end(`${(reached += 1)}`);
  for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'FOO']) {
    const { status, headers } = await nginx.request(PATH, { method });
    expect([method, status, headers.allow]).toEqual([method, 405, 'GET, HEAD']);
  }
  expect(reached).toBe(0);
});

test(`${PATH} > passes on no cookies, and refuses a body above 1 kB`, async ({ nginx }) => {
  nginx.upstream = ({ headers }, response) => void response.end(headers.cookie ?? 'none');
  expect((await nginx.request(PATH, { headers: { cookie: 'a=b' } })).body).toBe('none');
  expect((await nginx.request(PATH, { headers: { 'content-length': 2_000 } })).status).toBe(413);
});

test(`${PATH} > is not in the access log`, async ({ nginx }) => {
  nginx.upstream = (_, response) => void response.end('ok\n');
  await nginx.request(PATH);
  const { headers } = await nginx.request('/about');
  await nginx.logged(String(headers['x-request-id']));
  const log = join(nginx.folder, 'access.log');
  expect(existsSync(log) && readFileSync(log, 'utf8')).not.toContain('healthz');
});

test(`${PATH} > answers 503 late as text > the api ends the connection`, async ({ nginx }) => {
  nginx.upstream = (_, response) => void response.socket?.destroy();
  expect(await nginx.request(PATH)).toMatchObject({ status: 503, body: 'late\n' });
});

test(`${PATH} > answers 503 late as text > the api's address does not answer`, async () => {
  const host = spawn(...endingWithParent('SIGTERM', process.execPath, ['-e', LISTENER]), {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const port = Number(String((await once(host.stdout, 'data'))[0]));
  host.kill('SIGSTOP');
  const waiting = Array.from({ length: 4 }, () => connect(port, '127.0.0.1').on('error', () => undefined));
  const nginx = await NginxServer.start({ variables: { API_UPSTREAM: `127.0.0.1:${port}` } });
  try {
    expect(await nginx.request(PATH)).toMatchObject({ status: 503, body: 'late\n' });
  } finally {
    await nginx.close();
    for (const socket of waiting) socket.destroy();
    host.kill('SIGKILL');
  }
});

test(`${PATH} > answers 503 late as text > the api is down`, async () => {
  const nginx = await NginxServer.start({ variables: { API_UPSTREAM: '127.0.0.1:1' } });
  try {
    for (const headers of [{}, BROWSER]) {
      const answer = await nginx.request(PATH, { headers });
      expect(answer).toMatchObject({
        status: 503,
        body: 'late\n',
        headers: { 'cache-control': 'no-store, no-transform' },
      });
      expect(answer.headers['content-type']).toMatch(/^text\/plain/);
    }
  } finally {
    await nginx.close();
  }
});
