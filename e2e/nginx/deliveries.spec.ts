import { expect, NginxServer, test } from './server.ts';

const PATH = '/healthz/deliveries';
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

test(`${PATH} > answers 503 late as text > the api ends the connection`, async ({ nginx }) => {
  nginx.upstream = (_, response) => void response.socket?.destroy();
  expect(await nginx.request(PATH)).toMatchObject({ status: 503, body: 'late\n' });
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
