import { expect, NginxServer, test } from './server.ts';

const without = ({ date: _date, 'x-request-id': _id, ...others }: object & Record<string, unknown>) => others;

test('/inbox > answers the 404 of the site, and reaches no worker > it is off', async () => {
  const nginx = await NginxServer.start({ variables: { INBOX: 'off' } });
  let reached = 0;
  nginx.upstream = (_, response) => void response.end(`${(reached += 1)}`);
  const paths = ['/inbox', '/inbox/', '/inbox/sign-in', '/inbox/KW-0/erase', '/inbox/export.csv?q=x', '//inbox'];
  for (const method of ['GET', 'HEAD', 'POST', 'DELETE']) {
    const unknown = await nginx.request('/nothing', { method });
    for (const path of paths) {
      const answer = await nginx.request(path, { method });
      expect([answer.status, answer.body], `${method} ${path}`).toEqual([404, unknown.body]);
      expect(without(answer.headers)).toEqual(without(unknown.headers));
    }
  }
  expect(reached).toBe(0);
  await nginx.close();
});

test('/inbox > answers 503 > on and the worker is stopped', async () => {
  const nginx = await NginxServer.start({ variables: { INBOX: 'on', WORKER_UPSTREAM: '127.0.0.1:1' } });
  expect((await nginx.request('/inbox')).status).toBe(503);
  await nginx.close();
});
