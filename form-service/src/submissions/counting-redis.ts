import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { SETTINGS } from '../config/env.ts';
import type { RedisSettings } from '../config/redis-settings.ts';
import { createRedisClient, type RedisClient } from '../delivery/redis-client.ts';
import { Readiness, type ProbeResult } from '../health/readiness.ts';
import { redisTrouble } from '../health/redis.probe.ts';

/** A Redis that hangs delays an answer by this at most, in milliseconds. */
const PATIENCE_MS = 200;

/** The connection for what the api's replicas count together. While Redis is away every command fails at once. */
@Injectable()
export class CountingRedis implements OnApplicationShutdown {
  readonly client: RedisClient;

  constructor(@Inject(SETTINGS) settings: RedisSettings, @Inject(Readiness) readiness: Readiness) {
    this.client = createRedisClient(settings, { enableOfflineQueue: false, enableAutoPipelining: true, maxRetriesPerRequest: 0, commandTimeout: PATIENCE_MS });
    readiness.register('redis', () => this.check());
  }

  onApplicationShutdown(): void {
    this.client.disconnect();
  }

  /** Without Redis the api does its work all the same: each replica counts for itself. */
  private async check(): Promise<ProbeResult> {
    const cause = await redisTrouble(this.client);
    return cause === undefined ? { status: 'ok' } : { status: 'degraded', cause };
  }
}
