import { Queue } from 'bullmq';
import type { RedisSettings } from '../config/settings.ts';
import { createRedisClient, KEY_PREFIX } from './redis-client.ts';

/** The producer's side of a queue, with a connection of its own. */
export type OpenQueue<Job> = ReturnType<typeof openQueue<Job>>;

/** Opens a queue for adding jobs. While Redis is away, every command rejects at once instead of waiting. */
export function openQueue<Job>(name: string, settings: RedisSettings) {
  const client = createRedisClient(settings, {
    enableOfflineQueue: false,
    enableAutoPipelining: true,
    maxRetriesPerRequest: 0,
    commandTimeout: 5_000,
  });
  const queue = new Queue<Job>(name, {
    connection: client,
    prefix: KEY_PREFIX,
    skipWaitingForReady: true,
    skipVersionCheck: true,
    skipMetasUpdate: true,
  });
  queue.on('error', () => undefined);
  const close = async () => {
    await queue.close();
    client.disconnect();
  };
  return { queue, client, close };
}
