import { Inject, Injectable } from '@nestjs/common';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { SETTINGS, type Settings } from '../config/settings.ts';
import { KEY_PREFIX } from '../redis/redis-client.ts';
import { SharedRedis } from '../redis/shared-redis.service.ts';
import { HttpError } from './http-error.ts';

const MINUTE_S = 60;
const HOUR_S = 3_600;

/** A process lets through so many submissions of a client before it asks Redis for the count of all replicas. */
const LOCAL_SHARE = 4;

/**
 * Limits what one client may send: submissions per minute, and bytes of résumés per hour, so that no client can fill
 * the disk alone. All replicas count together, or, while Redis is away, each for itself. A client is named by its key.
 */
@Injectable()
export class ClientLimits {
  /** The first few submissions are counted here alone, which spares nearly every visitor a round trip to Redis. */
  private readonly local: RateLimiterMemory;
  private readonly submissions: RateLimiterRedis;
  private readonly bytes: RateLimiterRedis;

  constructor(
    @Inject(SETTINGS)
    settings: Pick<Settings, 'RATE_LIMIT_PER_MINUTE' | 'UPLOAD_BYTES_PER_HOUR'>,
    { client }: SharedRedis,
  ) {
    const limiter = (name: string, points: number, duration: number) =>
      new RateLimiterRedis({
        storeClient: client,
        rejectIfRedisNotReady: true,
        keyPrefix: `${KEY_PREFIX}:${name}`,
        points,
        duration,
        inMemoryBlockOnConsumed: points + 1,
        insuranceLimiter: new RateLimiterMemory({ points, duration }),
      });
    const { RATE_LIMIT_PER_MINUTE: points } = settings;
    this.local = new RateLimiterMemory({ points: Math.ceil(points / LOCAL_SHARE), duration: MINUTE_S });
    this.submissions = limiter('rate', points, MINUTE_S);
    this.bytes = limiter('upload-bytes', settings.UPLOAD_BYTES_PER_HOUR, HOUR_S);
  }

  /** @throws HttpError 429 */
  async countSubmission(client: string): Promise<void> {
    const { consumedPoints } = await this.local.consume(client).catch(limited);
    if (consumedPoints <= this.local.points) return;
    // The first submission that is counted in Redis adds those that were counted here.
    const points = consumedPoints === this.local.points + 1 ? consumedPoints : 1;
    const rejection = await this.submissions.consume(client, points).then(() => undefined, limited);
    if (!rejection) return;
    throw new HttpError('rate-limited', 'Too many requests. Please wait a minute and try again.', {
      retryAfterSeconds: Math.max(1, Math.ceil(rejection.msBeforeNext / 1_000)),
    });
  }

  /**
   * @param size of the request in bytes; a request without one counts as empty, since nginx always states it
   * @throws HttpError 429
   */
  async countBytes(client: string, size: number): Promise<void> {
    const rejection = await this.bytes.consume(client, size || 0).then(() => undefined, limited);
    if (!rejection) return;
    const minutes = Math.max(1, Math.ceil(rejection.msBeforeNext / 60_000));
    const sentence = `Too many files came from your network. Please try again in ${minutes} minutes.`;
    throw new HttpError('rate-limited', sentence, { retryAfterSeconds: minutes * 60 });
  }
}

/** The limiter rejects with a result when the limit is reached; any other rejection is an error and is thrown on. */
function limited(rejection: unknown): RateLimiterRes {
  if (rejection instanceof RateLimiterRes) return rejection;
  throw rejection;
}
