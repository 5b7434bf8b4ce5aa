import { isIP } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { refuseInside, signatureOf } from './webhook.service.ts';

describe('webhook > signature', () => {
  it('equals the example of Standard Webhooks > secret with and without prefix', () => {
    const secret = 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    for (const one of [secret, `whsec_${secret}`])
      expect(signatureOf('msg_p5jXN8AQM9LWM0D4loKWxJek', 1614265330, '{"test": 2432232314}', one)).toBe(
        'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
      );
  });
});

describe('webhook > SSRF guard', () => {
  const posted = (url: string, ...addresses: string[]) =>
    refuseInside(new URL(url), async () => addresses.map((address) => ({ address, family: isIP(address) })));
  const PUBLIC = ['93.184.216.34', '172.32.0.1', '100.128.0.1', '2606:2800:220:1::1', '::ffff:93.184.216.34'];

  it.each(
    (
      '0.0.0.0 10.1.2.3 100.64.0.1 127.0.0.1 127.8.8.8 169.254.169.254 172.16.0.1 172.31.255.255 192.168.1.1 198.18.0.1 224.0.0.1 ' +
      '255.255.255.255 :: ::1 ::ffff:10.0.0.1 ::ffff:7f00:1 fc00::1 fd12::1 fe80::1 ff02::1 2002:7f00:1::'
    ).split(' '),
  )('rejects a name that leads to %s, also beside a public address', async (address) => {
    await expect(posted('https://crm.example', address)).rejects.toMatchObject({ code: 'EINSIDE' });
    await expect(posted('https://crm.example', ...PUBLIC, address)).rejects.toMatchObject({ code: 'EINSIDE' });
  });

  it.each([
    ['a public address', posted('https://crm.example', ...PUBLIC)],
    ['an IPv4 address of the operator', posted('https://10.0.0.7', '10.0.0.7')],
    ['an IPv6 address of the operator', posted('https://[fd12::1]:8443', 'fd12::1')],
    ['a name without a dot', posted('https://crm:8443', '10.0.0.7')],
    ['a name that only a proxy knows', refuseInside(new URL('https://crm.example'), () => Promise.reject(new Error()))],
  ])('accepts %s', async (_case, accepted) => {
    await expect(accepted).resolves.toBeUndefined();
  });
});
