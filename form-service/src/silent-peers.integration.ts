import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Kysely, sql } from 'kysely';
import { CLIENT } from '../test/openid-provider.ts';
import { RedisServer } from '../test/redis-server.ts';
import { SilentPeer } from '../test/silent-peer.ts';
import { newEnquiry } from '../test/submissions.ts';
import { temporaryFolder } from '../test/temporary-folder.ts';
import { until } from '../test/until.ts';
import { WEBHOOK_SECRET } from '../test/webhook-receiver.ts';
import { readSettings, type Settings } from './settings/settings.ts';
import { POOL, postgresDialect } from './database/postgres.dialect.ts';
import { DeliveryQueue, QUEUE_TIMEOUT_MS } from './delivery/delivery.queue.ts';
import { VirusScanner } from './delivery/virus-scanner.service.ts';
import { ClientLimits, LIMITS_TIMEOUT_MS } from './http/client-limits.ts';
import { discover, OpenIdConnect } from './sign-in/open-id-connect.service.ts';
import { Webhook } from './delivery/webhook.service.ts';
import { createRedisClient } from './redis/redis-client.ts';
import { S3_LIMITS, S3Store } from './files/s3-store.ts';
import type { Submission } from './submissions/submission.ts';

/** Limit of the tests. */
const SHORT = 200;

/** Ends a test whose limit has no effect. It is far above {@link SHORT}, and far below 100 times of it. */
const STUCK_MS = 12_000;

let peer: SilentPeer;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;

beforeAll(async () => {
  [peer, folder] = await Promise.all([SilentPeer.start(), temporaryFolder()]);
});
afterAll(async () => {
  await Promise.all([peer.stop(), folder.remove()]);
});

const settings = (changes: Record<string, string> = {}): Settings =>
  readSettings({ DATABASE_URL: `file:${folder.path}/submissions.db`, ...changes });

/** Does work with something that is closed afterwards, and returns the work's error. */
async function errorOf(work: Promise<unknown>, close: () => unknown = () => undefined): Promise<unknown> {
  try {
    return await work.then(
      (value) => ({ value }),
      (error: unknown) => error,
    );
  } finally {
    await close();
  }
}

/** Queries PostgreSQL. */
function queried(url: string, connectionTimeoutMillis: number): Promise<unknown> {
  const kysely = new Kysely({ dialect: postgresDialect(url, { connectionTimeoutMillis }) });
  return errorOf(sql`SELECT 1`.execute(kysely), () => kysely.destroy());
}

const s3 = (request: number) =>
  new S3Store(
    new URL('s3://bucket/prefix?path-style'),
    settings({
      AWS_ENDPOINT_URL_S3: `http://${peer.address}`,
      AWS_ACCESS_KEY_ID: 'key',
      AWS_SECRET_ACCESS_KEY: 'secret',
    }),
    { ...S3_LIMITS, request },
  );

const webhook = () =>
  new Webhook(
    settings({ SUBMISSION_WEBHOOK_URL: `http://${peer.address}/`, SUBMISSION_WEBHOOK_SECRET: WEBHOOK_SECRET }),
  );

const scanner = () => new VirusScanner({ CLAMD_URL: `tcp://${peer.address}` });

function posted(timeoutMs: number): Promise<unknown> {
  const submission = { ...newEnquiry(), receivedAt: Date.now() } as unknown as Submission;
  return errorOf(Object.assign(webhook(), { timeoutMs }).send(submission, new AbortController().signal));
}

/** Waits until a client has ended its connection and opened another one. */
async function reconnected(socketTimeout: number): Promise<unknown> {
  const { connections } = peer;
  const options = { maxRetriesPerRequest: null, socketTimeout };
  const client = createRedisClient({ REDIS_URL: `redis://${peer.address}` }, options);
  const again = until('another connection', () => peer.connections > connections + 1, STUCK_MS);
  return errorOf(again, () => client.disconnect());
}

/** Uses Redis while it is frozen. The connection itself was opened before. */
async function whileFrozen<Client extends { onApplicationShutdown(): unknown }>(
  connect: (url: string) => Client,
  prepare: (client: Client) => Promise<() => Promise<unknown>>,
): Promise<unknown> {
  const redis = await RedisServer.start();
  const client = connect(redis.url);
  const use = await until('the connection', () => prepare(client).catch(() => undefined));
  redis.signal('SIGSTOP');
  return errorOf(use(), async () => {
    await redis.stop();
    await client.onApplicationShutdown();
  });
}

/** A peer, the limit of the service, a use of the peer with another limit, and the answer or error. */
type Row = readonly [
  peer: string,
  limitMs: () => number | undefined,
  use: (limitMs: number) => Promise<unknown>,
  expected: object,
];

const rows: readonly Row[] = [
  [
    'PostgreSQL',
    () => POOL.connectionTimeoutMillis,
    (limitMs) => queried(`postgres://user:password@${peer.address}/database`, limitMs),
    { name: 'StorageUnavailableError' },
  ],
  [
    'Redis of the counters, which are counted by the process',
    () => LIMITS_TIMEOUT_MS,
    (limitMs) =>
      whileFrozen(
        (REDIS_URL) => new ClientLimits({ RATE_LIMIT_PER_MINUTE: 0, REDIS_URL }, limitMs),
        async (limits) => {
          await limits.redis.ping();
          return () => limits.countBytes('x', 1);
        },
      ),
    { status: 429 },
  ],
  [
    'Redis of the queue',
    () => QUEUE_TIMEOUT_MS,
    (limitMs) =>
      whileFrozen(
        (REDIS_URL) => new DeliveryQueue({ REDIS_URL }, limitMs),
        async (queue) => {
          await queue.counts();
          return () => queue.counts();
        },
      ),
    { message: expect.stringContaining('connected, but does not answer') },
  ],
  [
    'Redis of the worker',
    () => {
      const client = createRedisClient({ REDIS_URL: `redis://${peer.address}` }, {});
      client.disconnect();
      return client.options.socketTimeout;
    },
    reconnected,
    { value: true },
  ],
  [
    'object storage',
    () => S3_LIMITS.request,
    (limitMs) => errorOf(s3(limitMs).delete('key')),
    { name: 'StorageUnavailableError', message: 'RESUMES_URL: ETIMEDOUT' },
  ],
  [
    'virus scanner',
    () => scanner().silenceMs,
    (silenceMs) => errorOf(Object.assign(scanner(), { silenceMs }).scan(Readable.from([Buffer.from('x')]))),
    { message: 'scanner: ETIMEDOUT' },
  ],
  ['webhook', () => webhook().timeoutMs, posted, { name: 'TimeoutError' }],
  [
    'OpenID Connect provider',
    () => new OpenIdConnect(settings(), {} as never).timeoutMs,
    (limitMs) => errorOf(discover({ ...CLIENT, OIDC_ISSUER: `http://${peer.address}` }, limitMs)),
    { code: 'OAUTH_TIMEOUT' },
  ],
];

it.each(rows)(
  'a peer that accepts a connection and says nothing > is given up in time > %s',
  async (_peer, limitMs, use, expected) => {
    expect(limitMs()).toBeLessThanOrEqual(60_000);
    expect(await use(SHORT)).toMatchObject(expected);
  },
  STUCK_MS,
);
