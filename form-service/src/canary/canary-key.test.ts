import { describe, expect, it } from '@jest/globals';
import { IDEMPOTENCY_KEY_MAX_CHARS } from '../contract/limits.ts';
import { canaryKey, readCanaryKey } from './canary-key.ts';

const SECRET = 'a secret of thirty-two characters';
const NOW = Date.parse('2026-11-21T09:00:00Z');
const AT = NOW / 1_000;

describe('The key of a canary', () => {
  it('A key is recognised by whoever has the secret', () => {
    const key = canaryKey(SECRET, AT);
    expect(readCanaryKey(key, SECRET, NOW)).toBe('canary');
    expect(key.length).toBeLessThan(IDEMPOTENCY_KEY_MAX_CHARS);
  });

  it.each([
    ['another secret', canaryKey(`${SECRET}!`, AT), SECRET],
    ['another time', canaryKey(SECRET, AT).replace(String(AT), String(AT + 60)), SECRET],
    ['a time long ago', canaryKey(SECRET, AT - 2 * 86_400), SECRET],
    ['no signature', `canary.${AT}.`, SECRET],
    ['a longer signature', `${canaryKey(SECRET, AT)}A`, SECRET],
    ['no number', 'canary.soon.abc', SECRET],
    ['a service without the secret', canaryKey(SECRET, AT), undefined],
  ])('A key with %s is rejected', (_, key, secret) => {
    expect(readCanaryKey(key, secret, NOW)).toBe('forged');
  });

  it('The keys of browsers and other programs are not taken for a canary’s', () => {
    for (const key of [undefined, '', 'a-key-of-the-browser-1', 'canary', 'Canary.1.x'])
      expect(readCanaryKey(key, SECRET, NOW)).toBeUndefined();
  });
});
