import { expect, it, jest } from '@jest/globals';
import { SITE_HOST } from '../../form-service/test/site-host.ts';
import { siteAddress, workerSpec } from './services.ts';
import type { StackSettings } from './settings.ts';

const PORTS = { api: 1, worker: 2, redis: 3, smtp: 4 };
const settings: StackSettings = {
  root: '/repository',
  dataDir: '/data',
  host: '127.0.0.1',
  port: 8080,
  mailUiPort: 1080,
  hasExternalRedis: false,
  hasExternalMail: false,
};
const siteOf = (changes: Partial<StackSettings> = {}) =>
  workerSpec({ ...settings, ...changes }, PORTS).env?.['SITE_URL'];

it('siteAddress > is what a person on this machine opens', () => {
  for (const host of ['127.0.0.1', '::', '0.0.0.0'])
    expect(siteAddress({ ...settings, host })).toBe('http://localhost:8080');
});

it('workerSpec > links mails to this machine > with the mail catcher', () => {
  const env = jest.replaceProperty(process, 'env', { ...process.env, SITE_URL: '' });
  expect(siteOf()).toBe('http://localhost:8080');
  expect(siteOf({ hasExternalMail: true })).toBeUndefined();
  expect(workerSpec(settings, PORTS).env?.['MAIL_FROM']).toBe(`no-reply@${SITE_HOST}`);
  env.replaceValue({ ...process.env, SITE_URL: 'https://firm.test' });
  expect(siteOf()).toBeUndefined();
});
