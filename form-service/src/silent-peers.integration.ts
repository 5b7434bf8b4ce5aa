import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { INestApplication } from '@nestjs/common';
import { Kysely, sql } from 'kysely';
import { DeliveryStack } from '../test/delivery-stack.ts';
import { freePort } from '../test/free-port.ts';
import { InboxBrowser, InboxClient } from '../test/inbox-client.ts';
import { CLIENT, OpenIdProvider } from '../test/openid-provider.ts';
import { RedisServer } from '../test/redis-server.ts';
import { SilentPeer } from '../test/silent-peer.ts';
import { newEnquiry } from '../test/submissions.ts';
import { temporaryFolder } from '../test/temporary-folder.ts';
import { until } from '../test/until.ts';
import { WEBHOOK_SECRET } from '../test/webhook-receiver.ts';
import { ALERT_TIMEOUT_MS, attemptAlert } from './alerts/alert-webhook.ts';
import { doctor } from './cli/doctor.ts';
import { Terminal } from './cli/terminal.ts';
import { OIDC } from './config/inbox-users.ts';
import { readSettings, type Settings } from './config/settings.ts';
import { POOL, postgresDialect } from './database/postgres.dialect.ts';
import { DeliveryQueue, QUEUE_TIMEOUT_MS } from './delivery/delivery.queue.ts';
import { VirusScanner } from './delivery/virus-scanner.service.ts';
import { createResolver, LOOKUP_MS, OUTSIDE } from './doctor/checks.ts';
import { ClientLimits } from './http/client-limits.ts';
import { OpenIdConnect } from './sign-in/open-id-connect.service.ts';
import { Attempt } from './outbox/attempt.ts';
import { Webhook } from './delivery/webhook.service.ts';
import { HealthService } from './observability/health.service.ts';
import { CHECK_MS, checkRedis, createRedisClient } from './redis/redis-client.ts';
import { SHARED_TIMEOUT_MS, SharedRedis } from './redis/shared-redis.service.ts';
import { S3_LIMITS, S3Store } from './files/s3-store.ts';
import type { Submission } from './submissions/submission.ts';
import { words } from '../test/words.ts';

const SECOND = 1_000;

/** Limit of the tests. */
const SHORT = 200;

/** Ends a test whose limit has no effect. It is far above {@link SHORT}, and far below 100 times of it. */
const STUCK_MS = 12 * SECOND;

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

const s3 = (protocol: string, request: number) =>
  new S3Store(
    new URL('s3://bucket/prefix?path-style'),
    settings({
      AWS_ENDPOINT_URL_S3: `${protocol}://${peer.address}`,
      AWS_ACCESS_KEY_ID: 'key',
      AWS_SECRET_ACCESS_KEY: 'secret',
    }),
    { ...S3_LIMITS, request },
  );

const webhook = (protocol: string) =>
  new Webhook(
    settings({ SUBMISSION_WEBHOOK_URL: `${protocol}://${peer.address}/`, SUBMISSION_WEBHOOK_SECRET: WEBHOOK_SECRET }),
  );

const scanner = () => new VirusScanner({ CLAMD_URL: `tcp://${peer.address}` });

function posted(protocol: string, timeoutMs: number): Promise<unknown> {
  const submission = { ...newEnquiry(), receivedAt: Date.now() } as unknown as Submission;
  return errorOf(Object.assign(webhook(protocol), { timeoutMs }).send(submission, new Attempt()));
}

function redisOptions() {
  const client = createRedisClient({ REDIS_URL: `redis://${peer.address}` }, {});
  client.disconnect();
  return client.options;
}

