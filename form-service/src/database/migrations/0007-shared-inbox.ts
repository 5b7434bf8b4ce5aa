import { sql, type Kysely } from 'kysely';

/**
 * Adds what colleagues share about a submission: who has taken it, labels, and the date of a reminder. Processes of version
 * 0.4 do not write these columns, so each may be NULL or has a default. A mark that they set leaves `taken_by` as it is.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  const run = (statement: string) => sql.raw(statement).execute(database);
  for (const column of ['taken_by text', 'taken_at bigint', `labels text NOT NULL DEFAULT ''`, 'remind_at bigint'])
    await run(`ALTER TABLE submissions ADD COLUMN ${column}`);
  await run('CREATE INDEX submissions_taken ON submissions (taken_by, received_at, id) WHERE taken_by IS NOT NULL');
  await run(`CREATE INDEX submissions_labelled ON submissions (received_at, id) WHERE labels <> ''`);
  await run('CREATE INDEX submissions_reminded ON submissions (remind_at, id) WHERE remind_at IS NOT NULL');
}
