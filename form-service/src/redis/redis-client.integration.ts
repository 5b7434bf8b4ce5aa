import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { Redis } from 'ioredis';
import type { RedisSettings } from '../config/settings.ts';
import { RedisServer } from '../../test/redis-server.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { until } from '../../test/until.ts';
import { checkRedis, createRedisClient, failFastOptions } from './redis-client.ts';

const PASSWORD = 'a password: with/marks@';
const CERTIFICATE =
  'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost';

/** Node.js reads NODE_EXTRA_CA_CERTS when a process starts, so the client runs in its own process. */
const CLIENT = `
  import { createRedisClient } from ${JSON.stringify(new URL('redis-client.ts', import.meta.url))};
  const client = createRedisClient(process.env, { maxRetriesPerRequest: null });
  console.log(await client.client('INFO'));
  client.disconnect();`;

const WAITING = { maxRetriesPerRequest: null };

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).toReversed()) await one.close();
});

/** Starts a server that requires TLS and a password, with a self-signed certificate. */
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

function connect(settings: RedisSettings, options: Parameters<typeof createRedisClient>[1] = WAITING): Redis {
  const client = createRedisClient(settings, options);
  open.push({ close: () => client.disconnect() });
  return client;
}

describe('createRedisClient', () => {
  it('uses TLS, password and database of the URL > NODE_EXTRA_CA_CERTS is set', async () => {
    const { url, certificate } = await startWithTls();
    const env = { PATH: process.env.PATH, REDIS_URL: url, NODE_EXTRA_CA_CERTS: certificate };
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', CLIENT], {
      env,
      encoding: 'utf8',
      timeout: 60_000,
    });
    expect([stderr, stdout]).toEqual(['', expect.stringMatching(/ db=2 /)]);
  });

  it('names the cause, and is ready by itself > Redis is loading its data', async () => {
    const folder = await temporaryFolder();
    const server = await RedisServer.start('--dir', folder.path);
    open.push({ close: () => folder.remove() }, { close: () => server.stop() });
    const operator = connect({ REDIS_URL: server.url });
    await Promise.all(Array.from({ length: 400 }, (_, at) => operator.set(`key${at}`, 'x'.repeat(100))));
    await operator.save();
    operator.disconnect();
    await server.stop();
    // Waits 5 ms for each key, and answers meanwhile.
    const slow = ['--key-load-delay', '5000', '--loading-process-events-interval-bytes', '1024'];
    server.spawn('--port', String(server.port), '--dir', folder.path, ...slow);
    const client = connect({ REDIS_URL: server.url }, failFastOptions(1_000));
    const loading = await until('the cause', async () => {
      const { cause = '' } = (await checkRedis(client)) ?? {};
      return cause.includes('LOADING') ? cause : undefined;
    });
    expect(loading).toBe('it is loading its data (LOADING)');
    await until('the end', async () => (await checkRedis(client)) === undefined);
  });

  it('rejects a server > its certificate is not trusted', async () => {
    const { url } = await startWithTls();
    const client = connect({ REDIS_URL: url });
    await until('a failed connection', () => client.status === 'reconnecting');
    expect(await checkRedis(client)).toMatchObject({ cause: 'does not answer' });
  });
});
