import { describe, expect, it } from '@jest/globals';
import { IDEMPOTENCY_KEY_MAX_CHARS } from '../contract/limits.ts';
import { canaryKey, readCanaryKey } from './canary-key.ts';

const SECRET = 'a secret of thirty-two characters';
const NOW = Date.parse('2026-11-21T09:00:00Z');
const AT = NOW / 1_000;

describe('the key of a canary', () => {
  it('is known by who shares the secret', () => {
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
  ])('is not believed with %s', (_, key, secret) => {
    expect(readCanaryKey(key, secret, NOW)).toBe('forged');
  });

  it('is not seen in what browsers and other programs make up', () => {
    for (const key of [undefined, '', 'a-key-of-the-browser-1', 'canary', 'Canary.1.x'])
      expect(readCanaryKey(key, SECRET, NOW)).toBeUndefined();
  });
});
