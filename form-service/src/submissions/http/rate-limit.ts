import { Inject, Injectable, type NestMiddleware } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { SETTINGS, type Settings } from '../../config/env.ts';
import { CountingRedis } from '../counting-redis.ts';
import { Refusal } from '../refusal.ts';
import { clientKey } from './client-key.ts';

/** Counts submissions per client and minute, for all replicas together; while Redis is away, each counts for itself. */
@Injectable()
export class RateLimit implements NestMiddleware {
  private readonly limiter: RateLimiterRedis;

  constructor(
    @Inject(SETTINGS) { RATE_LIMIT_PER_MINUTE: points }: Pick<Settings, 'RATE_LIMIT_PER_MINUTE'>,
    @Inject(CountingRedis) { client }: CountingRedis,
  ) {
    this.limiter = new RateLimiterRedis({
      storeClient: client,
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

  private async consume(key: string): Promise<void> {
    try {
      await this.limiter.consume(key);
    } catch (rejection) {
      if (!(rejection instanceof RateLimiterRes)) throw rejection;
      throw Refusal.rateLimited(Math.max(1, Math.ceil(rejection.msBeforeNext / 1000)));
    }
  }
}
