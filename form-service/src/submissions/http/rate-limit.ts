import { Inject, Injectable, type NestMiddleware, type OnApplicationShutdown } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import type { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { SETTINGS, type Settings } from '../../config/env.ts';
import { createRedisClient } from '../../delivery/redis-client.ts';
import { Readiness } from '../../health/readiness.ts';
import { Refusal } from '../refusal.ts';
import { clientKey } from './client-key.ts';

/** A Redis that hangs delays an answer by this at most, in milliseconds. */
const REDIS_PATIENCE_MS = 200;

/** Counts submissions per client and minute, for all replicas together; while Redis is away, each counts for itself. */
@Injectable()
export class RateLimit implements NestMiddleware, OnApplicationShutdown {
  private readonly client: Redis;
  private readonly limiter: RateLimiterRedis;

  constructor(
    @Inject(SETTINGS) { REDIS_URL, RATE_LIMIT_PER_MINUTE: points }: Pick<Settings, 'REDIS_URL' | 'RATE_LIMIT_PER_MINUTE'>,
    @Inject(Readiness) readiness: Readiness,
  ) {
    this.client = createRedisClient(REDIS_URL, { enableOfflineQueue: false, enableAutoPipelining: true, maxRetriesPerRequest: 0, commandTimeout: REDIS_PATIENCE_MS });
    readiness.register('redis', () => (this.client.status === 'ready' ? { status: 'ok' } : { status: 'degraded', cause: 'away' }));
    this.limiter = new RateLimiterRedis({
      storeClient: this.client,
      rejectIfRedisNotReady: true,
      keyPrefix: 'rate',
      points,
      duration: 60,
      inMemoryBlockOnConsumed: points + 1,
      insuranceLimiter: new RateLimiterMemory({ points, duration: 60 }),
    });
  }

  async use(request: Request, _response: Response, next: NextFunction): Promise<void> {
    if (request.method === 'POST') await this.consume(clientKey(request.ip));
    next();
  }

  onApplicationShutdown(): void {
    this.client.disconnect();
  }

  private async consume(key: string): Promise<void> {
    try {
      await this.limiter.consume(key);
    } catch (rejection) {
      if (!(rejection instanceof RateLimiterRes)) throw rejection;
      throw Refusal.rateLimited(Math.max(1, Math.ceil(rejection.msBeforeNext / 1000)));
    }
  }
}
