import { setTimeout as pause } from 'node:timers/promises';
import { Redis, type RedisOptions } from 'ioredis';
import type { RedisSettings } from '../config/settings.ts';

/** Prefix of all keys, so that other applications can share the Redis. */
export const KEY_PREFIX = 'kitewright';

const CONNECT_MS = 5_000;

/** Maximum pause between two connection attempts, so that everything works within 2 s of Redis's return. */
const RECONNECT_MAX_MS = 1_000;

/** Time limit for the answer to a PING. */
const PING_MS = 1_000;

/** Options of a connection whose commands fail at once while Redis is unavailable, and otherwise after this time. */
export const failFastOptions = (commandTimeout: number) => ({
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  commandTimeout,
});

/**
 * Creates a connection that reconnects without limit and never crashes the process. Its `close` and `ready` events show
 * outages, so the driver's `error` events are ignored.
 */
export function createRedisClient(
  { REDIS_URL }: RedisSettings,
  options: Pick<RedisOptions, 'enableOfflineQueue' | 'maxRetriesPerRequest' | 'commandTimeout'>,
): Redis {
  const client = new Redis(REDIS_URL, {
    ...options,
    enableAutoPipelining: true,
    connectTimeout: CONNECT_MS,
    retryStrategy: (attempt) => Math.min(attempt * 100, RECONNECT_MAX_MS),
  });
  client.on('error', () => undefined);
  return client;
}

/** Returns the fault of a connection, or undefined if Redis answers. The connection of a frozen Redis stays open. */
export async function checkRedis(client: Redis): Promise<'away' | 'connected, but does not answer' | undefined> {
  if (client.status !== 'ready') return 'away';
  const timeout = pause(PING_MS, 'late', { ref: false });
  const answer = await Promise.race([client.ping().catch(() => 'failed'), timeout]);
  return answer === 'PONG' ? undefined : 'connected, but does not answer';
}
