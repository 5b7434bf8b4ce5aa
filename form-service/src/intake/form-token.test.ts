import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Database } from '../database/database.ts';
import { StorageUnavailableError } from '../database/storage-unavailable.error.ts';
import { FormTokenService } from './form-token.service.ts';
import { anyCharacter } from '../../test/any-character.ts';

const NOW = Date.parse('2026-11-21T09:00:00Z');
const SECOND = 1_000;
const DAY = 24 * 3_600 * SECOND;

/** A fake database with this secret; unavailable without one. */
const databaseWith = (secret?: string) =>
  ({
    run: async () => {
      if (secret === undefined) throw new StorageUnavailableError('unavailable');
      return { value: secret };
    },
  }) as unknown as Database;

const tokensWith = (secret: string | undefined = 's'.repeat(32)) => new FormTokenService(databaseWith(secret));
const tokens = tokensWith();
const issued = async () => (await tokens.issue(NOW)) ?? '';

describe('FormTokenService', () => {
  it.each([
    [0, 'sent within seconds'],
    [2_999, 'sent within seconds'],
    [3_000, undefined],
    [DAY, undefined],
    [DAY + 1, 'form token not ours'],
    [-SECOND, 'sent within seconds'],
  ])('finds a token that is %d ms old %s', async (age, reason) => {
    expect(await tokens.reasonOf(await issued(), NOW + age)).toBe(reason);
  });

  it('finds no reason > the token is missing or the database is unavailable', async () => {
    expect(await tokens.reasonOf(undefined)).toBeUndefined();
    const without = new FormTokenService(databaseWith());
    expect(await without.issue()).toBeUndefined();
    expect(await without.reasonOf('nonsense')).toBeUndefined();
  });

  it('rejects a token > another secret, or any character changed', async () => {
    const token = await issued();
    expect(await tokensWith('t'.repeat(32)).reasonOf(token, NOW + DAY)).toBe('form token not ours');
    for (let at = 0; at < token.length; at++) {
      const changed = `${token.slice(0, at)}${token[at] === 'b' ? 'c' : 'b'}${token.slice(at + 1)}`;
      expect([changed, await tokens.reasonOf(changed, NOW + 10 * SECOND)]).toEqual([changed, 'form token not ours']);
    }
  });

  it('rejects any invented token without an exception', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.string({ unit: anyCharacter }), fc.stringMatching(/^[0-9a-z]{8}\.[\w-]{12}\.[\w-]{22}$/)),
        async (token) => {
          expect(await tokens.reasonOf(token, NOW)).toBe('form token not ours');
        },
      ),
    );
  });
});
