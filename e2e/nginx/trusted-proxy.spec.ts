import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { renderNginxConfig, type NginxVariables } from '../../scripts/stack/nginx-config.ts';
import { expect, NginxServer, root, test, type Question } from './server.ts';

test.use({ setup: { variables: { TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8,fd00::/8' } } });

/** The address and the scheme that the api is told, one question at a time. */
async function toldTo(nginx: NginxServer, question: Question): Promise<unknown[]> {
  const told: unknown[] = [];
  nginx.upstream = ({ headers }, response) => {
    told.push(headers['x-forwarded-for'], headers['x-forwarded-proto']);
    response.end();
  };
  await nginx.ask('/api/contact', { method: 'POST', body: '{}', ...question });
  return told;
}

const via = (...addresses: string[]) => ({ 'x-forwarded-for': addresses.join(', '), 'x-forwarded-proto': 'https' });

test('A trusted proxy is believed about the visitor.', async ({ nginx }) => {
  expect(await toldTo(nginx, { headers: via('198.51.100.7') })).toEqual(['198.51.100.7', 'https']);
  expect(await toldTo(nginx, { headers: via('2001:db8::7') })).toEqual(['2001:db8::7', 'https']);
  expect(await toldTo(nginx, { headers: {} })).toEqual(['127.0.0.1', 'http']);
});

test('What a visitor claims in front of it is not.', async ({ nginx }) => {
  expect(await toldTo(nginx, { headers: via('203.0.113.9', '10.9.9.9', '198.51.100.7') })).toEqual([
    '198.51.100.7',
    'https',
  ]);
});

test('Trusted proxies may stand in a row.', async ({ nginx }) => {
  expect(await toldTo(nginx, { headers: via('198.51.100.7', 'fd00::1', '10.1.2.3') })).toEqual([
    '198.51.100.7',
    'https',
  ]);
});

test('Nobody else is believed.', async ({ nginx }) => {
  expect(await toldTo(nginx, { headers: via('198.51.100.7'), from: '127.0.0.2' })).toEqual(['127.0.0.2', 'http']);
  const { headers } = await nginx.ask('/', { headers: via('198.51.100.7'), from: '127.0.0.2' });
  expect(headers['strict-transport-security']).toBeUndefined();
});

test('What is right only over TLS is said where the proxy ended it.', async ({ nginx }) => {
  const { headers } = await nginx.ask('/', { headers: via('198.51.100.7') });
  expect(headers['strict-transport-security']).toBe('max-age=86400');
  expect(headers['content-security-policy']).toContain('; upgrade-insecure-requests');
});

for (const [visitors, flooding, same, other] of [
  ['two visitors', '198.51.100.7', '198.51.100.7', '198.51.100.8'],
  ['two networks of IPv6', '2001:db8:0:1::1', '2001:db8:0:1:ffff::2', '2001:db8:0:2::1'],
] as const) {
  test(`${visitors} behind one proxy have a limit each`, async ({ nginx }) => {
    const held: ServerResponse[] = [];
    nginx.upstream = (_, response) => void held.push(response);
    const ask = (address: string) => nginx.ask('/api/contact', { method: 'POST', body: '{}', headers: via(address) });
    const flood = Array.from({ length: 100 }, () => ask(flooding));
    await expect.poll(() => held.length).toBe(100);
    expect((await ask(same)).status).toBe(429);
    const served = ask(other);
    await expect.poll(() => held.length).toBe(101);
    for (const response of held) response.end();
    expect([(await served).status, ...(await Promise.all(flood)).map(({ status }) => status)]).toEqual(
      Array(101).fill(200),
    );
  });
}

test('A proxy on this machine is believed by the name "host", where nobody else reaches nginx.', async () => {
  const nginx = await NginxServer.start({ variables: { TRUSTED_PROXIES: 'host', PUBLISHED_ON: '127.0.0.1' } });
  try {
    expect(await toldTo(nginx, { headers: via('198.51.100.7') })).toEqual(['198.51.100.7', 'https']);
    expect(await toldTo(nginx, { headers: via('198.51.100.7'), from: '127.0.0.2' })).toEqual(['127.0.0.2', 'http']);
  } finally {
    await nginx.close();
  }
  const variables = { NGINX_RUN_DIR: join(tmpdir(), 'kitewright-unused'), TRUSTED_PROXIES: 'host' } as NginxVariables;
  for (const PUBLISHED_ON of ['0.0.0.0', '', '192.0.2.1'])
    expect(() =>
      renderNginxConfig(root, join(tmpdir(), 'kitewright-unused/conf'), { ...variables, PUBLISHED_ON }),
    ).toThrow(/: TRUSTED_PROXIES=host needs HOST=127\.0\.0\.1/);
});

test('The log tells of a proxy that is not named, and nothing of whom it names.', async ({ nginx }) => {
  const { headers } = await nginx.ask('/about', { headers: via('198.51.100.7'), from: '127.0.0.2' });
  const [line = ''] = await nginx.logged(String(headers['x-request-id']));
  expect(JSON.parse(line)).toMatchObject({ proxy: 'not in TRUSTED_PROXIES' });
  const named = await nginx.ask('/about', { headers: via('198.51.100.7') });
  expect(JSON.parse((await nginx.logged(String(named.headers['x-request-id'])))[0] ?? '')).toMatchObject({ proxy: '' });
});

for (const wrong of ['0.0.0.0/0', '::/0', 'proxy.example', '10.0.0.0/8;', '10.0.0.1 $host', '`id`']) {
  test(`${wrong} is refused by the variable's name`, () => {
    const variables = { NGINX_RUN_DIR: join(tmpdir(), 'kitewright-unused'), TRUSTED_PROXIES: wrong } as NginxVariables;
    expect(() => renderNginxConfig(root, join(tmpdir(), 'kitewright-unused/conf'), variables)).toThrow(
      /: TRUSTED_PROXIES must be/,
    );
  });
}
