import { PostgresAdapter, sql, type Kysely } from 'kysely';

/**
 * Adds the columns, the table and the indexes of the inbox, and the index of failed notifications. A process of version 0.3
 * does not write the new columns during a rolling update, so each has a default or may be NULL.
 *
 * Adds the table of erasures that are not complete: their file, or copies of the deleted rows, may remain. It includes the
 * erasures of earlier versions, whose VACUUM failed silently if the temporary folder was small. Moves state out of strings
 * into tables of its own.
 *
 * Deletes the canaries (test enquiries) that a process of version 0.2 stored after version 0.3 had migrated. Nothing
 * reads the column `canary` any more. It stays, because a process of version 0.3 writes it during a rolling update.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  const run = (statement: string) => sql.raw(statement).execute(database);
  // An index on a large table takes longer than the timeout for statements that a visitor waits for.
  if (database.getExecutor().adapter instanceof PostgresAdapter) await run('SET LOCAL statement_timeout = 0');
  await run(`DELETE FROM submissions WHERE state = 'pending' AND canary = 1`);
  for (const column of INBOX_COLUMNS) await run(`ALTER TABLE submissions ADD COLUMN ${column}`);
  await run('CREATE INDEX submissions_listed ON submissions (form, (coalesce(handled, state)), received_at, id)');
  await run('CREATE INDEX submissions_handled ON submissions (handled, handled_at) WHERE handled IS NOT NULL');
  await run('CREATE INDEX submissions_without_search_text ON submissions (id) WHERE search_text IS NULL');
  await run('CREATE TABLE inbox_visits (name text PRIMARY KEY, new_since bigint NOT NULL, last_at bigint NOT NULL)');
  await run(`CREATE INDEX follow_ups_failed ON follow_ups (kind, state_since) WHERE state = 'failed'`);
  await run(`CREATE TABLE erasure_clean_ups (
    id text PRIMARY KEY,
    resume_key text,
    since bigint NOT NULL
  )`);
  await run('INSERT INTO erasure_clean_ups (id, since) SELECT id, max(erased_at) FROM erasures GROUP BY id');
  await createStateTables(database);
  await moveStateFromProperties(database);
}

/** Adds the tables for state that version 0.3 kept as strings in `properties`, which now only contains ids and secrets. */
async function createStateTables(database: Kysely<unknown>): Promise<void> {
  const run = (statement: string) => sql.raw(statement).execute(database);
  await run(`CREATE TABLE acknowledgements (
    mailbox text PRIMARY KEY,
    submission_id text NOT NULL,
    sent_at bigint NOT NULL
  )`);
  await run('CREATE INDEX acknowledgements_submission ON acknowledgements (submission_id)');
  await run(`CREATE TABLE digests (
    recipient text PRIMARY KEY,
    until bigint NOT NULL,
    lease_token text,
    lease_until bigint
  )`);
  await run(`CREATE TABLE last_runs (
    task text PRIMARY KEY,
    at bigint NOT NULL,
    files_missing integer NOT NULL DEFAULT 0
  )`);
}

/**
 * Moves the state of version 0.3. A worker of 0.3 that still runs during an update writes its own rows to `properties`.
 * They have no effect, so a visitor may get a second acknowledgement.
 */
async function moveStateFromProperties(database: Kysely<unknown>): Promise<void> {
  // A value is the time in milliseconds (13 digits), a space, and the submission.
  await sql`
    INSERT INTO acknowledgements (mailbox, submission_id, sent_at)
    SELECT substr(name, 14), substr(value, 15), CAST(substr(value, 1, 13) AS bigint)
    FROM properties WHERE name LIKE 'acknowledged:%' ON CONFLICT DO NOTHING`.execute(database);
  const { rows } = await sql<{ name: string; value: string }>`
    SELECT name, value FROM properties WHERE name LIKE 'digest:%' OR name = 'last backup'`.execute(database);
  for (const { name, value } of rows) {
    if (name === 'last backup')
      await sql`INSERT INTO last_runs (task, at) VALUES ('backup', ${Date.parse(value)}) ON CONFLICT DO NOTHING`.execute(
        database,
      );
    else {
      const { until } = JSON.parse(value) as { until: number };
      const recipient = name.slice('digest:'.length);
      await sql`INSERT INTO digests (recipient, until) VALUES (${recipient}, ${until}) ON CONFLICT DO NOTHING`.execute(
        database,
      );
    }
  }
  await sql`DELETE FROM properties
    WHERE name LIKE 'acknowledged:%' OR name LIKE 'digest:%' OR name = 'last backup'`.execute(database);
}

const INBOX_COLUMNS = [
  `handled text CHECK (handled IN ('done', 'spam'))`,
  'handled_at bigint',
  'handled_by text',
  `note text NOT NULL DEFAULT ''`,
  'recipient text',
  'search_text text',
];
