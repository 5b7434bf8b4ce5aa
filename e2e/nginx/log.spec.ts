import { expect, test } from './server.ts';

test('a known path is logged with its status and times', async ({ nginx }) => {
  nginx.upstream = (_, response) => void response.writeHead(202).end();
  const { headers } = await nginx.ask('/api/contact', { method: 'POST', body: '{}' });
  const [line = ''] = await nginx.logged(String(headers['x-request-id']));
  expect(JSON.parse(line)).toMatchObject({
    method: 'POST',
    path: '/api/contact',
    status: 202,
    upstreamStatus: '202',
    seconds: expect.any(Number),
  });
});

for (const path of [
  '/ana@example.org',
  '/about?email=ana@example.org',
  '/api/ana@example.org',
  '/api/contact?x=ana@example.org',
  '/ana.example/',
  '/%61na@example.org.html',
]) {
  test(`nothing of a visitor is logged for ${path}`, async ({ nginx }) => {
    nginx.upstream = (_, response) => void response.writeHead(404).end();
    const { headers } = await nginx.ask(path, {
      headers: { 'user-agent': 'ana-agent', referer: 'https://ana.example/', 'x-forwarded-for': '203.0.113.9' },
    });
    for (const line of await nginx.logged(String(headers['x-request-id'])))
      expect(line).not.toMatch(/ana|example|203\.0\.113|127\.0\.0\.1/);
  });
}
