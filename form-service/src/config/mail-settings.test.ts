import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { readSettings } from './settings.ts';

describe('Settings of the mails', () => {
  it('Every setting of the mails has a default', () => {
    expect(readSettings({})).toMatchObject({
      COMPANY_NAME: 'Kitewright',
      TIME_ZONE: 'UTC',
      MAIL_FROM: 'no-reply@kitewright.example',
    });
    expect(readSettings({})).not.toHaveProperty('MAIL_BOUNCES_TO');
  });

  it.each([
    { SMTP_HELO_NAME: 'mail.firm.example' },
    { SMTP_HELO_NAME: '[192.0.2.1]' },
    { MAIL_BOUNCES_TO: 'postmaster@firm.example' },
    { TIME_ZONE: 'Asia/Kolkata' },
    { COMPANY_NAME: 'Müller & Söhne, Inc.' },
  ])('The settings accept %o', (environment) => {
    expect(readSettings(environment)).toMatchObject(environment);
  });

  it.each([
    [{ SMTP_HELO_NAME: 'mail firm' }, 'SMTP_HELO_NAME must be a host name'],
    [{ SMTP_HELO_NAME: '-mail.firm.example' }, 'SMTP_HELO_NAME must be a host name'],
    [{ SMTP_CA_FILE: '/no/such/file' }, 'SMTP_CA_FILE must name a readable file with a certificate in PEM'],
    [{ MAIL_BOUNCES_TO: 'Postmaster <postmaster@firm.example>' }, 'MAIL_BOUNCES_TO must be one e-mail address'],
    [{ TIME_ZONE: 'Europe/Atlantis' }, 'TIME_ZONE must be a time zone'],
    [{ COMPANY_NAME: 'Firm\r\nBcc: x' }, 'COMPANY_NAME must be 1 to 80 characters'],
  ])('The settings refuse %o', (environment, message) => {
    expect(() => readSettings(environment)).toThrow(message);
  });

  it('SMTP_CA_FILE must name a certificate', async () => {
    const folder = await temporaryFolder();
    const path = join(folder.path, 'ca.pem');
    try {
      await writeFile(path, '-----BEGIN PRIVATE KEY-----\n');
      expect(() => readSettings({ SMTP_CA_FILE: path })).toThrow('SMTP_CA_FILE must name');
      await writeFile(path, '-----BEGIN CERTIFICATE-----\n');
      expect(readSettings({ SMTP_CA_FILE: path })).toMatchObject({ SMTP_CA_FILE: path });
    } finally {
      await folder.remove();
    }
  });
});
