import { describe, expect, it } from '@jest/globals';
import { LocalSenders } from './local-senders.ts';

describe('LocalSenders', () => {
  it('counts each client of a text once', () => {
    const senders = new LocalSenders(1_000);
    expect(['a', 'b', 'a', 'c'].map((client) => senders.add('text', client))).toEqual([1, 2, 2, 3]);
    expect(senders.add('other', 'a')).toBe(1);
  });

  it('begins anew when the window is over', () => {
    let now = 0;
    const senders = new LocalSenders(1_000, () => now);
    senders.add('text', 'a');
    now = 999;
    expect(senders.add('text', 'b')).toBe(2);
    now = 1_000;
    expect(senders.add('text', 'c')).toBe(1);
  });

  it('forgets the oldest text rather than grow', () => {
    const senders = new LocalSenders(1_000, () => 0);
    senders.add('first', 'a');
    senders.add('second', 'a');
    for (let index = 0; index < 4_999; index++) senders.add(`text ${index}`, 'a');
    expect(senders.add('second', 'b')).toBe(2);
    expect(senders.add('first', 'b')).toBe(1);
  });
});
