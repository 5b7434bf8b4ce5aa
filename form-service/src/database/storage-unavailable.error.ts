import { SettingsError } from '../settings/settings.ts';

/** Database or files cannot store anything now: full, read-only or unavailable. Nothing was stored; a retry may help. */
export class StorageUnavailableError extends Error {
  override readonly name = 'StorageUnavailableError';

  /** Code of the error behind it, or its name. Nodemailer sets the property `code` of an error in a message. */
  get reason(): string | undefined {
    const { code, name } = (this.cause ?? {}) as { code?: string; name?: string };
    return code ?? name;
  }

  /** Whether a file does not exist, so that a retry does not help. */
  get isMissing(): boolean {
    return this.reason === 'ENOENT' || this.reason === 'NoSuchKey';
  }
}

type StorageSetting = 'DATABASE_URL' | 'RESUMES_URL';

/** SQLite's codes for a database that is locked, full, read-only, unreadable or damaged. Any other code means a bug. */
const SQLITE = /^SQLITE_(?:BUSY|LOCKED|FULL|IOERR|READONLY|CANTOPEN|CORRUPT|NOTADB|PERM|PROTOCOL|NOMEM)/;

/**
 * PostgreSQL's error classes (its manual, appendix A): connection, login, missing database or schema, insufficient
 * resources, operator intervention and system error; and single codes for read-only, failed transaction, serialization,
 * permission, state and lock failures.
 */
const POSTGRES =
  /^(?:08...|28...|3D000|3F000|53...|57P..|58...|25006|25P02|40001|40P01|42501|55000|55P03|57014|XX...)$/;

/** Codes of PostgreSQL if the user may not create or change tables: no permission, not the owner, or no usable schema. */
const NO_OWNER = /^(?:42501|3F000)$/;

/** Codes of the operating system for sockets and disks. Codes of Node.js itself (`ERR_`) mean a bug. */
const SYSTEM = /^E(?!RR_)[A-Z0-9_]+$/;

/**
 * Converts an error that an operator or time can fix into a {@link StorageUnavailableError}, which names the setting and a
 * code, never a value. Other errors are returned unchanged.
 */
export function asStorageError(error: unknown, setting: StorageSetting): unknown {
  if (error instanceof StorageUnavailableError) return error;
  if (error instanceof SettingsError) return new StorageUnavailableError(error.mistakes.join('; '), { cause: error });
  const { code = '', message = '' } = error as { code?: string; message?: string };
  if (SQLITE.test(code) || POSTGRES.test(code) || SYSTEM.test(code)) {
    const hint = NO_OWNER.test(code) ? ', the user may not create tables: it must own the database' : '';
    return new StorageUnavailableError(`${setting}: ${code}${hint}`, { cause: error });
  }
  // node-postgres gives these errors no code.
  if (/^(?:Connection terminated|timeout exceeded when trying to connect|Query read timeout)/.test(message)) {
    return new StorageUnavailableError(`${setting}: connection lost`, { cause: error });
  }
  return error;
}

/**
 * Converts an error that happened while connecting to the database, or because its connection broke. With any code,
 * for example of TLS or DNS, the database is unavailable. A {@link SettingsError} is returned unchanged.
 */
export function asConnectionError(error: unknown): unknown {
  if (error instanceof SettingsError) return error;
  const known = asStorageError(error, 'DATABASE_URL');
  if (known instanceof StorageUnavailableError) return known;
  const { code = 'cannot connect' } = error as { code?: string };
  return new StorageUnavailableError(`DATABASE_URL: ${code}`, { cause: error });
}

/** Runs work that uses a storage. @throws StorageUnavailableError, see {@link asStorageError} */
export async function withStorageErrors<T>(setting: StorageSetting, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw asStorageError(error, setting);
  }
}
