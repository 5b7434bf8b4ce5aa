import { afterEach, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { RedisServer } from '../../test/redis-server.ts';
import { TcpProxy } from '../../test/tcp-proxy.ts';
import { until } from '../../test/until.ts';
import { randomSubmissionId } from '../../test/submissions.ts';
import { DeliveryQueue } from './delivery.queue.ts';

let redis: RedisServer;
let queue: DeliveryQueue;

afterEach(async () => {
  redis.signal('SIGCONT');
  await queue.onApplicationShutdown();
  await redis.stop();
});

const connected = () => until('a connection', async () => (await queue.check()) === undefined);

describe('DeliveryQueue', () => {
  it('holds one job for a submission > added several times', async () => {
    redis = await RedisServer.start();
    queue = new DeliveryQueue({ REDIS_URL: redis.url });
    await connected();
    const [id, other] = [randomSubmissionId(), randomSubmissionId()];
    for (let i = 0; i < 5; i++) queue.add(id);
    await queue.addAll([id, other]);
    expect(await queue.counts()).toMatchObject({ wait: 2, failed: 0 });
  });

  it('neither throws nor waits > Redis is unavailable', async () => {
    redis = await RedisServer.reserve();
    queue = new DeliveryQueue({ REDIS_URL: redis.url });
    queue.add(randomSubmissionId());
    expect(await queue.check()).toMatchObject({ cause: 'does not answer' });
    await expect(queue.addAll([randomSubmissionId()])).rejects.toThrow();
    await redis.start();
    await connected();
    await queue.addAll([randomSubmissionId()]);
  });

  it('adds jobs to the new primary > the server is demoted, and nothing checks it', async () => {
    redis = await RedisServer.start();
    const primary = await RedisServer.start();
    const network = await TcpProxy.start(redis.port);
    queue = new DeliveryQueue({ REDIS_URL: `redis://127.0.0.1:${network.port}` });
    await connected();
    network.target = primary.port;
    const operator = new Redis(redis.url);
    await operator.replicaof('127.0.0.1', primary.port);
    operator.disconnect();
    try {
      const id = randomSubmissionId();
      await expect(queue.addAll([id])).rejects.toThrow('REDIS_URL: it is a read-only replica (READONLY)');
      await until('a job', () =>
        queue.addAll([id]).then(
          () => true,
          () => false,
        ),
      );
      expect(network.connectionsTo(redis.port)).toBe(0);
    } finally {
      await network.stop();
      await primary.stop();
    }
  }, 20_000);
});
