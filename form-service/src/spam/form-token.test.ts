import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { FormTokens } from './form-tokens.ts';
import { LocalSets } from './local-sets.ts';

const NOW = Date.parse('2026-11-21T09:00:00Z');
const SECOND = 1_000;
const DAY = 24 * 3_600 * SECOND;

const tokensWith = (secret: string | undefined = 's'.repeat(32)) => {
  const sets = new LocalSets(DAY);
  return new FormTokens({ current: async () => secret }, { add: async (name, member) => sets.add(name, member) });
};
const tokens = tokensWith();
const issued = async () => (await tokens.issue(NOW)) ?? '';

describe('a form token', () => {
  it.each([
    [0, 'sent within seconds'],
    [2_999, 'sent within seconds'],
    [3_000, undefined],
    [DAY, undefined],
    [DAY + 1, 'form token of long ago'],
    [-SECOND, 'sent within seconds'],
  ])('that is %d ms old means %s', async (age, suspicion) => {
    expect(await tokens.suspicionOf(await issued(), NOW + age)).toBe(suspicion);
  });

  it('tells nothing where there is none, or nothing to judge it by', async () => {
    expect(await tokens.suspicionOf(undefined)).toBeUndefined();
    const without = new FormTokens({ current: async () => undefined }, { add: async () => 1 });
    expect(await without.issue()).toBeUndefined();
    expect(await without.suspicionOf('nonsense')).toBeUndefined();
  });

  it('is not ours with another secret, or with any character changed', async () => {
    const token = await issued();
    expect(await tokensWith('t'.repeat(32)).suspicionOf(token, NOW + DAY)).toBe('form token not ours');
    for (let at = 0; at < token.length; at++) {
      const changed = `${token.slice(0, at)}${token[at] === 'b' ? 'c' : 'b'}${token.slice(at + 1)}`;
      expect([changed, await tokens.suspicionOf(changed, NOW + 10 * SECOND)]).toEqual([changed, 'form token not ours']);
    }
  });

  it('made up of anything is not ours, and breaks nothing', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^[0-9a-z]{8}\.[\w-]{12}\.[\w-]{22}$/)), async (token) => {
        expect(await tokens.suspicionOf(token, NOW)).toBe('form token not ours');
        expect(await tokens.isUsedOften(token, 'id')).toBe(false);
      }),
    );
  });

  it('holds nothing but a time and chance', async () => {
    const [one, other] = [await issued(), await issued()];
    expect(one.split('.')[0]).toBe(other.split('.')[0]);
    expect(one.split('.')[1]).not.toBe(other.split('.')[1]);
    expect(one.length).toBeLessThan(50);
  });

  it('is used often from the sixth submission on; the same one sent again is no other', async () => {
    const token = await issued();
    const uses = ['a', 'b', 'a', 'c', 'd', 'e', 'e', 'f'];
    const often: boolean[] = [];
    for (const use of uses) often.push(await tokens.isUsedOften(token, use));
    expect(often).toEqual([false, false, false, false, false, false, false, true]);
    expect(await tokens.isUsedOften(await issued(), 'f')).toBe(false);
  });
});
