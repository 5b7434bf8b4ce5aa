import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { SETTINGS, type Settings } from '../config/env.ts';
import { createRedisClient } from '../delivery/redis-client.ts';
import { Readiness } from '../health/readiness.ts';

/** A Redis that hangs delays an answer by this at most, in milliseconds. */
const PATIENCE_MS = 200;

/** The connection for what the api's replicas count together. While Redis is away every command fails at once. */
@Injectable()
export class CountingRedis implements OnApplicationShutdown {
  readonly client: Redis;

  constructor(@Inject(SETTINGS) { REDIS_URL }: Pick<Settings, 'REDIS_URL'>, @Inject(Readiness) readiness: Readiness) {
    this.client = createRedisClient(REDIS_URL, { enableOfflineQueue: false, enableAutoPipelining: true, maxRetriesPerRequest: 0, commandTimeout: PATIENCE_MS });
    readiness.register('redis', () => (this.client.status === 'ready' ? { status: 'ok' } : { status: 'degraded', cause: 'away' }));
  }

  onApplicationShutdown(): void {
    this.client.disconnect();
  }
}
