import { once } from 'node:events';
import { request as send } from 'node:http';
import { FORMS } from '../../form-service/src/contract/forms.ts';
import { wordsOf } from '../../form-service/src/contract/words.ts';
import { words } from '../../form-service/test/words.ts';
import type { ProxiedForm } from '../../frontend/builder/forms.ts';
import { expect, test } from './server.ts';

const TEXT_MAX_BYTES = 256 * 1024;
const FILE_MAX_BYTES = 11 * 1024 * 1024;

/** The forms of the contract, and one more of each kind. */
const forms: readonly ProxiedForm[] = [
  ...FORMS,
  { path: '/api/callback', file: undefined },
  { path: '/api/portfolio', file: FORMS.find(({ file }) => file)?.file },
];

test.use({ setup: { build: { forms } } });

for (const { path, file } of forms) {
  const maxBytes = file ? FILE_MAX_BYTES : TEXT_MAX_BYTES;

  test(`${path} > accepts a body of ${maxBytes} bytes`, async ({ nginx }) => {
    let received = 0;
    nginx.upstream = (request, response) => {
      request.on('data', (chunk: Buffer) => (received += chunk.length));
      request.on('end', () => response.writeHead(202).end());
    };
    const answer = await nginx.request(path, { method: 'POST', body: Buffer.alloc(maxBytes, 1) });
    expect([answer.status, received]).toEqual([202, maxBytes]);
  });

  test(`${path} > answers 413 with a message > the body is too large`, async ({ nginx }) => {
    const headers = { 'content-length': maxBytes + 1, accept: 'application/json', expect: '100-continue' };
    const { status, body } = await nginx.request(`${path}?x=1`, { method: 'POST', headers });
    const message = file ? wordsOf('all').resumeTooLarge : words.errors.server.tooLarge;
    expect([status, JSON.parse(body)]).toEqual([413, { success: false, message }]);
  });

  test(`${path} > is passed on ${file ? 'at its first bytes' : 'once it is complete'}`, async ({ nginx }) => {
    const order: string[] = [];
    nginx.upstream = (request, response) => {
      if (request.url === path) order.push('passed on');
      request.resume().on('end', () => response.end());
    };
    const headers = { 'content-length': 100_000, expect: '100-continue' };
    const sent = send({ host: '127.0.0.1', port: nginx.port, path, method: 'POST', headers, agent: false });
    sent.flushHeaders();
    await once(sent, 'continue');
    sent.write(Buffer.alloc(50_000));
    if (file) await expect.poll(() => order).toEqual(['passed on']);
    // nginx would have passed on the unfinished request before this one.
    else await nginx.request('/api/other');
    order.push('complete');
    const answered = once(sent, 'response');
    sent.end(Buffer.alloc(50_000));
    await answered;
    expect(order).toEqual(file ? ['passed on', 'complete'] : ['complete', 'passed on']);
  });
}

test('access log > names the path of every form, and no other path of /api', async ({ nginx }) => {
  nginx.upstream = (request, response) => void request.resume().on('end', () => response.end());
  const rows = forms.flatMap(({ path }) => [
    [path, path],
    [`${path}?email=ana@example.org`, path],
    [`${path}/`, '/api/*'],
    [`${path}x`, '/api/*'],
    [path.toUpperCase(), '(none)'],
  ]);
  rows.push(['/api/form-token?ana', '/api/*'], ['/api?ana', '/api/*']);
  const expected = new Map<string, readonly string[]>();
  for (const [asked = '', logged = ''] of rows) {
    const { headers } = await nginx.request(asked, { method: 'POST', body: '{}' });
    expected.set(String(headers['x-request-id']), [asked, logged]);
  }
  for (const [id, [asked, logged]] of expected) {
    const [line = ''] = await nginx.logged(id);
    expect.soft(JSON.parse(line).path, asked).toBe(logged);
  }
});
