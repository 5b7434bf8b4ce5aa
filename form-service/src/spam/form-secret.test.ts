import { describe, expect, it } from '@jest/globals';
import type { SharedRedis } from '../redis/shared-redis.service.ts';
import { FormSecretService } from './form-secret.service.ts';

const MINUTE = 60_000;

/** Of Redis, what a secret needs; `held` is what it holds, and undefined once its data are lost. */
class FakeRedis {
  held: string | undefined;
  isAway = false;
  asked = 0;

  multi() {
    if (this.isAway) throw new Error('away');
    const replies: [null, unknown][] = [];
    const transaction = {
      setnx: (_key: string, value: string) => {
        replies.push([null, this.held === undefined ? 1 : 0]);
        this.held ??= value;
        return transaction;
      },
      get: () => {
        replies.push([null, this.held]);
        return transaction;
      },
      exec: async () => {
        this.asked++;
        return replies;
      },
    };
    return transaction;
  }
}

const secretOf = (redis: FakeRedis, FORM_SECRET?: string) =>
  new FormSecretService({ FORM_SECRET }, { client: redis } as unknown as SharedRedis);

describe('the secret of form tokens', () => {
  it('is the operator’s where there is one, and nobody is asked', async () => {
    const redis = new FakeRedis();
    expect(await secretOf(redis, 's'.repeat(32)).current()).toBe('s'.repeat(32));
    expect(redis.asked).toBe(0);
  });

  it('is else a random one that the replicas agree on', async () => {
    const redis = new FakeRedis();
    const [one, other] = [secretOf(redis), secretOf(redis)];
    const agreed = await one.current(0);
    expect(agreed).toMatch(/^[\w-]{43}$/);
    expect(await other.current(0)).toBe(agreed);
    expect(await secretOf(new FakeRedis()).current(0)).not.toBe(agreed);
  });

  it('is looked up again after a minute, and put back by who knows it when Redis has lost it', async () => {
    const redis = new FakeRedis();
    const one = secretOf(redis);
    const agreed = await one.current(0);
    redis.held = undefined;
    expect(await one.current(MINUTE - 1)).toBe(agreed);
    expect(redis.held).toBeUndefined();
    expect(await one.current(MINUTE + 1)).toBe(agreed);
    expect(await secretOf(redis).current(0)).toBe(agreed);
  });

  it('is that of the others where somebody else was first after a loss', async () => {
    const redis = new FakeRedis();
    const one = secretOf(redis);
    await one.current(0);
    redis.held = 'another';
    expect(await one.current(MINUTE + 1)).toBe('another');
  });

  it('is kept while Redis is away, and unknown to who never had it', async () => {
    const redis = new FakeRedis();
    const one = secretOf(redis);
    const agreed = await one.current(0);
    redis.isAway = true;
    expect(await one.current(MINUTE + 1)).toBe(agreed);
    expect(await secretOf(redis).current(0)).toBeUndefined();
  });
});
