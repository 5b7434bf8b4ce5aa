import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { SETTINGS, type RedisSettings } from '../config/settings.ts';
import { HealthService } from '../observability/health.service.ts';
import { checkRedis, createRedisClient, failingFast } from './redis-client.ts';

/** A Redis that hangs delays an answer by this time at most. */
const TIMEOUT_MS = 200;

/** The connection for the counters that the api's replicas share. While Redis is away, every command fails at once. */
@Injectable()
export class SharedRedis implements OnApplicationShutdown {
  readonly client: Redis;

  constructor(@Inject(SETTINGS) settings: RedisSettings, health: HealthService) {
    this.client = createRedisClient(settings, failingFast(TIMEOUT_MS));
    // The api works without Redis; then each replica counts for itself.
    health.register('redis', async () => {
      const cause = await checkRedis(this.client);
      return cause === undefined ? { status: 'ok' } : { status: 'degraded', cause };
    });
  }

  onApplicationShutdown(): void {
    this.client.disconnect();
  }
}
