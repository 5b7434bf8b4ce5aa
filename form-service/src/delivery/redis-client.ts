import { Redis, type RedisOptions } from 'ioredis';

/** Longest pause between two attempts to reach Redis, in milliseconds: everything works again within 2 s of its return. */
const RECONNECT_MAX_MS = 1_000;

/**
 * A connection to Redis that never gives up and never crashes the process. Outages are seen by its `close` and `ready`
 * events; the driver's own error events carry nothing more and are let go.
 */
export function createRedisClient(url: string, options: RedisOptions): Redis {
  const client = new Redis(url, {
    retryStrategy: (attempt) => Math.min(attempt * 100, RECONNECT_MAX_MS),
    connectTimeout: 5_000,
    ...options,
  });
  client.on('error', () => undefined);
  return client;
}
