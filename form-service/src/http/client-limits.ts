import { Inject, Injectable, Optional, type NestMiddleware, type OnApplicationShutdown } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import type { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { RESUME_MAX_BYTES } from '../contract/protocol.ts';
import { SETTINGS, type Settings } from '../settings/settings.ts';
import { checkRedis, createRedisClient, failFastOptions, KEY_PREFIX } from '../redis/redis-client.ts';
import { HttpError } from './http-error.ts';
import { contextOf } from './request-context.middleware.ts';
import { serviceWords } from '../contract/service-words.ts';

const words = serviceWords('errors');

const MINUTE_S = 60;
const HOUR_S = 3_600;

/** The first 1/4 of the rate limit is counted in this process, before Redis is asked for the count of all replicas. */
const LOCAL_SHARE = 4;

/** Maximum delay of a response by a frozen Redis. */
export const LIMITS_TIMEOUT_MS = 200;

/**
 * Rate limits by client key: submissions per minute, and each hour the bytes of as many of the largest
 * résumés, so that no client can fill the disk.
 * All replicas share the counters in Redis; while Redis is unavailable, each replica counts for itself.
 */
@Injectable()
export class ClientLimits implements OnApplicationShutdown {
  readonly redis: Redis;
  /** Counts the first submissions in memory, which spares almost every visitor a round trip to Redis. */
  private readonly local: RateLimiterMemory;
  private readonly submissions: RateLimiterRedis;
  private readonly bytes: RateLimiterRedis;

  constructor(
    @Inject(SETTINGS) settings: Pick<Settings, 'RATE_LIMIT_PER_MINUTE' | 'REDIS_URL'>,
    @Optional() timeoutMs = LIMITS_TIMEOUT_MS,
  ) {
    const { RATE_LIMIT_PER_MINUTE: points } = settings;
    this.redis = createRedisClient(settings, failFastOptions(timeoutMs));
    const limiter = (name: string, points: number, duration: number) =>
      new RateLimiterRedis({
        storeClient: this.redis,
        rejectIfRedisNotReady: true,
        keyPrefix: `${KEY_PREFIX}:${name}`,
        points,
        duration,
        inMemoryBlockOnConsumed: points + 1,
        insuranceLimiter: new RateLimiterMemory({ points, duration }),
      });
    this.local = new RateLimiterMemory({ points: Math.ceil(points / LOCAL_SHARE), duration: MINUTE_S });
    this.submissions = limiter('rate', points, MINUTE_S);
    this.bytes = limiter('upload-bytes', points * RESUME_MAX_BYTES, HOUR_S);
  }

  /** @throws HttpError 429 */
  async countSubmission(client: string): Promise<void> {
    const { consumedPoints } = await this.local.penalty(client);
    if (consumedPoints <= this.local.points) return;
    // The first submission that is counted in Redis adds those that were counted in memory.
    const points = consumedPoints === this.local.points + 1 ? consumedPoints : 1;
    const waitMs = await consume(this.submissions, client, points);
    if (waitMs === undefined) return;
    throw new HttpError('rate-limited', words.tooManyRequests, {
      retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)),
    });
  }

  /** Returns the fault of Redis, or undefined if it accepts a write. */
  check(): Promise<string | undefined> {
    return checkRedis(this.redis);
  }

  onApplicationShutdown(): void {
    this.redis.disconnect();
  }

  /**
   * Counts bytes of an upload. A count of 0 only checks whether the client has exceeded its limit.
   *
   * @throws HttpError 429
   */
  async countBytes(client: string, bytes: number): Promise<void> {
    const waitMs = await consume(this.bytes, client, bytes);
    if (waitMs === undefined) return;
    const minutes = Math.max(1, Math.ceil(waitMs / 60_000));
    throw new HttpError('rate-limited', words.tooManyFiles({ count: minutes }), { retryAfterSeconds: minutes * 60 });
  }
}

/** Applies the rate limit to a POST before its body is read. */
@Injectable()
export class RateLimitMiddleware implements NestMiddleware {
  constructor(private readonly limits: ClientLimits) {}

  async use({ method }: Request, response: Response, next: NextFunction): Promise<void> {
    if (method === 'POST') await this.limits.countSubmission(contextOf(response).client);
    next();
  }
}

/** Counts points of a client. @returns after how many milliseconds it may try again, if it is over the limit */
async function consume(limiter: RateLimiterRedis, client: string, points: number): Promise<number | undefined> {
  try {
    await limiter.consume(client, points);
    return undefined;
  } catch (error) {
    if (error instanceof RateLimiterRes) return error.msBeforeNext;
    throw error;
  }
}
