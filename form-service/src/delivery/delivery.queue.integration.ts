import { afterEach, describe, expect, it } from '@jest/globals';
import { RedisServer } from '../../test/redis-server.ts';
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
    expect(await queue.check()).toBe('does not answer');
    await expect(queue.addAll([randomSubmissionId()])).rejects.toThrow();
    await redis.start();
    await connected();
    await queue.addAll([randomSubmissionId()]);
  });
});
