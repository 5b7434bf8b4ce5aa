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
      ['ada', ''],
    ] as const)
      expect([name, await findUser(users, name, password)]).toEqual([name, undefined]);
  });

  it('is verified with the usual cost > the name is unknown', async () => {
    const users = await usersOf({ ada: 14 });
    const cpuOf = async (name: string) => {
      const before = process.cpuUsage();
      await findUser(users, name, 'wrong');
      return process.cpuUsage(before).user;
    };
    // The usual cost is eight times that of this line; without a verification there would be none.
    expect(await cpuOf('eve')).toBeGreaterThan(await cpuOf('ada'));
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
