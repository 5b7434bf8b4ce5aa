import { randomUUID } from 'node:crypto';
import { domainToASCII } from 'node:url';
import { PostgresAdapter, sql, type Kysely } from 'kysely';

interface Before {
  submissions: { id: string; email: string };
}

/**
 * Gives submissions a history, and defaults for what is the same for each one on arrival; adds the tables for what is
 * sent beside the mail and for properties of the installation; writes addresses as they are compared from now on. The
 * column `canary` is no longer used: it stays for the version before, which writes it during a rolling update. Canaries, test
 * enquiries to an inbox of their own, are removed, or they would be mailed to sales.
 */
export async function up(database: Kysely<Before>): Promise<void> {
  const isPostgres = database.getExecutor().adapter instanceof PostgresAdapter;
  const run = (statement: string) => sql.raw(statement).execute(database);
  await run('DELETE FROM submissions WHERE canary = 1');
  for (const statement of isPostgres ? ALTERED : REBUILT) await run(statement);
  await normalizeEmails(database, isPostgres ? sql`email ~ '[^ -~]'` : sql`email GLOB '*[^ -~]*'`);
  await run('CREATE INDEX submissions_received ON submissions (received_at, id)');
  await run(FOLLOW_UPS);
  await run(`CREATE INDEX follow_ups_due ON follow_ups (next_attempt_at) WHERE state = 'pending'`);
  await run('CREATE TABLE properties (name text PRIMARY KEY, value text NOT NULL)');
  await sql`INSERT INTO properties VALUES ('installation', ${randomUUID()})`.execute(database);
}

const CONSTANT_ON_ARRIVAL = ['canary', 'next_attempt_at', 'attempts', 'alert_due'];

const ALTERED = [
  // A large table takes longer than a statement may that a visitor waits for.
  'SET LOCAL statement_timeout = 0',
  `ALTER TABLE submissions ADD COLUMN history text NOT NULL DEFAULT ''`,
  ...CONSTANT_ON_ARRIVAL.map((column) => `ALTER TABLE submissions ALTER COLUMN ${column} SET DEFAULT 0`),
];

/** SQLite cannot alter a default, so the table is written anew. Its indexes go with the old one. */
const REBUILT = [
  `CREATE TABLE rebuilt (
     id text PRIMARY KEY,
     form text NOT NULL,
     state text NOT NULL CHECK (state IN ('pending', 'delivered', 'failed', 'quarantined')),
     state_since bigint NOT NULL,
     content_digest text NOT NULL,
     email text NOT NULL,
     fields text NOT NULL,
     resume text,
     reasons text NOT NULL,
     canary integer NOT NULL DEFAULT 0,
     request_id text NOT NULL,
     received_at bigint NOT NULL,
     next_attempt_at bigint NOT NULL DEFAULT 0,
     attempts integer NOT NULL DEFAULT 0,
     last_error text,
     released_at bigint,
     lease_token text,
     lease_until bigint,
     alert_due integer NOT NULL DEFAULT 0,
     history text NOT NULL DEFAULT ''
   )`,
  `INSERT INTO rebuilt SELECT *, '' FROM submissions`,
  'DROP TABLE submissions',
  'ALTER TABLE rebuilt RENAME TO submissions',
  `CREATE INDEX submissions_due ON submissions (state, next_attempt_at, received_at) WHERE state = 'pending'`,
  'CREATE INDEX submissions_age ON submissions (state, state_since, id)',
  'CREATE INDEX submissions_email ON submissions (email, id)',
  'CREATE INDEX submissions_alert_due ON submissions (state_since) WHERE alert_due = 1',
];

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