/** Waits until a client has ended its connection and opened another one. */
async function reconnected(protocol: string, options: Parameters<typeof createRedisClient>[1]): Promise<unknown> {
  const silent = await SilentPeer.start();
  const client = createRedisClient({ REDIS_URL: `${protocol}://${silent.address}` }, options);
  return errorOf(
    until('another connection', () => silent.connections > 1, STUCK_MS),
    async () => {
      client.disconnect();
      await silent.stop();
    },
  );
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

interface Row {
  readonly peer: string;
  /** Limit of the service, and what the documents or the comment next to it promise. */
  readonly limits: () => { readonly ours: number; readonly promised: number };
  /** Uses the peer with a limit. @returns the answer, or the error */
  readonly use: (limitMs: number) => Promise<unknown>;
  readonly expected: unknown;
}

const rows: Row[] = [
  {
    peer: 'PostgreSQL',
    limits: () => ({ ours: POOL.connectionTimeoutMillis, promised: 5 * SECOND }),
    use: (limitMs) => queried(`postgres://user:password@${peer.address}/database`, limitMs),
    expected: { name: 'StorageUnavailableError' },
  },
  {
    peer: 'PostgreSQL, in the TLS handshake',
    limits: () => ({ ours: POOL.connectionTimeoutMillis, promised: 5 * SECOND }),
    use: (limitMs) => queried(`postgres://user:password@${peer.address}/database?sslmode=require`, limitMs),
    expected: { name: 'StorageUnavailableError' },
  },
  {
    peer: 'Redis of the counters',
    limits: () => ({ ours: SHARED_TIMEOUT_MS, promised: 200 }),
    use: (limitMs) =>
      whileFrozen(
        (REDIS_URL) => new SharedRedis({ REDIS_URL }, new HealthService(), limitMs),
        async (redis) => {
          await redis.client.ping();
          return () => new ClientLimits({ RATE_LIMIT_PER_MINUTE: 0 }, redis).countBytes('x', 1);
        },
      ),
    // This process counts.
    expected: { status: 429 },
  },
  {
    peer: 'Redis of the queue',
    limits: () => ({ ours: QUEUE_TIMEOUT_MS, promised: 5 * SECOND }),
    use: (limitMs) =>
      whileFrozen(
        (REDIS_URL) => new DeliveryQueue({ REDIS_URL }, limitMs),
        async (queue) => {
          await queue.counts();
          return () => queue.counts();
        },
      ),
    expected: { message: expect.stringContaining('connected, but does not answer') },
  },
  {
    peer: 'Redis, in a health check',
    limits: () => ({ ours: CHECK_MS, promised: SECOND }),
    use: async (limitMs) => {
      const client = createRedisClient({ REDIS_URL: `redis://${peer.address}` }, { maxRetriesPerRequest: null });
      await once(client, 'connect');
      return errorOf(checkRedis(client, limitMs), () => client.disconnect());
    },
    expected: { value: { cause: 'connected, but does not answer' } },
  },
  {
    peer: 'Redis of the worker',
    limits: () => ({ ours: redisOptions().socketTimeout ?? Infinity, promised: 30 * SECOND }),
    use: (socketTimeout) => reconnected('redis', { maxRetriesPerRequest: null, socketTimeout }),
    expected: { value: true },
  },
  {
    peer: 'Redis, in the TLS handshake',
    limits: () => ({ ours: redisOptions().connectTimeout ?? Infinity, promised: 5 * SECOND }),
    use: (connectTimeout) => reconnected('rediss', { maxRetriesPerRequest: null, connectTimeout }),
    expected: { value: true },
  },
  {
    peer: 'object storage > removes a file',
    limits: () => ({ ours: S3_LIMITS.request, promised: 15 * SECOND }),
    use: (limitMs) => errorOf(s3('http', limitMs).delete('key')),
    expected: { name: 'StorageUnavailableError', message: 'RESUMES_URL: ETIMEDOUT' },
  },
  {
    peer: 'object storage > stores a file',
    limits: () => ({ ours: S3_LIMITS.request, promised: 15 * SECOND }),
    use: async (limitMs) => {
      const path = join(folder.path, 'upload');
      await writeFile(path, 'x');
      return errorOf(s3('http', limitMs).put(path, 'key'));
    },
    expected: { name: 'StorageUnavailableError', message: 'RESUMES_URL: ETIMEDOUT' },
  },
  {
    peer: 'object storage, in the TLS handshake',
    limits: () => ({ ours: S3_LIMITS.request, promised: 15 * SECOND }),
    use: (limitMs) => errorOf(s3('https', limitMs).get('key')),
    expected: { name: 'StorageUnavailableError', message: 'RESUMES_URL: ETIMEDOUT' },
  },
  {
    peer: 'virus scanner',
    limits: () => ({ ours: scanner().silenceMs, promised: 60 * SECOND }),
    use: (silenceMs) => errorOf(Object.assign(scanner(), { silenceMs }).scan(Readable.from([Buffer.from('x')]))),
    expected: { message: 'scanner: ETIMEDOUT' },
  },
  {
    peer: 'webhook',
    limits: () => ({ ours: webhook('http').timeoutMs, promised: 10 * SECOND }),
    use: (limitMs) => posted('http', limitMs),
    expected: { code: 'ETIMEDOUT' },
  },
  {
    peer: 'webhook, in the TLS handshake',
    limits: () => ({ ours: webhook('https').timeoutMs, promised: 10 * SECOND }),
    use: (limitMs) => posted('https', limitMs),
    expected: { code: 'ETIMEDOUT' },
  },
  {
    peer: 'webhook of alerts',
    limits: () => ({ ours: ALERT_TIMEOUT_MS, promised: 5 * SECOND }),
    use: (timeoutMs) => {
      const facts = { kind: 'x', state: 'raised', text: 'x', at: 0, instance: 'x', references: [], count: 0 } as const;
      return errorOf(attemptAlert(`http://${peer.address}`, facts, { timeoutMs }));
    },
    expected: { name: 'TimeoutError' },
  },
  {
    peer: 'DNS server of doctor',
    limits: () => ({ ours: LOOKUP_MS, promised: 3 * SECOND }),
    use: async (limitMs) => {
      const server = createSocket('udp4');
      server.bind(0, '127.0.0.1');
      await once(server, 'listening');
      const resolver = createResolver(limitMs);
      resolver.setServers([`127.0.0.1:${server.address().port}`]);
      return errorOf(resolver.resolveTxt('acme.test'), () => server.close());
    },
    expected: { code: 'ETIMEOUT' },
  },
];

describe('a peer that accepts a connection and says nothing', () => {
  it.each(rows)(
    'is given up in time > $peer',
    async ({ limits, use, expected }) => {
      const { ours, promised } = limits();
      expect(ours).toBeLessThanOrEqual(promised);
      expect(await use(SHORT)).toMatchObject(expected as object);
    },
    STUCK_MS,
  );

  it(
    'is a fault of each check of doctor',
    async () => {
      const [stdout, limits] = [new PassThrough(), { answer: 5 * SHORT, check: 10 * SHORT, trial: 12 * SHORT }];
      const http = `http://${peer.address}`;
      const environment = {
        SITE_URL: http,
        API_URL: http,
        WORKER_URL: `http://localhost:${peer.address.split(':')[1]}`,
        MAIL_FROM: 'website@acme.test',
        SMTP_URL: `smtp://${peer.address}`,
        REDIS_URL: `redis://${peer.address}`,
        DATABASE_URL: `file:${folder.path}/submissions.db`,
        RESUMES_URL: 's3://bucket/?path-style',
        AWS_ENDPOINT_URL_S3: http,
        AWS_ACCESS_KEY_ID: 'key',
        AWS_SECRET_ACCESS_KEY: 'secret',
        OIDC_ISSUER: http,
        ...CLIENT,
        INBOX_USERS: 'ada@acme.test:all:oidc',
        SUBMISSION_WEBHOOK_URL: `https://${peer.address}/`,
        SUBMISSION_WEBHOOK_SECRET: WEBHOOK_SECRET,
        ALERT_WEBHOOK_URL: http,
        ACKNOWLEDGE: 'on',
      };
      const outside = {
        ...OUTSIDE,
        resolveTxt: () => new Promise<never>(() => undefined),
        limits,
        alertTimeoutMs: SHORT,
      };
      await expect(
        doctor(new Terminal(stdout, new PassThrough()), environment, { send: true }, outside),
      ).rejects.toThrow('Faults to fix');
      stdout.end();
      const lines = (await text(stdout)).split('\n');
      const [check, trial] = ['no answer within 2 s', 'no answer within 2.4 s'];
      expect(lines).toEqual(
        expect.arrayContaining(
          [
            `mail server: ${check}. Check host and port in SMTP_URL`,
            `SPF of acme.test: ${check}`,
            'redis: connected, but does not answer',
            `files of résumés: ${check}`,
            `single sign-on: ${check}`,
            `api: ${http} does not answer (no answer)`,
            `worker: ${environment.WORKER_URL} does not answer (no answer)`,
            `${http}: cannot be reached (no answer)`,
            'SUBMISSION_WEBHOOK_URL: cannot be reached (ABORT_ERR)',
            `trial mails: ${trial}`,
            `trial acknowledgement: ${trial}`,
            'trial alert: ALERT_WEBHOOK_URL cannot be reached (TimeoutError)',
          ].map((line) => expect.stringContaining(`FIX   ${line}`)),
        ),
      );
    },
    STUCK_MS,
  );

  it('leaves doctor its limits', () => {
    expect(OUTSIDE.limits).toEqual({ answer: 10 * SECOND, check: 15 * SECOND, trial: 120 * SECOND });
  });
});

describe('an OpenID Connect provider that says nothing', () => {
  let stack: DeliveryStack;
  let provider: OpenIdProvider;
  let worker: INestApplication;

  beforeAll(async () => {
    // It warns that it is not set up for production.
    jest.spyOn(console, 'warn').mockImplementation(() => undefined);
    const port = await freePort();
    provider = await OpenIdProvider.start([`http://127.0.0.1:${port}/inbox/sign-in/callback`]);
    const INBOX_USERS = [{ name: 'hana@example.org', role: 'all', hash: OIDC }] as const;
    stack = await DeliveryStack.start({ settings: { INBOX_USERS, OIDC_ISSUER: provider.issuer, ...CLIENT } });
    worker = (await stack.startWorker()) as INestApplication;
    worker.get(OpenIdConnect, { strict: false }).timeoutMs = SECOND;
    await worker.listen(port, '127.0.0.1');
  });
  afterAll(async () => {
    await Promise.all([stack.close(), provider.stop()]);
  });

  it(
    'is not available, and not waited for > it is asked for its configuration',
    async () => {
      const settings = { ...stack.settings, OIDC_ISSUER: `http://${peer.address}` };
      const signIn = new OpenIdConnect(settings, stack.database);
      expect(signIn.timeoutMs).toBeLessThanOrEqual(5 * SECOND);
      Object.assign(signIn, { timeoutMs: SHORT }).onApplicationBootstrap();
      await until('the discovery is given up', async () => !signIn.isAvailable());
    },
    STUCK_MS,
  );

  it.each(['/token', '/jwks', '/me'])(
    'signs no user in > it is asked for %s',
    async (path) => {
      const browser = new InboxBrowser(new InboxClient(`http://127.0.0.1:${worker.getHttpServer().address().port}`));
      const { headers } = await browser.call('/inbox/sign-in/oidc', { method: 'POST' });
      const [, url = ''] = /url=(.+)/.exec(String(headers['refresh'])) ?? [];
      const back = await provider.signIn(url, 'hana@example.org');
      provider.silentPath = path;
      const answer = await browser.open(`${back.pathname}${back.search}`, {
        headers: { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Dest': 'document' },
      });
      expect([answer.status, answer.text]).toEqual([
        403,
        expect.stringContaining(words.signIn.refused({ provider: '' }).trim()),
      ]);
    },
    STUCK_MS,
  );
});
