import { rm } from 'node:fs/promises';
import type { INestApplicationContext } from '@nestjs/common';
import { Logger } from '@nestjs/common';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Redis } from 'ioredis';
import { AlertReceiver } from '../../test/alert-receiver.ts';
import { DeliveryStack } from '../../test/delivery-stack.ts';
import { freePort } from '../../test/free-port.ts';
import { RedisServer } from '../../test/redis-server.ts';
import { storeEnquiry } from '../../test/submissions.ts';
import { TcpProxy } from '../../test/tcp-proxy.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { until } from '../../test/until.ts';
import { Monitor } from '../health/monitor.service.ts';
import { HealthService } from '../health/health.service.ts';

const ENQUIRIES = 3;

let receiver: AlertReceiver;
let stack: DeliveryStack;
let worker: INestApplicationContext;

const redisHealth = async () => (await worker.get(HealthService).report()).checks['redis'];

/** Runs commands whose arguments are separated by spaces. */
async function run(client: Redis, ...commands: readonly string[]): Promise<void> {
  for (const command of commands) {
    const [name = '', ...args] = command.split(' ');
    await client.call(name, ...args);
  }
}

async function storeEnquiries(): Promise<string[]> {
  return Promise.all(Array.from({ length: ENQUIRIES }, () => storeEnquiry(stack)));
}

/** Resolves when all these submissions are mailed, each once. */
async function mailedOnce(ids: readonly string[]): Promise<void> {
  await stack.delivered(...ids);
  const subjects = stack.mail.received.map(({ subject = '' }) => subject);
  for (const id of ids) expect(subjects.filter((subject) => subject.includes(id))).toHaveLength(1);
}

afterEach(() => {
  jest.restoreAllMocks();
});

describe('delivery > Redis rejects commands', () => {
  /** Connected before there is a password. */
  let operator: Redis;
  let unusedPort: number;

  beforeAll(async () => {
    Logger.overrideLogger(false);
    receiver = await AlertReceiver.start();
    unusedPort = await freePort();
    const folder = await temporaryFolder();
    // Without its folder, Redis cannot save.
    const redis = await RedisServer.start('--dir', folder.path, '--save', '3600 1');
    operator = new Redis(redis.url);
    await rm(folder.path, { recursive: true });
    const REDIS_URL = redis.url.replace('//', '//:password@');
    await run(operator, 'CONFIG SET requirepass password');
    stack = await DeliveryStack.start({ redis, settings: { REDIS_URL, ALERT_WEBHOOK_URL: receiver.url } });
    worker = await stack.startWorker();
    worker.get(HealthService).cacheMs = 0;
  });
  afterAll(async () => {
    operator.disconnect();
    await stack.close();
    receiver.close();
  });

  const kick = 'CLIENT KILL TYPE normal SKIPME yes';
  it.each([
    ['OOM', ['CONFIG SET maxmemory 1'], ['CONFIG SET maxmemory 0']],
    ['READONLY', () => [`REPLICAOF 127.0.0.1 ${unusedPort}`], ['REPLICAOF NO ONE']],
    ['NOREPLICAS', ['CONFIG SET min-replicas-to-write 1'], ['CONFIG SET min-replicas-to-write 0']],
    ['MISCONF', ['BGSAVE'], ['CONFIG SET stop-writes-on-bgsave-error no']],
    ['NOPERM', ['ACL SETUSER default -@write'], ['ACL SETUSER default +@write']],
    ['WRONGPASS', ['CONFIG SET requirepass other', kick], ['CONFIG SET requirepass password']],
  ])('mails everything once, and health, alert and log name %s', async (code, begin, end) => {
    const warn = jest.spyOn(Logger.prototype, 'warn');
    const loggedCauses = () =>
      warn.mock.calls.flatMap(([{ event, code: cause }]) => (event === 'task failed' ? [String(cause)] : []));
    await run(operator, ...(typeof begin === 'function' ? begin() : begin));
    const monitor = worker.get(Monitor);
    let ids: string[] = [];
    try {
      await until('the cause in the health', async () => {
        const result = await redisHealth();
        return result?.status === 'down' && result.cause?.includes(`(${code})`);
      });
      ids = await storeEnquiries();
      await until('the cause in the log', () => loggedCauses().at(-1)?.includes(`(${code})`));
      const posts = () => receiver.posts.filter(({ kind, text }) => kind === 'redis-away' && text.includes(code));
      await monitor.check();
      await until('the alert', () => monitor.check(performance.now() + 30_000).then(() => posts().length > 0));
      // One line for each cause in a row: a lost connection comes before a rejected login, and a slow answer in between.
      const causes = loggedCauses();
      expect(causes.filter((cause, index) => cause === causes[index - 1])).toEqual([]);
    } finally {
      await run(operator, ...end);
    }
    await mailedOnce(ids);
    await until('Redis again', async () => (await redisHealth())?.status === 'ok');
    await until('the end of the alert', () => monitor.check().then(() => receiver.stateOf('redis-away') === 'over'));
  });
});

describe('delivery > Redis is demoted', () => {
  it('uses the new primary with every connection, and mails everything once', async () => {
    Logger.overrideLogger(false);
    const [first, second] = await Promise.all([RedisServer.start(), RedisServer.start()]);
    const operator = new Redis(first.url);
    const network = await TcpProxy.start(first.port);
    const redis = { REDIS_URL: `redis://127.0.0.1:${network.port}` };
    stack = await DeliveryStack.start({ redis: first, settings: redis });
    worker = await stack.startWorker();
    try {
      await mailedOnce(await storeEnquiries());
      network.target = second.port;
      await run(operator, `REPLICAOF 127.0.0.1 ${second.port}`);
      await mailedOnce(await storeEnquiries());
      await until('no connection to the old primary', () => network.connectionsTo(first.port) === 0);
      expect(await redisHealth()).toEqual({ status: 'ok' });
    } finally {
      operator.disconnect();
      await stack.close();
      await Promise.all([network.stop(), second.stop()]);
    }
  });
});
