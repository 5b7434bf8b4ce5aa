import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { renderNginxConfig, type NginxVariables } from '../../scripts/stack/nginx-config.ts';
import { expect, NginxServer, root, test, type RequestOptions } from './server.ts';

test.use({ setup: { variables: { TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8,fd00::/8' } } });

/** Returns the address and the scheme that the api receives. */
async function forwarded(nginx: NginxServer, options: RequestOptions): Promise<unknown[]> {
  const received: unknown[] = [];
  nginx.upstream = ({ headers }, response) => {
    received.push(headers['x-forwarded-for'], headers['x-forwarded-proto']);
    response.end();
  };
  await nginx.request('/api/contact', { method: 'POST', body: '{}', ...options });
  return received;
}

const via = (...addresses: string[]) => ({ 'x-forwarded-for': addresses.join(', '), 'x-forwarded-proto': 'https' });

test('trusted proxy > states the address of the visitor', async ({ nginx }) => {
  expect(await forwarded(nginx, { headers: via('198.51.100.7') })).toEqual(['198.51.100.7', 'https']);
  expect(await forwarded(nginx, { headers: via('2001:db8::7') })).toEqual(['2001:db8::7', 'https']);
  expect(await forwarded(nginx, { headers: {} })).toEqual(['127.0.0.1', 'http']);
  // The value that the visitor sends comes first. In a chain, each proxy adds the address before it.
  for (const chain of [via('203.0.113.9', '10.9.9.9', '198.51.100.7'), via('198.51.100.7', 'fd00::1', '10.1.2.3')])
    expect(await forwarded(nginx, { headers: chain })).toEqual(['198.51.100.7', 'https']);
});

test('other client > cannot state an address', async ({ nginx }) => {
  expect(await forwarded(nginx, { headers: via('198.51.100.7'), from: '127.0.0.2' })).toEqual(['127.0.0.2', 'http']);
  const { headers } = await nginx.request('/', { headers: via('198.51.100.7'), from: '127.0.0.2' });
  expect(headers['strict-transport-security']).toBeUndefined();
});

for (const [scheme, expected] of [
  ['https,http', 'https'],
  ['https, http', 'https'],
  ['HTTPS , http', 'https'],
  [' Https', 'https'],
  ['https,https', 'https'],
  ['http,https', 'http'],
  ['httpsx', 'http'],
  ['x,https', 'http'],
  [',https', 'http'],
  ['', 'http'],
] as const)
  test(`trusted proxy > states the scheme by the first value > "${scheme}"`, async ({ nginx }) => {
    const headers = { 'x-forwarded-for': '198.51.100.7', 'x-forwarded-proto': scheme };
    expect(await forwarded(nginx, { headers })).toEqual(['198.51.100.7', expected]);
    const page = await nginx.request('/', { headers });
    expect(page.headers['strict-transport-security']).toBe(expected === 'https' ? 'max-age=86400' : undefined);
    const upgrades = String(page.headers['content-security-policy']).includes('; upgrade-insecure-requests');
    expect(upgrades).toBe(expected === 'https');
    expect(await forwarded(nginx, { headers, from: '127.0.0.2' })).toEqual(['127.0.0.2', 'http']);
  });

/** Renders the configuration into a folder that is not used. */
const rendered = (variables: NginxVariables) => () =>
  renderNginxConfig(root, join(tmpdir(), 'kitewright-unused/conf'), { NGINX_RUN_DIR: tmpdir(), ...variables });

test('TRUSTED_PROXIES=host > trusts a local proxy > only on the loopback address', async () => {
  const nginx = await NginxServer.start({ variables: { TRUSTED_PROXIES: 'host', PUBLISHED_ON: '127.0.0.1' } });
  try {
    expect(await forwarded(nginx, { headers: via('198.51.100.7') })).toEqual(['198.51.100.7', 'https']);
    expect(await forwarded(nginx, { headers: via('198.51.100.7'), from: '127.0.0.2' })).toEqual(['127.0.0.2', 'http']);
  } finally {
    await nginx.close();
  }
  for (const PUBLISHED_ON of ['0.0.0.0', '', '192.0.2.1'])
    expect(rendered({ TRUSTED_PROXIES: 'host', PUBLISHED_ON })).toThrow(
      /: TRUSTED_PROXIES=host needs HOST=127\.0\.0\.1/,
    );
});

test('TRUSTED_PROXIES > is rejected > everybody, or no network', () => {
  for (const wrong of ['0.0.0.0/0', '::/0', 'proxy.example', '10.0.0.0/8;', '10.0.0.1 $host', '`id`'])
    expect(rendered({ TRUSTED_PROXIES: wrong }), wrong).toThrow(/: TRUSTED_PROXIES must be/);
});
