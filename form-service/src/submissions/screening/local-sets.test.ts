import { describe, expect, it } from '@jest/globals';
import { LocalSets } from './local-sets.ts';

describe('LocalSets', () => {
  it('counts each member of a set once', () => {
    const sets = new LocalSets(1_000);
    expect(['a', 'b', 'a', 'c'].map((member) => sets.add('text', member))).toEqual([1, 2, 2, 3]);
    expect(sets.add('other', 'a')).toBe(1);
  });

  it('begins anew when the window is over', () => {
    let now = 0;
    const sets = new LocalSets(1_000, () => now);
    sets.add('text', 'a');
    now = 999;
    expect(sets.add('text', 'b')).toBe(2);
    now = 1_000;
    expect(sets.add('text', 'c')).toBe(1);
  });

  it('forgets the oldest set rather than grow', () => {
    const sets = new LocalSets(1_000, () => 0);
    sets.add('first', 'a');
    sets.add('second', 'a');
    for (let index = 0; index < 4_999; index++) sets.add(`text ${index}`, 'a');
    expect(sets.add('second', 'b')).toBe(2);
    expect(sets.add('first', 'b')).toBe(1);
  });
});
