import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { Redis } from 'ioredis';
import type { RedisSettings } from '../config/settings.ts';
import { RedisServer } from '../../test/redis-server.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { until } from '../../test/until.ts';
import { checkRedis, createRedisClient } from './redis-client.ts';

const PASSWORD = 'a password: with/marks@';
const CERTIFICATE =
  'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost';

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).toReversed()) await one.close();
});

/** A server that speaks nothing but TLS, with a certificate of its own authority, and wants a password. */
async function startWithTls() {
  const folder = await temporaryFolder();
  const [certificate, key] = [join(folder.path, 'server.crt'), join(folder.path, 'server.key')];
  const made = spawnSync('openssl', [...CERTIFICATE.split(' '), '-keyout', key, '-out', certificate]);
  expect(made.status).toBe(0);
  const files = ['--tls-cert-file', certificate, '--tls-key-file', key, '--tls-ca-cert-file', certificate];
  const server = await RedisServer.reserve();
  const port = String(server.port);
  server.spawn('--port', '0', '--tls-port', port, ...files, '--tls-auth-clients', 'no', '--requirepass', PASSWORD);
  open.push({ close: () => folder.remove() }, { close: () => server.stop() });
  return { url: `rediss://:${encodeURIComponent(PASSWORD)}@localhost:${port}/2`, certificate };
}

function connect(settings: RedisSettings): Redis {
  const client = createRedisClient(settings, { maxRetriesPerRequest: null });
  open.push({ close: () => client.disconnect() });
  return client;
}

describe('The connection to Redis', () => {
  it('A server behind TLS, a password and an authority of the company’s own is used, in the database of the URL', async () => {
    const { url, certificate } = await startWithTls();
    const client = connect({ REDIS_URL: url, REDIS_CA_FILE: certificate });
    await client.set('name', 'value');
    expect(await client.client('INFO')).toMatch(/ db=2 /);
    await until('an answer to the check', async () => (await checkRedis(client)) === undefined);
  });

  it('A server whose certificate nobody vouches for is not used', async () => {
    const { url } = await startWithTls();
    const client = connect({ REDIS_URL: url });
    await until('an attempt that failed', () => client.status === 'reconnecting');
    expect(await checkRedis(client)).toBe('away');
  });
});
