import { SettingsError } from '../config/settings.ts';

/**
 * The database or the files cannot store anything now (full, read-only, away). Nothing was stored, and the visitor may
 * try again.
 */
export class StorageUnavailableError extends Error {
  override readonly name = 'StorageUnavailableError';
}

type StorageSetting = 'DATABASE_URL' | 'RESUMES_URL';

/**
 * SQLite's codes for a database that is locked, full, read-only, unreadable or damaged. Any other code means a bug of
 * ours.
 */
const SQLITE = /^SQLITE_(?:BUSY|LOCKED|FULL|IOERR|READONLY|CANTOPEN|CORRUPT|NOTADB|PERM|PROTOCOL|NOMEM)/;

/**
 * PostgreSQL's classes of codes (its manual, appendix A): connection, login, missing database, no resources, operator's
 * intervention and system error; and the single codes for read-only, serialization and lock failures.
 */
const POSTGRES = /^(?:08...|28...|3D000|53...|57P..|58...|25006|40001|40P01|55P03|57014|XX...)$/;

/**
 * The operating system's codes for a socket or a disk. A code that begins with `ERR_` is Node.js's own and means a bug.
 */
const SYSTEM = /^E(?!RR_)[A-Z0-9_]+$/;

/**
 * Converts an error for the rest of the service: one that an operator or time can mend becomes a {@link
 * StorageUnavailableError} that names the setting and a code, never a value. Any other error is returned as it is.
 */
export function asStorageError(error: unknown, setting: StorageSetting): unknown {
  if (error instanceof StorageUnavailableError) return error;
  if (error instanceof SettingsError) return new StorageUnavailableError(error.mistakes.join('; '), { cause: error });
  const { code = '', message = '' } = error as { code?: string; message?: string };
  if (SQLITE.test(code) || POSTGRES.test(code) || SYSTEM.test(code)) {
    return new StorageUnavailableError(`${setting}: ${code}`, { cause: error });
  }
  // node-postgres gives these errors no code.
  if (/^(?:Connection terminated|timeout exceeded when trying to connect|Query read timeout)/.test(message)) {
    return new StorageUnavailableError(`${setting}: connection lost`, { cause: error });
  }
  return error;
}

/** Does something with a storage. @throws StorageUnavailableError, see {@link asStorageError} */
export async function withStorageErrors<T>(setting: StorageSetting, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw asStorageError(error, setting);
  }
}
