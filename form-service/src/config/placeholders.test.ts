import { describe, expect, it } from '@jest/globals';
import { placeholdersIn } from './placeholders.ts';
import { readSettings } from './settings.ts';

const PRODUCTION = { NODE_ENV: 'production' };

describe('Settings of the example', () => {
  it('A service in production that was given no mail server and no address is told each setting to mend', () => {
    const told = placeholdersIn(readSettings({}), PRODUCTION);
    expect(told.map((sentence) => sentence.split(' ')[0])).toEqual([
      'SMTP_URL',
      'SALES_INBOX',
      'HR_INBOX',
      'MAIL_FROM',
    ]);
  });

  it('A service with settings of its own is told nothing', () => {
    const settings = readSettings({
      SMTP_URL: 'smtp://relay.firm.net',
      SALES_INBOX: 'sales@firm.net',
      HR_INBOX: 'hr@firm.net',
      MAIL_FROM: 'website@example.firm.net',
    });
    expect(placeholdersIn(settings, PRODUCTION)).toEqual([]);
  });

  it('A service whose mails are caught, in development, is told nothing', () => {
    expect(placeholdersIn(readSettings({}), { NODE_ENV: 'development' })).toEqual([]);
  });
});
