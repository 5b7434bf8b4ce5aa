import { Inject, Injectable, type NestMiddleware } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { SETTINGS, type Settings } from '../config/settings.ts';
import { KEY_PREFIX } from '../redis/redis-client.ts';
import { SharedRedis } from '../redis/shared-redis.service.ts';
import { clientKey } from '../spam/client-key.ts';
import { HttpError } from './http-error.ts';

/** A process lets through so many submissions of a client before it asks Redis for the count of all replicas. */
const LOCAL_SHARE = 4;

/**
 * Limits the submissions per client and minute. The first few are counted in this process alone, which spares nearly
 * every visitor a round trip to Redis. Further ones are counted for all replicas together, or, while Redis is away, by
 * each replica for itself.
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
    // The first request that is counted in Redis adds those that were counted here.
    const points = consumedPoints === this.local.points + 1 ? consumedPoints : 1;
    const rejection = await this.shared.consume(key, points).then(() => undefined, limited);
    if (rejection) throw HttpError.rateLimited(Math.max(1, Math.ceil(rejection.msBeforeNext / 1000)));
  }
}

/** The limiter rejects with a result when the limit is reached; any other rejection is an error and is thrown on. */
function limited(rejection: unknown): RateLimiterRes {
  if (rejection instanceof RateLimiterRes) return rejection;
  throw rejection;
}
