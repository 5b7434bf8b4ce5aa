import { sql, type Kysely } from 'kysely';

/**
 * Gives the alerts about submissions a lease of their own. Until version 0.4 the end of a claim was in `next_attempt_at`;
 * its processes still write it there during a rolling update, and may then repeat an alert.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  for (const column of ['alert_token text', 'alert_until bigint'])
    await sql.raw(`ALTER TABLE submissions ADD COLUMN ${column}`).execute(database);
}
