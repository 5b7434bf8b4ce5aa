import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, NginxServer, test } from './server.ts';

const without = ({ date: _date, 'x-request-id': _id, ...others }: object & Record<string, unknown>) => others;

for (const [state, worker] of [
  ['running', undefined],
  // No server listens on port 1.
  ['stopped', '127.0.0.1:1'],
] as const) {
  test(`/inbox > answers the 404 of the site > off and the worker is ${state}`, async () => {
    const nginx = await NginxServer.start({
      variables: { INBOX: 'off', ...(worker && { WORKER_UPSTREAM: worker }) },
    });
    try {
      let reached = 0;
      nginx.upstream = (_, response) => {
        reached += 1;
        response.end();
      };
      for (const method of ['GET', 'HEAD', 'POST', 'DELETE']) {
        const unknown = await nginx.request('/nothing', { method });
        for (const path of [
          '/inbox',
          '/inbox/',
          '/inbox/sign-in',
          '/inbox/KW-0/erase',
          '/inbox/export.csv?q=x',
          '//inbox',
        ]) {
          const answer = await nginx.request(path, { method });
          expect([answer.status, answer.body], `${method} ${path}`).toEqual([404, unknown.body]);
          expect(without(answer.headers)).toEqual(without(unknown.headers));
        }
      }
      expect(reached).toBe(0);
      expect((await nginx.request('/api/contact', { method: 'POST', body: '{}' })).status).toBe(200);
    } finally {
      await nginx.close();
    }
  });
}

test('/inbox > answers 503 > on and the worker is stopped', async () => {
  const nginx = await NginxServer.start({ variables: { INBOX: 'on', WORKER_UPSTREAM: '127.0.0.1:1' } });
  expect((await nginx.request('/inbox')).status).toBe(503);
  await nginx.close();
});

test('timeouts > are 10 s for headers and 15 s for bodies by default', async ({ nginx }) => {
  const limits = readFileSync(join(nginx.folder, 'conf/snippets/limits.conf'), 'utf8');
  expect(limits).toMatch(/client_header_timeout 10s;\s+client_body_timeout 15s;/);
});
