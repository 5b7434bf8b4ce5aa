import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { readSettings, readStorageSettings, SettingsError } from './env.ts';

describe('readSettings', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kitewright-env-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('has a default for everything that is not optional', () => {
    const settings = readSettings({});
    expect(settings).toMatchObject({ API_PORT: 3000, RETENTION_DAYS: 30, RATE_LIMIT_PER_MINUTE: 20, STORAGE_URL: 'file:.data/submissions' });
    expect(settings.INSTANCE).not.toBe('');
    expect(settings.MAIL_MAX_BYTES).toBeUndefined();
  });

  it('takes an empty variable for one that is not set', () => {
    expect(readSettings({ API_PORT: '', CLAMD_URL: '' })).toMatchObject({ API_PORT: 3000 });
  });

  it('names every mistake at once and no value', () => {
    const environment = { API_PORT: 'secret-port', RETENTION_DAYS: '0', REDIS_URL: 'http://secret', HR_INBOX: 'secret <a@b>', SMTP_URL: 'smtp://' };
    expect(() => readSettings(environment)).toThrow(SettingsError);
    const message = messageOf(() => readSettings(environment));
    for (const name of Object.keys(environment)) expect(message).toContain(name);
    expect(message).not.toContain('secret');
  });

  it('reads a secret from a file, without the line break at its end', async () => {
    const path = join(folder, 'redis');
    await writeFile(path, 'redis://user:password@redis:6379\n');
    expect(readSettings({ REDIS_URL_FILE: path }).REDIS_URL).toBe('redis://user:password@redis:6379');
  });

  it('says which file cannot be read', () => {
    expect(messageOf(() => readSettings({ SMTP_URL_FILE: join(folder, 'missing') }))).toContain('SMTP_URL_FILE names a file that cannot be read (ENOENT)');
  });

  it('reads the storage alone whatever else is wrong', () => {
    expect(readStorageSettings({ STORAGE_URL: 'file:/var/x', API_PORT: 'x' }).STORAGE_URL).toBe('file:/var/x');
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
