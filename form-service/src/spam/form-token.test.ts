import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Database } from '../database/database.ts';
import { StorageUnavailableError } from '../database/storage-unavailable.error.ts';
import { FormTokenService } from './form-token.service.ts';
import type { DistinctCounts } from './distinct-counts.service.ts';

const NOW = Date.parse('2026-11-21T09:00:00Z');
const SECOND = 1_000;
const DAY = 24 * 3_600 * SECOND;

/** A database that has this secret, or that is away. */
const databaseWith = (secret?: string) =>
  ({
    run: async () => {
      if (secret === undefined) throw new StorageUnavailableError('away');
      return { value: secret };
    },
  }) as unknown as Database;

/** Counts members as the service does, in this test alone. */
function distinctCounts(): DistinctCounts {
  const sets = new Map<string, Set<string>>();
  const add = async (name: string, member: string) => {
    sets.set(name, (sets.get(name) ?? new Set()).add(member));
    return sets.get(name)?.size ?? 0;
  };
  return { add } as unknown as DistinctCounts;
}

const tokensWith = (secret: string | undefined = 's'.repeat(32)) =>
  new FormTokenService(databaseWith(secret), distinctCounts());
const tokens = tokensWith();
const issued = async () => (await tokens.issue(NOW)) ?? '';

describe('Form tokens', () => {
  it.each([
    [0, 'sent within seconds'],
    [2_999, 'sent within seconds'],
    [3_000, undefined],
    [DAY, undefined],
    [DAY + 1, 'form token of long ago'],
    [-SECOND, 'sent within seconds'],
  ])('A token that is %d ms old gives the reason %s', async (age, reason) => {
    expect(await tokens.reasonOf(await issued(), NOW + age)).toBe(reason);
  });

  it('A missing token gives no reason, and neither does any token while the database is away', async () => {
    expect(await tokens.reasonOf(undefined)).toBeUndefined();
    const without = new FormTokenService(databaseWith(), distinctCounts());
    expect(await without.issue()).toBeUndefined();
    expect(await without.reasonOf('nonsense')).toBeUndefined();
  });

  it('A token is rejected when another secret signed it, or when any character was changed', async () => {
    const token = await issued();
    expect(await tokensWith('t'.repeat(32)).reasonOf(token, NOW + DAY)).toBe('form token not ours');
    for (let at = 0; at < token.length; at++) {
      const changed = `${token.slice(0, at)}${token[at] === 'b' ? 'c' : 'b'}${token.slice(at + 1)}`;
      expect([changed, await tokens.reasonOf(changed, NOW + 10 * SECOND)]).toEqual([changed, 'form token not ours']);
    }
  });

  it('An invented token of any form is rejected without an exception', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^[0-9a-z]{8}\.[\w-]{12}\.[\w-]{22}$/)),
        async (token) => {
          expect(await tokens.reasonOf(token, NOW)).toBe('form token not ours');
          expect(await tokens.isUsedOften(token, 'id')).toBe(false);
        },
      ),
    );
  });

  it('A token holds a time and random bytes only', async () => {
    const [one, other] = [await issued(), await issued()];
    expect(one.split('.')[0]).toBe(other.split('.')[0]);
    expect(one.split('.')[1]).not.toBe(other.split('.')[1]);
    expect(one.length).toBeLessThan(50);
  });

  it('A token counts as used often from the sixth different submission on', async () => {
    const token = await issued();
    const uses = ['a', 'b', 'a', 'c', 'd', 'e', 'e', 'f'];
    const often: boolean[] = [];
    for (const use of uses) often.push(await tokens.isUsedOften(token, use));
    expect(often).toEqual([false, false, false, false, false, false, false, true]);
    expect(await tokens.isUsedOften(await issued(), 'f')).toBe(false);
  });
});
