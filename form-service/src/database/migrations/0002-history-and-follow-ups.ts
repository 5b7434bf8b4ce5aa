import { randomUUID } from 'node:crypto';
import { domainToASCII } from 'node:url';
import { PostgresAdapter, sql, type Kysely } from 'kysely';

interface Before {
  submissions: { id: string; email: string };
}

/**
 * Gives submissions a history; adds the tables for what is sent beside the mail and for properties of the installation;
 * writes addresses as they are compared from now on. The column `canary` is no longer used: it stays for the version
 * before, which writes it during a rolling update. Canaries, test enquiries to an inbox of their own, are removed, or
 * they would be mailed to sales.
 */
export async function up(database: Kysely<Before>): Promise<void> {
  const isPostgres = database.getExecutor().adapter instanceof PostgresAdapter;
  const run = (statement: string) => sql.raw(statement).execute(database);
  // A large table takes longer than a statement may that a visitor waits for.
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

/** @param isForeign finds the addresses that are not ASCII alone */
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
