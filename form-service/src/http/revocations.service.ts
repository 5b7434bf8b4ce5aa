import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { SETTINGS, type RedisSettings } from '../config/settings.ts';
import { createRedisClient, KEY_PREFIX } from '../redis/redis-client.ts';

/** Maximum delay of a response by an unavailable Redis. */
export const REVOCATIONS_TIMEOUT_MS = 200;

/** Ids of signed cookies that ended before they expire. Redis keeps each until then, so it needs no table. */
@Injectable()
export class Revocations implements OnApplicationShutdown {
  private readonly client: Redis;

  constructor(@Inject(SETTINGS) settings: RedisSettings) {
    this.client = createRedisClient(settings, { maxRetriesPerRequest: 0, commandTimeout: REVOCATIONS_TIMEOUT_MS });
  }

  /** @returns whether the id is stored; false while Redis is unavailable */
  add(id: string, lifetimeMs: number): Promise<boolean> {
    return this.client.set(keyOf(id), 1, 'PX', lifetimeMs).then(
      () => true,
      () => false,
    );
  }

  /** Whether the id is stored; false while Redis is unavailable, so that an outage locks nobody out. */
  has(id: string): Promise<boolean> {
    return this.client.exists(keyOf(id)).then(
      (count) => count > 0,
      () => false,
    );
  }

  onApplicationShutdown(): void {
    this.client.disconnect();
  }
}

const keyOf = (id: string) => `${KEY_PREFIX}:ended:${id}`;
