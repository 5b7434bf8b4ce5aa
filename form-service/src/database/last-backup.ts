import type { Database } from './database.ts';

const NAME = 'last backup';

/** Notes that all submissions have been backed up, for health checks and metrics. */
export async function noteBackup(database: Database, at: Date): Promise<void> {
  const row = { name: NAME, value: at.toISOString() };
  await database.run((db) =>
    db
      .insertInto('properties')
      .values(row)
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: row.value }))
      .execute(),
  );
}

/** When the latest backup was made, or undefined when there was none yet. */
export async function lastBackupAt(database: Database): Promise<Date | undefined> {
  const row = await database.run((db) =>
    db.selectFrom('properties').select('value').where('name', '=', NAME).executeTakeFirst(),
  );
  return row && new Date(row.value);
}
