import { sql } from 'kysely';
import type { Database } from './database.ts';
import type { LastRunsTable } from './schema.ts';

/** Records that an archive was written. It becomes a backup once it is kept elsewhere. @param missing files left out */
export async function noteArchive(database: Database, begunAt: Date, missing = 0): Promise<void> {
  const upsert = sql`INSERT INTO last_runs (task, at, files_missing)
    VALUES ('archive', ${begunAt.getTime()}, ${missing})
    ON CONFLICT (task) DO UPDATE SET at = excluded.at, files_missing = excluded.files_missing`;
  await database.run((db) => upsert.execute(db));
}

/**
 * Records that the latest archive is kept elsewhere, for doctor, alerts and metrics.
 *
 * @returns when that archive was started; undefined if there is none
 */
export async function noteBackup(database: Database): Promise<Date | undefined> {
  const upsert = sql<{ at: number }>`INSERT INTO last_runs (task, at)
    SELECT 'backup', at FROM last_runs WHERE task = 'archive'
    ON CONFLICT (task) DO UPDATE SET at = excluded.at RETURNING at`;
  const { rows } = await database.run((db) => upsert.execute(db));
  return rows[0] && new Date(rows[0].at);
}

/** Returns when the latest backup was started; undefined if there is none. */
export async function lastBackupAt(database: Database): Promise<Date | undefined> {
  const run = await lastRun(database, 'backup');
  return run && new Date(run.at);
}

/** Returns the number of files that the latest archive lacks because the storage did not have them. */
export async function lastArchiveLacks(database: Database): Promise<number> {
  return (await lastRun(database, 'archive'))?.filesMissing ?? 0;
}

function lastRun(database: Database, task: LastRunsTable['task']) {
  return database.run((db) => db.selectFrom('lastRuns').selectAll().where('task', '=', task).executeTakeFirst());
}
