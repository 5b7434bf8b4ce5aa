import { Inject, Injectable } from '@nestjs/common';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { SETTINGS, type Settings } from '../../config/settings.ts';
import { KEY_PREFIX } from '../../redis/redis-client.ts';
import { SharedRedis } from '../../redis/shared-redis.service.ts';
import { HttpError } from '../http-error.ts';

const HOUR_S = 3_600;

/** Limits the bytes of résumés that one client may send in an hour, so that no client can fill the disk alone. */
@Injectable()
export class UploadQuota {
  private readonly limiter: RateLimiterRedis;

  constructor(
    @Inject(SETTINGS) { UPLOAD_BYTES_PER_HOUR: points }: Pick<Settings, 'UPLOAD_BYTES_PER_HOUR'>,
    { client }: SharedRedis,
  ) {
    this.limiter = new RateLimiterRedis({
      storeClient: client,
      rejectIfRedisNotReady: true,
      keyPrefix: `${KEY_PREFIX}:upload-bytes`,
      points,
      duration: HOUR_S,
      insuranceLimiter: new RateLimiterMemory({ points, duration: HOUR_S }),
    });
  }

  /**
   * @param bytes size of the request; a request without a size counts as empty, since nginx always states one
   * @throws HttpError 429
   */
  async consume(client: string, bytes: number): Promise<void> {
    const rejection = await this.limiter.consume(client, bytes || 0).then(
      () => undefined,
      (error: unknown) => error,
    );
    if (rejection instanceof RateLimiterRes) {
      const minutes = Math.max(1, Math.ceil(rejection.msBeforeNext / 60_000));
      throw HttpError.rateLimited(
        minutes * 60,
        `Too many files came from your network. Please try again in ${minutes} minutes.`,
      );
    }
    if (rejection !== undefined) throw rejection;
  }
}
