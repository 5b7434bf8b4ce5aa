import { describe, expect, it } from '@jest/globals';
import type { InboxUser } from '../settings/inbox-users.ts';
import { findUser, hashPassword, PasswordQueue } from './password.ts';

const PASSWORD = 'a password with ü';

const usersOf = async (costs: Readonly<Record<string, number>>): Promise<InboxUser[]> =>
  Promise.all(
    Object.entries(costs).map(async ([name, cost]) => ({
      name,
      role: 'all',
      hash: await hashPassword(PASSWORD, cost),
    })),
  );

describe('Password', () => {
  it('opens for its user only, in either Unicode form', async () => {
    const users = await usersOf({ ada: 10, bo: 10 });
    expect((await findUser(users, 'ada', PASSWORD.normalize('NFD')))?.name).toBe('ada');
    for (const [name, password] of [
      ['ada', 'wrong'],
      ['eve', PASSWORD],
      ['', ''],
      ['ada', ''],
    ] as const)
      expect([name, await findUser(users, name, password)]).toEqual([name, undefined]);
  });

  it('takes as long for an unknown name as for a known one', async () => {
    const users = await usersOf({ ada: 14, bo: 10 });
    const fastest = async (name: string) => {
      const times: number[] = [];
      for (let tries = 0; tries < 5; tries++) {
        const startedAt = performance.now();
        await findUser(users, name, 'wrong');
        times.push(performance.now() - startedAt);
      }
      return Math.min(...times);
    };
    // Without the verification it would take a hundredth.
    expect(await fastest('eve')).toBeGreaterThan((await fastest('ada')) / 3);
  });

  it('is verified after those before it', async () => {
    const users = await usersOf({ dear: 14, cheap: 10 });
    const ended: string[] = [];
    const queue = new PasswordQueue();
    const tries = ['dear', 'cheap'].map((name) => queue.findUser(users, name, 'wrong').then(() => ended.push(name)));
    await Promise.all(tries);
    expect(ended).toEqual(['dear', 'cheap']);
  });

  it('is refused with 503 > fifty others wait, and verified afterwards', async () => {
    const users = await usersOf({ ada: 10 });
    const queue = new PasswordQueue();
    const tries = Array.from({ length: 53 }, () =>
      queue.findUser(users, 'ada', PASSWORD).then(
        (user) => user?.name,
        ({ status, details }) => `${status} after ${details.retryAfterSeconds} s`,
      ),
    );
    expect(await Promise.all(tries)).toEqual([...Array(50).fill('ada'), ...Array(3).fill('503 after 20 s')]);
    expect((await queue.findUser(users, 'ada', PASSWORD))?.name).toBe('ada');
  });
});
