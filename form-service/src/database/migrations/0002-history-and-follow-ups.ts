import { randomUUID } from 'node:crypto';
import { domainToASCII } from 'node:url';
import { PostgresAdapter, sql, type Kysely } from 'kysely';

interface Before {
  submissions: { id: string; email: string };
}

/**
 * Adds the history of submissions and the tables for notifications and properties, and normalizes stored addresses. The
 * column `canary` is no longer used: it stays because version 0.2 writes it during a rolling update. Canaries, which are
 * test enquiries to an inbox of their own, are removed; otherwise they would be mailed to sales.
 */
export async function up(database: Kysely<Before>): Promise<void> {
  const isPostgres = database.getExecutor().adapter instanceof PostgresAdapter;
  const run = (statement: string) => sql.raw(statement).execute(database);
  // A large table takes longer than the timeout for statements that a visitor waits for.
  if (isPostgres) await run('SET LOCAL statement_timeout = 0');
  await run('DELETE FROM submissions WHERE canary = 1');
  await run(`ALTER TABLE submissions ADD COLUMN history text NOT NULL DEFAULT ''`);
  await normalizeEmails(database, isPostgres ? sql`email ~ '[^ -~]'` : sql`email GLOB '*[^ -~]*'`);
  await run('CREATE INDEX submissions_received ON submissions (received_at, id)');
  await run(FOLLOW_UPS);
  await run(`CREATE INDEX follow_ups_due ON follow_ups (next_attempt_at) WHERE state = 'pending'`);
  await run('CREATE TABLE properties (name text PRIMARY KEY, value text NOT NULL)');
  await sql`INSERT INTO properties VALUES ('installation', ${randomUUID()})`.execute(database);
}

const FOLLOW_UPS = `CREATE TABLE follow_ups (
  submission_id text NOT NULL REFERENCES submissions ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind IN ('acknowledgement', 'webhook')),
  state text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'delivered', 'failed')),
  state_since bigint NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  next_attempt_at bigint NOT NULL DEFAULT 0,
  last_error text,
  lease_token text,
  lease_until bigint,
  PRIMARY KEY (submission_id, kind)
)`;

/** @param isForeign selects addresses with characters other than ASCII */
async function normalizeEmails(database: Kysely<Before>, isForeign: ReturnType<typeof sql>): Promise<void> {
  const { rows } = await sql<Before['submissions']>`SELECT id, email FROM submissions WHERE ${isForeign}`.execute(
    database,
  );
  for (const { id, email } of rows) {
    const at = email.lastIndexOf('@') + 1;
    const domain = domainToASCII(email.slice(at)) || email.slice(at);
    const normalized = email.slice(0, at).normalize('NFC').toLowerCase() + domain;
    await database.updateTable('submissions').set({ email: normalized }).where('id', '=', id).execute();
  }
}
