import { generateKeyPairSync } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { makeTemporaryFolder } from '../../../test-support/temporary-folder.ts';
import { SERVICE } from '../../test/services.ts';
import { labelsFor } from './formats.ts';
import { readSettings, readStorageSettings, SettingsError } from './settings.ts';
import { SITE_HOST } from '../../test/site-host.ts';

describe('readSettings', () => {
  let folder: string;
  beforeEach(async () => {
    folder = makeTemporaryFolder();
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('returns a default for each required setting', () => {
    const settings = readSettings({});
    expect(settings).toMatchObject({
      RETENTION_DAYS: 30,
      RATE_LIMIT_PER_MINUTE: 20,
      DATABASE_URL: 'file:.data/submissions.db',
      TIME_ZONE: 'UTC',
      DIGEST_AT: '08:00',
      SITE_URL: `https://${SITE_HOST}`,
      MAIL_FROM: `no-reply@${SITE_HOST}`,
    });
    expect([settings.MAIL_MAX_BYTES, settings.MAIL_BOUNCES_TO]).toEqual([undefined, undefined]);
  });

  // Cookies are shared by all ports of a host.
  it.each([`https://${SITE_HOST}`, `https://${SITE_HOST}:8443`])('rejects the site as INBOX_URL > %s', (INBOX_URL) => {
    expect(() => readSettings({ INBOX_URL })).toThrow('INBOX_URL must have another host');
  });

  const OIDC = { OIDC_ISSUER: 'https://id.example', OIDC_CLIENT_ID: 'inbox', OIDC_CLIENT_SECRET: 'secret' };

  it('requires all settings of OpenID Connect together, and for its users', () => {
    for (const name of Object.keys(OIDC))
      expect(messageOf(() => readSettings({ ...OIDC, [name]: undefined }))).toContain(`${name} must be set`);
    const INBOX_USERS = 'hana@example.org:hr:oidc';
    expect(() => readSettings({ INBOX_USERS })).toThrow('INBOX_USERS has lines that end with :oidc');
    expect(readSettings({ ...OIDC, INBOX_USERS }).INBOX_USERS).toEqual([
      { name: 'hana@example.org', role: 'hr', hash: 'oidc' },
    ]);
  });

  it.each(['hana:hr:oidc', 'a@b.c:hr:oidc A@b.c:hr:oidc'])('rejects the users %s', (INBOX_USERS) => {
    expect(() => readSettings({ ...OIDC, INBOX_USERS })).toThrow('INBOX_USERS must be lines of name:role:hash');
  });

  it('has users with a mailbox as their role, and names another role with those that there are', () => {
    const RECIPIENTS = `${SERVICE} = sap@firm.net`;
    const read = (role: string) =>
      readSettings({ ...OIDC, SALES_INBOX: 'sales@firm.net', RECIPIENTS, INBOX_USERS: `sam@example.org:${role}:oidc` });
    for (const role of ['sales@firm.net', 'sap@firm.net', 'contact', 'all'])
      expect(read(role).INBOX_USERS).toMatchObject([{ role }]);
    for (const role of ['slaes', 'SAP@firm.net']) {
      const known = `INBOX_USERS has the role "${role}", which is none of these: sales, hr, `;
      expect(messageOf(() => read(role))).toMatch(new RegExp(`${known}.*sap@firm\\.net`));
    }
  });

  it('INBOX_LABELS > is a list for all forms, and lists for some', () => {
    const labels = (INBOX_LABELS: string) => {
      const all = readSettings({ INBOX_LABELS }).INBOX_LABELS;
      return [labelsFor('contact', all), labelsFor('application', all)];
    };
    expect(labels(' on hold ,,abgelehnt')).toEqual([
      ['on hold', 'abgelehnt'],
      ['on hold', 'abgelehnt'],
    ]);
    expect(labels('on hold; contact = offer;application=invited, hired;')).toEqual([
      ['on hold', 'offer'],
      ['on hold', 'invited', 'hired'],
    ]);
    expect([labels('ü'.repeat(30)), labels('')]).toEqual([
      [['ü'.repeat(30)], ['ü'.repeat(30)]],
      [[], []],
    ]);
  });

  it.each([
    ['sales = offer', 'name these forms: contact, application'],
    ...['x'.repeat(31), 'hired, Hired', 'a; contact = A', 'a=b=c', 'a\nb', '1,2,3,4,5,6,7,8,9,10,11,12,13'].map(
      (labels) => [labels, 'be at most 12 labels of at most 30'] as const,
    ),
  ])('rejects INBOX_LABELS=%j', (INBOX_LABELS, sentence) => {
    expect(() => readSettings({ INBOX_LABELS })).toThrow(`INBOX_LABELS must ${sentence}`);
  });

  it('rejects with all mistakes at once and no value', () => {
    const environment = {
      API_URL: 'secret-port',
      RETENTION_DAYS: '0',
      REDIS_URL: 'http://secret',
      HR_INBOX: 'secret <a@b>',
      SMTP_URL: 'smtp://',
    };
    expect(() => readSettings(environment)).toThrow(SettingsError);
    const message = messageOf(() => readSettings(environment));
    for (const name of Object.keys(environment)) expect(message).toContain(name);
    expect(message).not.toContain('secret');
  });

  it('reads secrets only from files, without the final line break, rather than from the variable', async () => {
    const path = join(folder, 'file');
    await writeFile(path, 'redis://user:password@redis:6379\n');
    const variables = {
      REDIS_URL: 'redis://variable',
      REDIS_URL_FILE: path,
      SALES_INBOX: 'a@b',
      SALES_INBOX_FILE: path,
    };
    const REDIS_URL = 'redis://user:password@redis:6379';
    expect(readSettings({ ...variables, CLAMD_URL: '' })).toMatchObject({ REDIS_URL, SALES_INBOX: 'a@b' });
  });

  it('rejects with the name of the variable > its file cannot be read', () => {
    expect(messageOf(() => readSettings({ SMTP_URL_FILE: join(folder, 'missing') }))).toContain(
      'SMTP_URL_FILE names a file that cannot be read (ENOENT)',
    );
  });

  describe('DKIM', () => {
    const keyOf = (type: 'rsa' | 'rsa-pss', modulusLength: number) =>
      generateKeyPairSync(type as 'rsa', { modulusLength })
        .privateKey.export({ type: 'pkcs8', format: 'pem' })
        .toString();
    const record = 'mail.2026._domainkey.kitewright.example\n';

    it.each([
      ['line breaks', '\n'],
      ['line breaks written as \\n', '\\n'],
    ])('accepts the name of its record and a key > with %s', (_how, lineBreak) => {
      const privateKey = keyOf('rsa', 1024);
      const DKIM_PRIVATE_KEY = `${record}${privateKey}`.replaceAll('\n', lineBreak);
      const expected = { keySelector: 'mail.2026', domainName: 'kitewright.example', privateKey };
      expect(readSettings({ DKIM_PRIVATE_KEY }).DKIM_PRIVATE_KEY).toEqual(expected);
    });

    const [NAME, KEY] = ['begin with the name of its DNS record', 'have an RSA private key'];
    it.each([
      ...['', 'kitewright.example\n', 'mail._domainkey.\n', '_domainkey.kitewright.example\n'].map(
        (first) => [NAME, `${first}${keyOf('rsa', 1024)}`] as const,
      ),
      [KEY, `${record}-----BEGIN secret`],
      [KEY, `${record}${keyOf('rsa', 512)}`],
      [KEY, `${record}${keyOf('rsa-pss', 1024)}`],
    ])('must %s > case %#', (rule, DKIM_PRIVATE_KEY) => {
      const message = messageOf(() => readSettings({ DKIM_PRIVATE_KEY }));
      expect([message.includes(`DKIM_PRIVATE_KEY must ${rule}`), message.includes('BEGIN')]).toEqual([true, false]);
    });
  });

  it('readStorageSettings > ignores mistakes in other settings', () => {
    expect(readStorageSettings({ DATABASE_URL: 'file:/var/x', API_URL: 'x' }).DATABASE_URL).toBe('file:/var/x');
  });
});

function messageOf(step: () => unknown): string {
  try {
    step();
  } catch (error) {
    return (error as Error).message;
  }
  return 'nothing was thrown';
}
