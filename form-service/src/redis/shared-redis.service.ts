import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { SETTINGS, type RedisSettings } from '../config/settings.ts';
import { HealthService, type CheckResult } from '../observability/health.service.ts';
import { createRedisClient, type RedisClient } from './redis-client.ts';
import { checkRedis } from './redis.health.ts';

/** A Redis that hangs delays an answer by this at most, in milliseconds. */
const TIMEOUT_MS = 200;

/** The connection for what the api's replicas count together. While Redis is away every command fails at once. */
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

  /** Without Redis the api does its work all the same: each replica counts for itself. */
  private async check(): Promise<CheckResult> {
    const cause = await checkRedis(this.client);
    return cause === undefined ? { status: 'ok' } : { status: 'degraded', cause };
  }
}
