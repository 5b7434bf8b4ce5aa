import { describe, expect, it } from '@jest/globals';
import { SettingsError } from '../settings/settings.ts';
import { asConnectionError, asStorageError, StorageUnavailableError } from './storage-unavailable.error.ts';

const SQLITE = 'BUSY LOCKED FULL IOERR READONLY CANTOPEN CORRUPT NOTADB PERM PROTOCOL NOMEM IOERR_WRITE';
const POSTGRES =
  '08006 28P01 3D000 3F000 53100 53300 57P01 57P03 58030 25006 25P02 40001 40P01 42501 55000 55P03 57014 XX001';
const SYSTEM = 'ECONNREFUSED EAI_AGAIN ENOSPC EROFS E2BIG';
const CODES = [...SQLITE.split(' ').map((code) => `SQLITE_${code}`), ...POSTGRES.split(' '), ...SYSTEM.split(' ')];
const BUGS = [
  'SQLITE_ERROR',
  'SQLITE_CONSTRAINT',
  '42P01',
  '22023',
  '23505',
  '57000',
  'ERR_INVALID_ARG_TYPE',
  undefined,
];

const errorWith = (code: string | undefined, message = 'a text with a value') =>
  Object.assign(new Error(message), { code });

describe('asStorageError', () => {
  it.each(CODES)('names the code %s and not the message', (code) => {
    const error = asStorageError(errorWith(code), 'DATABASE_URL');
    expect(error).toBeInstanceOf(StorageUnavailableError);
    expect((error as Error).message).toMatch(new RegExp(`^DATABASE_URL: ${code}(?:, the user .*)?$`));
  });

  it.each(['Connection terminated unexpectedly', 'timeout exceeded when trying to connect', 'Query read timeout'])(
    'reports a lost connection > %s',
    (message) => {
      const error = asStorageError(errorWith(undefined, message), 'DATABASE_URL') as Error;
      expect([error.name, error.message]).toEqual(['StorageUnavailableError', 'DATABASE_URL: connection lost']);
    },
  );

  it.each(BUGS)('returns an error with the code %s unchanged', (code) => {
    const bug = errorWith(code);
    expect(asStorageError(bug, 'DATABASE_URL')).toBe(bug);
  });

  it('names the mistakes of settings, and keeps its own error', () => {
    const own = asStorageError(new SettingsError(['A is wrong', 'B is wrong']), 'RESUMES_URL');
    expect(own).toMatchObject({ name: 'StorageUnavailableError', message: 'A is wrong; B is wrong' });
    expect(asStorageError(own, 'DATABASE_URL')).toBe(own);
  });
});

describe('asConnectionError', () => {
  it.each([
    ['ECONNREFUSED', 'ECONNREFUSED'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'SELF_SIGNED_CERT_IN_CHAIN'],
    [undefined, 'cannot connect'],
  ])('reports any error as an outage > %s', (code, cause) => {
    const error = asConnectionError(errorWith(code)) as Error;
    expect([error.name, error.message]).toEqual(['StorageUnavailableError', `DATABASE_URL: ${cause}`]);
  });

  it('returns mistakes of settings unchanged', () => {
    const mistake = new SettingsError(['A is wrong']);
    expect(asConnectionError(mistake)).toBe(mistake);
  });
});
