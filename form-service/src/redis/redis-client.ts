import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { Redis, type RedisOptions } from 'ioredis';
import type { RedisSettings } from '../config/settings.ts';

/** The prefix of all our keys, so that a Redis can be shared. */
export const KEY_PREFIX = 'kitewright';

const CONNECT_MS = 5_000;

/** The longest pause between two attempts to reach Redis, so that everything works again within 2 s of its return. */
const RECONNECT_MAX_MS = 1_000;

/** A Redis that takes longer than this to answer a PING counts as frozen. */
const PING_MS = 1_000;

/** The options of a connection whose commands reject at once while Redis is away, and else after this time. */
export const failingFast = (commandTimeout: number) => ({
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  commandTimeout,
});

/**
 * A connection to Redis that reconnects for ever and never crashes the process. Its `close` and `ready` events show
 * outages; the driver's error events add nothing and are ignored.
 */
export function createRedisClient(
  { REDIS_URL, REDIS_CA_FILE }: RedisSettings,
  options: Pick<RedisOptions, 'enableOfflineQueue' | 'maxRetriesPerRequest' | 'commandTimeout'>,
): Redis {
  const client = new Redis(REDIS_URL, {
    ...options,
    enableAutoPipelining: true,
    connectTimeout: CONNECT_MS,
    retryStrategy: (attempt) => Math.min(attempt * 100, RECONNECT_MAX_MS),
    ...(REDIS_CA_FILE && REDIS_URL.startsWith('rediss:') && { tls: { ca: readFileSync(REDIS_CA_FILE) } }),
  });
  client.on('error', () => undefined);
  return client;
}

/**
 * The fault of a Redis connection, or undefined when Redis answers. An open connection alone is no proof, since that of
 * a Redis which hangs stays open.
 */
export async function checkRedis(client: Redis): Promise<'away' | 'connected, but does not answer' | undefined> {
  if (client.status !== 'ready') return 'away';
  const timeout = pause(PING_MS, 'late', { ref: false });
  const answer = await Promise.race([client.ping().catch(() => 'failed'), timeout]);
  return answer === 'PONG' ? undefined : 'connected, but does not answer';
}
