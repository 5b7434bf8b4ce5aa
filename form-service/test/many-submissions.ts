import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { folded, topicKey } from '../src/submissions/search-terms.ts';
import { SERVICES } from './services.ts';

/** Time at which the first of them was received. The others follow every minute. */
export const FIRST_AT = 1_700_000_000_000;
const EVERY_MS = 60_000;

/** Words of the search texts: in each, in a third, in a hundredth, and in none of them. */
export const WORDS = { everywhere: 'website', frequent: 'almeida', rare: 'zanzibar', absent: 'nobody has this name' };

const TEXT = 'We need a new website with a shop, in four languages, and want it to go live in spring. '.repeat(4);

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;
const chosen = (by: string, values: readonly string[]) =>
  `CASE ${by} ${values.map((value, at) => `WHEN ${at} THEN ${quoted(value)}`).join(' ')} END`;

/** Topics of enquiries; every tenth of the rows is an application for one of twenty positions. */
const topicOf = (fold: (text: string) => string) =>
  `CASE WHEN n % 10 = 9 THEN ${quoted(fold('Android Developer '))} || n % 20
    ELSE ${chosen(`n % ${SERVICES.length}`, SERVICES.map(fold))} END`;

/**
 * Stores many submissions by few statements: of both forms, in all states, with marks, labels, reminders, and some that were
 * taken or handed over.
 */
const insert = (from: number, rows: number) => `
  INSERT INTO submissions (id, form, state, state_since, content_digest, email, fields, reasons, request_id, received_at,
    next_attempt_at, attempts, history, handled, handled_at, handled_by, recipient, taken_by, taken_at, labels,
    remind_at, topic, search_text)
  WITH RECURSIVE rows (n) AS (SELECT ${from} UNION ALL SELECT n + 1 FROM rows WHERE n < ${from + rows - 1})
  SELECT 'KW-' || (1000000 + n), CASE WHEN n % 10 = 9 THEN 'application' ELSE 'contact' END,
    CASE WHEN n % 1000 = 3 THEN 'pending' WHEN n % 100 = 1 THEN 'failed' WHEN n % 100 = 2 THEN 'quarantined'
      ELSE 'delivered' END,
    ${FIRST_AT} + CAST(n AS bigint) * ${EVERY_MS}, 'digest', n || '@visitor.example',
    CASE WHEN n % 10 = 9 THEN '{"position":"' ELSE '{"service":"' END || ${topicOf((text) => text)} || '","message":"${TEXT}"}',
    '[]', 'request', ${FIRST_AT} + CAST(n AS bigint) * ${EVERY_MS}, 0, 1,
    '{"at":"2026-11-26T10:00:00.000Z","event":"delivered"}' || char(10),
    CASE WHEN n % 6 = 5 THEN 'done' WHEN n % 50 = 6 THEN 'spam' END, n, 'ada',
    CASE WHEN n % 50 = 9 THEN 'sap@firm.net' END, CASE WHEN n % 300 = 8 THEN 'ada' END, n,
    CASE WHEN n % 400 = 9 THEN char(10) || 'invited' || char(10) || 'senior' || char(10)
      WHEN n % 200 = 19 THEN char(10) || 'invited' || char(10) ELSE '' END,
    CASE WHEN n % 1000 = 7 THEN n END,
    ${topicOf(topicKey)}, ${topicOf(folded)} || n || ${quoted(`\n${folded(TEXT)}\n`)} || CASE WHEN n % 3 = 0 THEN 'almeida' ELSE '' END
      || CASE WHEN n % 100 = 50 THEN 'zanzibar' ELSE '' END
  FROM rows`;

/** Fills the empty tables of a database. */
export async function fillSubmissions(url: string, rows: number): Promise<void> {
  if (url.startsWith('file:')) {
    const connection = new DatabaseSync(url.slice('file:'.length));
    connection.exec(`PRAGMA synchronous = OFF; ${insert(0, rows)}`);
    connection.close();
    return;
  }
  const client = new pg.Client(url);
  await client.connect();
  // Planning needs the statistics, and counting from an index the visibility map.
  for (const statement of [insert(0, rows).replaceAll('char(10)', 'chr(10)'), 'VACUUM ANALYZE'])
    await client.query(statement);
  await client.end();
}
