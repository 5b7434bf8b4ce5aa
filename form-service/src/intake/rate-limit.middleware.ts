import { Inject, Injectable, type NestMiddleware } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { SETTINGS, type Settings } from '../config/settings.ts';
import { KEY_PREFIX } from '../redis/redis-client.ts';
import { SharedRedis } from '../redis/shared-redis.service.ts';
import { clientKey } from '../redis/client-key.ts';
import { HttpError } from './http-error.ts';

/** Submissions of a client that one process lets through by itself, before it asks Redis what the others counted. */
const LOCAL_SHARE = 4;

/**
 * Counts submissions per client and minute. The first few are counted in this process alone, which spares nearly every
 * visitor a round trip; whoever sends more is counted for all replicas together, or, while Redis is away, by each for itself.
 */
@Injectable()
export class RateLimitMiddleware implements NestMiddleware {
  private readonly local: RateLimiterMemory;
  private readonly shared: RateLimiterRedis;

  constructor(
    @Inject(SETTINGS) { RATE_LIMIT_PER_MINUTE: points }: Pick<Settings, 'RATE_LIMIT_PER_MINUTE'>,
    { client }: SharedRedis,
  ) {
    const localPoints = Math.ceil(points / LOCAL_SHARE);
    this.local = new RateLimiterMemory({ points: localPoints, duration: 60 });
    this.shared = new RateLimiterRedis({
      storeClient: client,
      rejectIfRedisNotReady: true,
      keyPrefix: `${KEY_PREFIX}:rate`,
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
    const { consumedPoints } = await this.local.consume(key).catch(limited);
    if (consumedPoints <= this.local.points) return;
    // With the first that is counted everywhere come those that were counted here.
    const points = consumedPoints === this.local.points + 1 ? consumedPoints : 1;
    const rejection = await this.shared.consume(key, points).then(() => undefined, limited);
    if (rejection) throw HttpError.rateLimited(Math.max(1, Math.ceil(rejection.msBeforeNext / 1000)));
  }
}

/** A limit that is reached is rejected like an error; an error is thrown on. */
function limited(rejection: unknown): RateLimiterRes {
  if (rejection instanceof RateLimiterRes) return rejection;
  throw rejection;
}
