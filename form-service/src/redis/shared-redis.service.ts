import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { SETTINGS, type RedisSettings } from '../config/settings.ts';
import { HealthService, type CheckResult } from '../observability/health.service.ts';
import { createRedisClient, type RedisClient } from './redis-client.ts';
import { checkRedis } from './redis.health.ts';

/** A Redis that hangs delays an answer by this time at most. */
const TIMEOUT_MS = 200;

/** The connection for the counters that the api's replicas share. While Redis is away, every command fails at once. */
@Injectable()
export class SharedRedis implements OnApplicationShutdown {
  readonly client: RedisClient;

  constructor(@Inject(SETTINGS) settings: RedisSettings, health: HealthService) {
    this.client = createRedisClient(settings, {
      enableOfflineQueue: false,
      enableAutoPipelining: true,
      maxRetriesPerRequest: 0,
      commandTimeout: TIMEOUT_MS,
    });
    health.register('redis', () => this.check());
  }

  onApplicationShutdown(): void {
    this.client.disconnect();
  }

  /** The api works without Redis; then each replica counts for itself. */
  private async check(): Promise<CheckResult> {
    const cause = await checkRedis(this.client);
    return cause === undefined ? { status: 'ok' } : { status: 'degraded', cause };
  }
}
