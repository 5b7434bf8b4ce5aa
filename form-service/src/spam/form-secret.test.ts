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

describe('The secret of form tokens', () => {
  it('The operator’s secret is used without asking Redis', async () => {
    const redis = new FakeRedis();
    expect(await secretOf(redis, 's'.repeat(32)).current()).toBe('s'.repeat(32));
    expect(redis.asked).toBe(0);
  });

  it('Without an operator’s secret the replicas agree on a random one', async () => {
    const redis = new FakeRedis();
    const [one, other] = [secretOf(redis), secretOf(redis)];
    const agreed = await one.current(0);
    expect(agreed).toMatch(/^[\w-]{43}$/);
    expect(await other.current(0)).toBe(agreed);
    expect(await secretOf(new FakeRedis()).current(0)).not.toBe(agreed);
  });

  it('A replica checks the secret after a minute, and puts it back when Redis has lost it', async () => {
    const redis = new FakeRedis();
    const one = secretOf(redis);
    const agreed = await one.current(0);
    redis.held = undefined;
    expect(await one.current(MINUTE - 1)).toBe(agreed);
    expect(redis.held).toBeUndefined();
    expect(await one.current(MINUTE + 1)).toBe(agreed);
    expect(await secretOf(redis).current(0)).toBe(agreed);
  });

  it('After a loss a replica takes over the secret that another one has put back first', async () => {
    const redis = new FakeRedis();
    const one = secretOf(redis);
    await one.current(0);
    redis.held = 'another';
    expect(await one.current(MINUTE + 1)).toBe('another');
  });

  it('While Redis is away a replica keeps its secret, and one that never had it has none', async () => {
    const redis = new FakeRedis();
    const one = secretOf(redis);
    const agreed = await one.current(0);
    redis.isAway = true;
    expect(await one.current(MINUTE + 1)).toBe(agreed);
    expect(await secretOf(redis).current(0)).toBeUndefined();
  });
});
