import { sql } from 'kysely';
import { Database } from '../form-service/src/database/database.ts';

/** Characters of a reference; see form-service/src/submissions/submission-id.ts. */
const HEX_AS_REFERENCE = sql`'KW-' || substr(hex(randomblob(8)), 1, 4) || '-' || substr(hex(randomblob(8)), 1, 4) || '-' || substr(hex(randomblob(8)), 1, 4) || '-' || substr(hex(randomblob(8)), 1, 4)`;

const FIELDS = JSON.stringify({
  name: 'Ana Example',
  email: 'ana@example.org',
  phone: '',
  service: 'Web Development',
  message: 'A message of the length that people write: we need a new shop.',
});

/** Puts so many delivered submissions into an SQLite database, spread over the last 29 days. */
export async function fillDatabase(url: string, count: number): Promise<void> {
  const database = await Database.open(url);
  await database.run((db) =>
    sql`
      INSERT INTO submissions
      WITH RECURSIVE counter(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counter WHERE n < ${count})
      SELECT ${HEX_AS_REFERENCE}, 'contact', 'delivered', ${Date.now()} - n % 29 * 86400000, hex(randomblob(32)),
             'visitor' || n || '@example.org', ${FIELDS}, NULL, '[]', 0, 'bench', ${Date.now()} - n % 29 * 86400000,
             0, 1, NULL, NULL, NULL, NULL, 0
      FROM counter`.execute(db),
  );
  await database.close();
}
