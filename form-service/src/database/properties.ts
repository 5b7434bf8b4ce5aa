import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from './database.ts';
import type { LastRunsTable } from './schema.ts';

/** Returns an id or secret that the processes of an installation share. Backups contain it. */
export async function propertyOf(database: Database, name: string): Promise<string | undefined> {
  const row = await database.run((db) =>
    db.selectFrom('properties').select('value').where('name', '=', name).executeTakeFirst(),
  );
  return row?.value;
}

/** Returns a secret of the installation. The first call creates it, later ones only read. */
export async function secretOf(database: Database, name: string): Promise<string> {
  const known = await propertyOf(database, name);
  if (known !== undefined) return known;
  const value = randomBytes(32).toString('base64url');
  const insert = sql`INSERT INTO properties (name, value) VALUES (${name}, ${value}) ON CONFLICT DO NOTHING`;
  await database.run((db) => insert.execute(db));
  return (await propertyOf(database, name)) ?? value;
}

/** Deletes a property, for example to revoke a secret. */
export async function deleteProperty(database: Database, name: string): Promise<void> {
  await database.run((db) => db.deleteFrom('properties').where('name', '=', name).execute());
}

/** Stores an id for some time under a name that begins with the prefix, and deletes those of the prefix that are over. */
export async function addExpiring(database: Database, prefix: string, id: string, lifetimeMs: number): Promise<void> {
  const now = Date.now();
  // All times have as many digits, so they can be compared as texts.
  const row = { name: `${prefix}${id}`, value: String(now + lifetimeMs) };
  await database.run((db) =>
    db
      .insertInto('properties')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .execute(),
  );
  await database.run((db) =>
    db.deleteFrom('properties').where('name', 'like', `${prefix}%`).where('value', '<', String(now)).execute(),
  );
}

/** Records that an archive was written. It becomes a backup once it is kept elsewhere. @param missing files left out */
export async function noteArchive(database: Database, begunAt: Date, missing = 0): Promise<void> {
  const upsert = sql`INSERT INTO last_runs (task, at, files_missing)
    VALUES ('archive', ${begunAt.getTime()}, ${missing})
    ON CONFLICT (task) DO UPDATE SET at = excluded.at, files_missing = excluded.files_missing`;
  await database.run((db) => upsert.execute(db));
}

/** Records that the latest archive is kept elsewhere, for doctor, alerts and metrics. @returns false if there is none */
export async function noteBackup(database: Database): Promise<boolean> {
  const upsert = sql`INSERT INTO last_runs (task, at)
    SELECT 'backup', at FROM last_runs WHERE task = 'archive'
    ON CONFLICT (task) DO UPDATE SET at = excluded.at RETURNING at`;
  const { rows } = await database.run((db) => upsert.execute(db));
  return rows.length > 0;
}

/** Returns the start of the latest archive, or of the latest one that is kept elsewhere, and the number of files that it lacks. */
export function lastRun(database: Database, task: LastRunsTable['task']) {
  return database.run((db) => db.selectFrom('lastRuns').selectAll().where('task', '=', task).executeTakeFirst());
}
