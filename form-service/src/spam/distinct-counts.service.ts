import { Injectable } from '@nestjs/common';
import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';
import { KEY_PREFIX } from '../redis/redis-client.ts';
import { SharedRedis } from '../redis/shared-redis.service.ts';

/** A count begins anew so many seconds after its first member. */
const DURATION_S = 3_600;

/**
 * Counts the different members of short-lived sets, for all replicas together, or for this process alone while Redis is
 * away.
 */
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

  /**
   * Adds a member to a set and returns the number of different ones. Both names must be digests, because they are
   * stored.
   */
  async add(set: string, member: string): Promise<number> {
    const { consumedPoints: times } = await this.counter.penalty(`${set}:${member}`);
    const count = times === 1 ? await this.counter.penalty(set) : await this.counter.get(set);
    return count?.consumedPoints ?? 1;
  }
}
