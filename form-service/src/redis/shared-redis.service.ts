import { Inject, Injectable, Optional, type OnApplicationShutdown } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { SETTINGS, type RedisSettings } from '../config/settings.ts';
import { checkRedis, createRedisClient, failFastOptions } from './redis-client.ts';

/** Maximum delay of a response by a frozen Redis. */
export const SHARED_TIMEOUT_MS = 200;

/** Connection for the counters that replicas of the api share. Commands fail at once while Redis is unavailable. */
@Injectable()
export class SharedRedis implements OnApplicationShutdown {
  readonly client: Redis;

  constructor(@Inject(SETTINGS) settings: RedisSettings, @Optional() timeoutMs = SHARED_TIMEOUT_MS) {
    this.client = createRedisClient(settings, failFastOptions(timeoutMs));
  }

  /** Returns the fault of Redis, or undefined if it accepts a write. */
  check(): Promise<string | undefined> {
    return checkRedis(this.client);
  }

  onApplicationShutdown(): void {
    this.client.disconnect();
  }
}
