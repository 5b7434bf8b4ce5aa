import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from './database.ts';

/** What the processes of one installation share under a name; it goes with each backup. */
export async function propertyOf(database: Database, name: string): Promise<string | undefined> {
  const row = await database.run((db) =>
    db.selectFrom('properties').select('value').where('name', '=', name).executeTakeFirst(),
  );
  return row?.value;
}

/** A secret of the installation, which the first process to ask makes. */
export async function secretOf(database: Database, name: string): Promise<string> {
  const value = randomBytes(32).toString('base64url');
  const insert = sql`INSERT INTO properties (name, value) VALUES (${name}, ${value}) ON CONFLICT DO NOTHING`;
  await database.run((db) => insert.execute(db));
  return (await propertyOf(database, name)) ?? value;
}

const LAST_BACKUP = 'last backup';

/** Notes that all submissions have been backed up, for health checks and metrics. */
export async function noteBackup(database: Database, at: Date): Promise<void> {
  const upsert = sql`INSERT INTO properties (name, value) VALUES (${LAST_BACKUP}, ${at.toISOString()})
    ON CONFLICT (name) DO UPDATE SET value = excluded.value`;
  await database.run((db) => upsert.execute(db));
}

/** When the latest backup was made, or undefined when there was none yet. */
export async function lastBackupAt(database: Database): Promise<Date | undefined> {
  const at = await propertyOf(database, LAST_BACKUP);
  return at === undefined ? undefined : new Date(at);
}
