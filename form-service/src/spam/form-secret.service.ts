import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, type Settings } from '../config/settings.ts';
import { KEY_PREFIX } from '../redis/redis-client.ts';
import { SharedRedis } from '../redis/shared-redis.service.ts';

const KEY = `${KEY_PREFIX}:form-secret`;

/** After so many milliseconds it is looked up again whether Redis still holds the same. */
const AGREED_FOR_MS = 60_000;

/** After so many milliseconds it is tried again to agree. */
const FAILED_FOR_MS = 5_000;

/**
 * What form tokens are signed with: the operator's secret, or, where there is none, a random one that the replicas agree
 * on through Redis. It guards one signal of several and nothing else.
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

  /** Undefined until the replicas could agree on one. */
  async current(now = performance.now()): Promise<string | undefined> {
    if (this.configured !== undefined) return this.configured;
    if (now >= this.nextAgreementAt) await this.agree(now).catch(() => undefined);
    return this.agreed;
  }

  /** The first to offer one is followed; after a loss of Redis's data that is who asks first with what it has. */
  private async agree(now: number): Promise<void> {
    // A Redis that hangs holds up one submission in a while, not each.
    this.nextAgreementAt = now + FAILED_FOR_MS;
    const offer = this.agreed ?? randomBytes(32).toString('base64url');
    const replies = await this.redis.client.multi().setnx(KEY, offer).get(KEY).exec();
    const held = replies?.[1]?.[1];
    if (typeof held !== 'string' || held === '') return;
    this.agreed = held;
    this.nextAgreementAt = now + AGREED_FOR_MS;
  }
}
