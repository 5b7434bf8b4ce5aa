import { describe, expect, it } from '@jest/globals';
import { placeholdersIn, readSettings } from './settings.ts';

describe('Mail settings', () => {
  it('have a default each', () => {
    expect(readSettings({})).toMatchObject({
      COMPANY_NAME: 'Kitewright',
      TIME_ZONE: 'UTC',
      DIGEST_AT: '08:00',
      MAIL_FROM: 'no-reply@kitewright.example',
    });
    expect(readSettings({})).not.toHaveProperty('MAIL_BOUNCES_TO');
  });

  it.each([
    { SMTP_HELO_NAME: 'mail.firm.example' },
    { SMTP_HELO_NAME: '[192.0.2.1]' },
    { MAIL_BOUNCES_TO: 'postmaster@firm.example' },
    { TIME_ZONE: 'Asia/Kolkata' },
    { DIGEST_AT: '23:59' },
    { DIGEST_AT: '' },
    { COMPANY_NAME: 'Müller & Söhne, Inc.' },
  ])('The settings accept %o', (environment) => {
    expect(readSettings(environment)).toMatchObject(environment);
  });

  it.each([
    [{ SMTP_HELO_NAME: 'mail firm' }, 'SMTP_HELO_NAME must be a host name'],
    [{ SMTP_HELO_NAME: '-mail.firm.example' }, 'SMTP_HELO_NAME must be a host name'],
    [{ MAIL_BOUNCES_TO: 'Postmaster <postmaster@firm.example>' }, 'MAIL_BOUNCES_TO must be one e-mail address'],
    [{ TIME_ZONE: 'Europe/Atlantis' }, 'TIME_ZONE must be a time zone'],
    [{ DIGEST_AT: '8:00' }, 'DIGEST_AT must be a time such as 08:00'],
    [{ DIGEST_AT: '24:00' }, 'DIGEST_AT must be a time such as 08:00'],
    [{ COMPANY_NAME: 'Firm\r\nBcc: x' }, 'COMPANY_NAME must be 1 to 80 characters'],
  ])('The settings refuse %o', (environment, message) => {
    expect(() => readSettings(environment)).toThrow(message);
  });
});

const PRODUCTION = { NODE_ENV: 'production' };

describe('placeholdersIn', () => {
  it('returns each setting to fix > production with the default settings', () => {
    const found = placeholdersIn(readSettings({}), PRODUCTION);
    expect(found.map((sentence) => sentence.split(' ')[0])).toEqual([
      'SMTP_URL',
      'SALES_INBOX',
      'HR_INBOX',
      'MAIL_FROM',
    ]);
  });

  it('returns nothing > production with settings of its own', () => {
    const settings = readSettings({
      SMTP_URL: 'smtp://relay.firm.net',
      SALES_INBOX: 'sales@firm.net',
      HR_INBOX: 'hr@firm.net',
      MAIL_FROM: 'website@example.firm.net',
    });
    expect(placeholdersIn(settings, PRODUCTION)).toEqual([]);
  });

  it('returns nothing > development', () => {
    expect(placeholdersIn(readSettings({}), { NODE_ENV: 'development' })).toEqual([]);
  });
});
