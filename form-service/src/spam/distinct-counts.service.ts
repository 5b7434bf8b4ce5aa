import { Injectable } from '@nestjs/common';
import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';
import { KEY_PREFIX } from '../redis/redis-client.ts';
import { SharedRedis } from '../redis/shared-redis.service.ts';

/** Seconds after its first member until a count starts again. */
const DURATION_S = 3_600;

/** Counts the different members of short-lived sets, across all replicas; per process while Redis is unavailable. */
@Injectable()
export class DistinctCounts {
  private readonly counter: RateLimiterRedis;

  constructor({ client }: SharedRedis) {
    const limits = { points: 1, duration: DURATION_S };
    this.counter = new RateLimiterRedis({
      ...limits,
      storeClient: client,
      rejectIfRedisNotReady: true,
      keyPrefix: KEY_PREFIX,
      insuranceLimiter: new RateLimiterMemory(limits),
    });
  }

  /** Adds a member to a set and returns the number of members. Both must be digests or random, because they are stored. */
  async add(set: string, member: string): Promise<number> {
    const { consumedPoints: times } = await this.counter.penalty(`${set}:${member}`);
    const count = times === 1 ? await this.counter.penalty(set) : await this.counter.get(set);
    return count?.consumedPoints ?? 1;
  }
}
