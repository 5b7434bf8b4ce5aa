import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { MIGRATION_LOCK } from '../database/postgres.dialect.ts';
import { StorageUnavailableError } from '../database/storage-unavailable.error.ts';
import { EXIT, OperatorError } from './terminal.ts';

const busy = () =>
  new OperatorError('The database is in use. Stop the api, the worker and other commands, then try again.', EXIT.busy);

/**
 * Runs the work while no other client can use the database.
 *
 * @throws OperatorError when another client uses it
 */
export function exclusively(database: Database, work: () => Promise<void>): Promise<void> {
  return database.engine === 'sqlite' ? withFileLock(database, work) : withTransactionLock(database, work);
}

/** Locks the SQLite file until the command closes the database. */
async function withFileLock(database: Database, work: () => Promise<void>): Promise<void> {
  await database.run((db) => sql`PRAGMA locking_mode = EXCLUSIVE`.execute(db));
  await database
    .run((db) => sql`PRAGMA journal_mode = DELETE`.execute(db))
    .catch((error: unknown) => {
      throw error instanceof StorageUnavailableError && error.reason === 'SQLITE_BUSY' ? busy() : error;
    });
  await work();
}

/**
 * Holds the lock of the migrations, which every process acquires when it opens the database. Its transaction stays in one
 * session of a pooler as well. The work uses other connections.
 */
async function withTransactionLock(database: Database, work: () => Promise<void>): Promise<void> {
  let failure: unknown;
  await database.run((db) =>
    db.transaction().execute(async (transaction) => {
      await sql`SET LOCAL idle_in_transaction_session_timeout = 0`.execute(transaction);
      const { rows } = await sql<{ isLocked: boolean; others: number }>`
        SELECT pg_try_advisory_xact_lock(${MIGRATION_LOCK}) AS is_locked,
          (SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()
            AND pid <> pg_backend_pid() AND backend_type = 'client backend') AS others`.execute(transaction);
      if (!rows[0]?.isLocked || rows[0].others > 0) throw busy();
      // The lock ends with the transaction. An error of the work must not count as a failure of the database.
      await work().catch((error: unknown) => (failure = error));
    }),
  );
  if (failure) throw failure;
}
