import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { readSettings, readStorageSettings, SettingsError } from './settings.ts';

describe('readSettings', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kitewright-env-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('Every setting that is not optional has a default', () => {
    const settings = readSettings({});
    expect(settings).toMatchObject({
      API_PORT: 3000,
      RETENTION_DAYS: 30,
      RATE_LIMIT_PER_MINUTE: 20,
      DATABASE_URL: 'file:.data/submissions.db',
    });
    expect(settings.INSTANCE).not.toBe('');
    expect(settings.MAIL_MAX_BYTES).toBeUndefined();
  });

  it('An empty variable counts as not set', () => {
    expect(readSettings({ API_PORT: '', CLAMD_URL: '' })).toMatchObject({ API_PORT: 3000 });
  });

  it('The error names every mistake at once and no value', () => {
    const environment = {
      API_PORT: 'secret-port',
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

  it('A secret is read from a file, without the line break at its end', async () => {
    const path = join(folder, 'redis');
    await writeFile(path, 'redis://user:password@redis:6379\n');
    expect(readSettings({ REDIS_URL_FILE: path }).REDIS_URL).toBe('redis://user:password@redis:6379');
  });

  it('The file wins where the variable is set too, as images set some', async () => {
    const path = join(folder, 'storage');
    await writeFile(path, 'file:/from/the/file');
    expect(readSettings({ DATABASE_URL: 'file:/from/the/variable', DATABASE_URL_FILE: path }).DATABASE_URL).toBe(
      'file:/from/the/file',
    );
  });

  it('A path after two slashes is refused, since it names a server and not a folder', () => {
    for (const name of ['DATABASE_URL', 'RESUMES_URL']) {
      expect(messageOf(() => readSettings({ [name]: 'file://data/x' }))).toContain(
        `${name} must have a path after file:`,
      );
      expect(readSettings({ [name]: 'file:///data/x' })).toMatchObject({ [name]: 'file:///data/x' });
    }
  });

  it('The error names the variable whose file cannot be read', () => {
    expect(messageOf(() => readSettings({ SMTP_URL_FILE: join(folder, 'missing') }))).toContain(
      'SMTP_URL_FILE names a file that cannot be read (ENOENT)',
    );
  });

  describe('The settings of the mail signature', () => {
    const keyOf = (type: 'rsa' | 'rsa-pss', modulusLength: number) =>
      generateKeyPairSync(type as 'rsa', { modulusLength })
        .privateKey.export({ type: 'pkcs8', format: 'pem' })
        .toString();
    const names = { DKIM_DOMAIN: 'kitewright.example', DKIM_SELECTOR: 'mail.2026' };

    it('The line breaks of a key may be written as \\n', () => {
      const pem = keyOf('rsa', 1024);
      expect(readSettings({ ...names, DKIM_PRIVATE_KEY: pem.replaceAll('\n', '\\n') }).DKIM_PRIVATE_KEY).toBe(pem);
    });

    it('A signature needs all of its settings', () => {
      expect(messageOf(() => readSettings(names))).toContain('DKIM_PRIVATE_KEY must be set');
      expect(messageOf(() => readSettings({ DKIM_PRIVATE_KEY: keyOf('rsa', 1024) }))).toMatch(
        /DKIM_DOMAIN must[^]*DKIM_SELECTOR must/,
      );
    });

    it.each([
      ['text', 'secret'],
      ['a short key', keyOf('rsa', 512)],
      ['a key of another kind', keyOf('rsa-pss', 1024)],
    ])('The key of the signature cannot be %s', (_what, key) => {
      const message = messageOf(() => readSettings({ ...names, DKIM_PRIVATE_KEY: key }));
      expect(message).toContain('DKIM_PRIVATE_KEY must be an RSA private key');
      expect(message).not.toContain(key);
    });
  });

  it('The storage settings are read although other settings are wrong', () => {
    expect(readStorageSettings({ DATABASE_URL: 'file:/var/x', API_PORT: 'x' }).DATABASE_URL).toBe('file:/var/x');
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
