import { PostgresAdapter, sql, type Kysely } from 'kysely';
import { TOPIC_SQL } from '../topic-key.ts';

/**
 * Adds what colleagues share about a submission: who has taken it, labels, and the date of a reminder. Processes of version
 * 0.4 do not write these columns, so each may be NULL or has a default. A mark that they set leaves `taken_by` as it is.
 *
 * Adds the index of the topics. PostgreSQL counts from an index only if it has the columns of its expressions, so those of
 * the lists are created again.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  const run = (statement: string) => sql.raw(statement).execute(database);
  const isPostgres = database.getExecutor().adapter instanceof PostgresAdapter;
  if (isPostgres) {
    // An index on a large table takes longer than the timeout for statements that a visitor waits for.
    await run('SET LOCAL statement_timeout = 0');
    // While ALTER TABLE waits for a long read, such as pg_dump, all visitors wait for it. The next use tries again.
    await run('SET LOCAL lock_timeout = 500');
  }
  for (const column of ['taken_by text', 'taken_at bigint', `labels text NOT NULL DEFAULT ''`, 'remind_at bigint'])
    await run(`ALTER TABLE submissions ADD COLUMN ${column}`);
  await run(`CREATE INDEX submissions_taken ON submissions (taken_by, received_at, id)
    WHERE taken_by IS NOT NULL AND handled IS NULL`);
  await run(`CREATE INDEX submissions_labelled ON submissions (labels, received_at, id) WHERE labels <> ''`);
  await run('CREATE INDEX submissions_reminded ON submissions (remind_at, id) WHERE remind_at IS NOT NULL');
  const { key } = TOPIC_SQL[isPostgres ? 'postgres' : 'sqlite'];
  await run(`CREATE INDEX submissions_of_topic
    ON submissions (form, (${key}), (coalesce(handled, state)), received_at, id, recipient)`);
  if (!isPostgres) return;
  for (const name of ['listed', 'handed_over']) await run(`DROP INDEX submissions_${name}`);
  await run(`CREATE INDEX submissions_listed
    ON submissions (form, (coalesce(handled, state)), received_at, id) INCLUDE (handled, state)`);
  await run(`CREATE INDEX submissions_handed_over
    ON submissions (recipient, form, (coalesce(handled, state)), received_at, id) INCLUDE (handled, state)
    WHERE recipient IS NOT NULL`);
}
