import { afterEach, describe, expect, it } from '@jest/globals';
import { RedisServer } from '../../test/redis-server.ts';
import { until } from '../../test/until.ts';
import { randomSubmissionId } from '../storage/submission-id.ts';
import { DeliveryQueue } from './delivery-queue.ts';

let redis: RedisServer;
let queue: DeliveryQueue;

afterEach(async () => {
  redis.signal('SIGCONT');
  await queue.onApplicationShutdown();
  await redis.stop();
});

const ids = (count: number) => Array.from({ length: count }, randomSubmissionId);
const live = async () => [...(await queue.overview()).live].toSorted();

describe('the producer', () => {
  it('adds one job for a submission, however often it is asked to', async () => {
    redis = await RedisServer.start();
    queue = new DeliveryQueue({ REDIS_URL: redis.url });
    const [id] = ids(1) as [string];
    for (let i = 0; i < 5; i++) queue.enqueue(id);
    await until('a job', async () => queue.isConnected && (await live()).length > 0);
    queue.enqueue(id);
    const [other] = ids(1) as [string];
    queue.enqueue(other);
    await until('the other job', async () => (await live()).includes(other));
    expect(await live()).toEqual([id, other].toSorted());
    expect(await queue.counts()).toMatchObject({ wait: 2, delayed: 0, failed: 0 });
    expect(await queue.remove(id)).toBe(true);
    expect(await live()).toEqual([other]);
  });

  it('neither throws nor waits while Redis is away, and adds what it was asked for when it is there', async () => {
    redis = await RedisServer.reserve();
    queue = new DeliveryQueue({ REDIS_URL: redis.url });
    const many = ids(450);
    for (const id of many) queue.enqueue(id);
    expect(queue.isConnected).toBe(false);
    await expect(queue.overview()).rejects.toThrow();
    await redis.start();
    await until('all jobs', async () => queue.isConnected && (await live()).length === many.length);
    expect(await live()).toEqual(many.toSorted());
  });

  it('keeps what Redis could not take when it stopped', async () => {
    redis = await RedisServer.start();
    queue = new DeliveryQueue({ REDIS_URL: redis.url });
    await until('a connection', () => queue.isConnected);
    await redis.stop();
    const [id] = ids(1) as [string];
    queue.enqueue(id);
    await redis.start();
    await until('the job', async () => queue.isConnected && (await live()).includes(id));
    expect(await live()).toEqual([id]);
  });

  it('says so within seconds when Redis does not answer', async () => {
    redis = await RedisServer.start();
    queue = new DeliveryQueue({ REDIS_URL: redis.url });
    await until('a connection', () => queue.isConnected);
    redis.signal('SIGSTOP');
    await expect(queue.overview()).rejects.toThrow('timed out');
  });
});
