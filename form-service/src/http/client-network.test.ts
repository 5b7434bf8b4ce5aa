import { describe, expect, it } from '@jest/globals';
import { clientKey } from './request-context.middleware.ts';

describe('clientKey', () => {
  it.each([
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::1'],
    ['2001:db8::1', '2001:0DB8:0:0:ffff::'],
    ['fe80::1%eth0', 'fe80::2'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:192.0.2.1', '192.0.2.1'],
    ['64:ff9b::192.0.2.1', '64:ff9b:0:0::1'],
    ['2001:db8:0:1::192.0.2.1', '2001:db8:0:1:2:3:4:5'],
    ['::1:2:3:4:192.0.2.1', '0:0:1:2:3:4:5:6'],
    [undefined, ''],
  ])('is the same for %s and %s', (one, other) => {
    expect(clientKey(one)).toBe(clientKey(other));
  });

  it.each([
    ['2001:db8:1:2::1', '2001:db8:1:3::1'],
    ['::ffff:192.0.2.1', '::ffff:192.0.2.2'],
    ['2001:db8::1', '2001:db8:0:1::1'],
    ['1:2:3:4::', '1:2:3::4'],
    ['::1:2:3:4:5', '::2:2:3:4:5'],
  ])('differs for %s and %s', (one, other) => {
    expect(clientKey(one)).not.toBe(clientKey(other));
  });

  it('does not contain the address', () => {
    expect(clientKey('192.0.2.1')).not.toContain('192');
  });
});
