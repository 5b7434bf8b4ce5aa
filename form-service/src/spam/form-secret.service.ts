import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, type Settings } from '../config/settings.ts';
import { KEY_PREFIX } from '../redis/redis-client.ts';
import { SharedRedis } from '../redis/shared-redis.service.ts';

const KEY = `${KEY_PREFIX}:form-secret`;

/** This often a replica checks whether Redis still holds the secret that it uses. */
const RECHECK_MS = 60_000;

/** A replica that could not agree on a secret waits this long before it asks Redis again. */
const RETRY_AFTER_FAILURE_MS = 5_000;

/**
 * Provides the secret that signs form tokens: the operator's, or else a random one that the replicas agree on through
 * Redis. It protects only one spam signal of several.
 */
@Injectable()
export class FormSecretService {
  private readonly configured: string | undefined;
  private agreed: string | undefined;
  private nextAgreementAt = -Infinity;

  constructor(
    @Inject(SETTINGS) { FORM_SECRET }: Pick<Settings, 'FORM_SECRET'>,
    private readonly redis: SharedRedis,
  ) {
    this.configured = FORM_SECRET;
  }

  /** The secret, or undefined until the replicas could agree on one. */
  async current(now = performance.now()): Promise<string | undefined> {
    if (this.configured !== undefined) return this.configured;
    if (now >= this.nextAgreementAt) await this.agree(now).catch(() => undefined);
    return this.agreed;
  }

  /**
   * The first replica to offer a secret decides. After Redis has lost its data, the first to ask offers the secret that
   * it has.
   */
  private async agree(now: number): Promise<void> {
    // The failure is remembered, so that a Redis which hangs delays one submission in a while and not each.
    this.nextAgreementAt = now + RETRY_AFTER_FAILURE_MS;
    const offer = this.agreed ?? randomBytes(32).toString('base64url');
    const replies = await this.redis.client.multi().setnx(KEY, offer).get(KEY).exec();
    const held = replies?.[1]?.[1];
    if (typeof held !== 'string' || held === '') return;
    this.agreed = held;
    this.nextAgreementAt = now + RECHECK_MS;
  }
}
