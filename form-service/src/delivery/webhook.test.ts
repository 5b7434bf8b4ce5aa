import { describe, expect, it } from '@jest/globals';
import { webhookSecret, webhookUrl } from '../config/formats.ts';
import { signatureOf } from './webhook.service.ts';

describe('webhook > signature', () => {
  it('equals the example of Standard Webhooks > secret with and without prefix', () => {
    const secret = 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    for (const one of [secret, `whsec_${secret}`])
      expect(signatureOf('msg_p5jXN8AQM9LWM0D4loKWxJek', 1614265330, '{"test": 2432232314}', one)).toBe(
        'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
      );
  });
});

describe('webhook > settings', () => {
  it.each([
    ['https://crm.example.org/hook', true],
    ['https://10.0.0.7/hook', true],
    ['http://localhost:9000/', true],
    ['http://127.0.0.1:9000/', true],
    ['http://[::1]:9000/', true],
    ['http://crm.example.org/', false],
    ['http://localhost.example.org/', false],
    ['http://127.0.0.1.example.org/', false],
    ['http://10.0.0.7/', false],
    ['ftp://crm.example.org/', false],
    ['http://localhost:80@crm.example.org/', false],
    ['crm.example.org', false],
  ])('%s as the address is valid: %s', (url, isValid) => {
    expect(webhookUrl().isValidSync(url)).toBe(isValid);
  });

  it.each([
    [`whsec_${'A'.repeat(32)}`, true],
    [`${'A'.repeat(43)}=`, true],
    ['A'.repeat(31), false],
    ['a sentence that somebody made up as a secret', false],
  ])('%s as the secret is valid: %s', (secret, isValid) => {
    expect(webhookSecret().isValidSync(secret)).toBe(isValid);
  });
});
