import { PostgresAdapter, sql, type Kysely } from 'kysely';

/**
 * Prepares notes that are entries of the history. Version 0.4 keeps one note in the column `note`, and its processes write
 * it during a rolling update. The column `noted_in_history` has the value of `note` that was last copied into the history,
 * so notes from an update or from a restored archive are found by their difference. `HandlingRepository.copyNotes` copies
 * them in pages. A constant default rewrites no row.
 *
 * Adds the index of the submissions that were handed over to another mailbox, in the order of the inbox's lists.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  const run = (statement: string) => sql.raw(statement).execute(database);
  if (database.getExecutor().adapter instanceof PostgresAdapter) {
    // An index on a large table takes longer than the timeout for statements that a visitor waits for.
    await run('SET LOCAL statement_timeout = 0');
    // While ALTER TABLE waits for a long read, such as pg_dump, all visitors wait for it. The next use tries again.
    await run('SET LOCAL lock_timeout = 500');
  }
  await run(`ALTER TABLE submissions ADD COLUMN noted_in_history text NOT NULL DEFAULT ''`);
  await run('CREATE INDEX submissions_notes_to_copy ON submissions (id) WHERE note <> noted_in_history');
  await run(`CREATE INDEX submissions_handed_over
    ON submissions (recipient, form, (coalesce(handled, state)), received_at, id) WHERE recipient IS NOT NULL`);
}
