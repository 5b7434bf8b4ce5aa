import { expect, test, type NginxServer, type RequestOptions } from './server.ts';

const PRIVATE_PATHS = [
  '/ana@example.org',
  '/about?email=ana@example.org',
  '/api/ana@example.org',
  '/api/contact?x=ana@example.org',
  '/ana.example/',
  '/%61na@example.org.html',
];

/** A request, and fields of its line in the log. */
type Row = readonly [string, RequestOptions, Readonly<Record<string, string | number>>];

/** Sends the requests, and compares their lines. nginx writes lines once a second. */
async function expectLines(nginx: NginxServer, rows: readonly Row[]): Promise<void> {
  const ids: string[] = [];
  for (const [path, options] of rows) ids.push(String((await nginx.request(path, options)).headers['x-request-id']));
  for (const [index, [path, , expected]] of rows.entries()) {
    const [line = ''] = await nginx.logged(ids[index] ?? '');
    expect(JSON.parse(line), path).toMatchObject(expected);
  }
}

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

test('access log > has the path of a file of the site, and none of a redirect', async ({ nginx }) => {
  const etag = String((await nginx.request('/site.css')).headers.etag);
  await expectLines(nginx, [
    ['/site.css', {}, { status: 200, path: '/site.css' }],
    ['/site.css', { headers: { 'if-none-match': etag } }, { status: 304, path: '/site.css' }],
    ['/about/', {}, { status: 301, path: '(none)' }],
    ['/nowhere', {}, { status: 404, path: '(none)' }],
  ]);
});
