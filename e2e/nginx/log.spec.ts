import { expect, test } from './server.ts';

const PRIVATE_PATHS = [
  '/ana@example.org',
  '/about?email=ana@example.org',
  '/api/ana@example.org',
  '/api/contact?x=ana@example.org',
  '/ana.example/',
  '/%61na@example.org.html',
];

test('access log > has path, status and times, and no data of visitors', async ({ nginx }) => {
  nginx.upstream = (_, response) => void response.writeHead(202).end();
  const ids: string[] = [];
  for (const path of PRIVATE_PATHS) {
    const headers = { 'user-agent': 'ana-agent', referer: 'https://ana.example/', 'x-forwarded-for': '203.0.113.9' };
    ids.push(String((await nginx.request(path, { headers })).headers['x-request-id']));
  }
  const { headers } = await nginx.request('/api/contact', { method: 'POST', body: '{}' });
  const [line = ''] = await nginx.logged(String(headers['x-request-id']));
  const expected = { method: 'POST', path: '/api/contact', status: 202, upstreamStatus: '202' };
  expect(JSON.parse(line)).toMatchObject({ ...expected, seconds: expect.any(Number) });
  for (const id of ids) expect((await nginx.logged(id)).join()).not.toMatch(/ana|example|203\.0\.113|127\.0\.0\.1/);
});
