import { describe, expect, it } from '@jest/globals';
import { readSettings } from '../settings/settings.ts';
import { needsStartTls } from './mailer.service.ts';

describe('SMTP_URL > STARTTLS', () => {
  it.each([
    'smtp://user:password@smtp.firm.net',
    'smtp://user:password@smtp.firm.net:587?requireTLS=true',
    'smtp://user:password@smtp.firm.net:587?requiretls=false',
    'smtp://user:password@smtp.firm.net:587?requireTLS=no',
    'smtp://user:password@smtp.firm.net:587?ignoreTLS=true',
    'smtp://user:password@smtp.firm.net:587?opportunisticTLS=true',
    'smtp://user:password@10.0.0.7:25',
    'smtp://user:password@127.firm.net',
    'smtp://user:password@localhost.firm.net',
    'smtp://user:password@[fd00::1]:587',
    'smtp://user@smtp.firm.net',
  ])('is required > %s', (SMTP_URL) => {
    expect(needsStartTls(readSettings({ SMTP_URL }).SMTP_URL)).toBe(true);
  });

  it.each([
    'smtps://user:password@smtp.firm.net:465',
    'smtp://user:password@smtp.firm.net:587?requireTLS=false',
    'smtp://mail:1025',
    'smtp://smtp.firm.net',
    'smtp://user:password@localhost:1025',
    'smtp://user:password@LOCALHOST',
    'smtp://user:password@127.0.0.1:1025',
    'smtp://user:password@127.8.8.8',
    'smtp://user:password@[::1]:25',
  ])('is optional > %s', (SMTP_URL) => {
    expect(needsStartTls(readSettings({ SMTP_URL }).SMTP_URL)).toBe(false);
  });

  it.each(['user:100%', 'us%zer:secret', '%:secret'])('is rejected with a %% that encodes nothing > %s', (login) => {
    const read = () => readSettings({ SMTP_URL: `smtps://${login}@smtp.firm.net` });
    expect(read).toThrow('SMTP_URL must have %25 in place of each % in user and password');
  });
});
