import { PostgresAdapter, sql, type Kysely } from 'kysely';
import { searchTextOf } from '../search-text.ts';

/** Rows that one statement reads or writes. */
const PAGE_ROWS = 500;

/**
 * Adds the search text to rows that version 0.3 stored and nobody has searched since. Version 0.4 did so in a search.
 *
 * Gives the column `canary` a default. This version no longer writes it, but processes of version 0.4 still do during a
 * rolling update; a later version can drop it. SQLite cannot change a default, so the empty column is added again.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  const run = (statement: string) => sql.raw(statement).execute(database);
  await addSearchTexts(database);
  if (database.getExecutor().adapter instanceof PostgresAdapter)
    await run('ALTER TABLE submissions ALTER COLUMN canary SET DEFAULT 0');
  else {
    await run('ALTER TABLE submissions DROP COLUMN canary');
    await run('ALTER TABLE submissions ADD COLUMN canary integer NOT NULL DEFAULT 0');
  }
}

/** A row of version 0.3. The columns have other names, so that no plugin parses their JSON. */
interface Row {
  readonly id: string;
  readonly form: string;
  readonly content: string;
  readonly file: string | null;
}

/**
 * Adds the search text to all rows without one, also to those of a restored archive of version 0.4. It lacks notes, which
 * `HandlingRepository.copyNotes` appends.
 */
export async function addSearchTexts(database: Kysely<unknown>, pageRows = PAGE_ROWS): Promise<void> {
  for (let isMore = true; isMore;) {
    const { rows } = await sql<Row>`
      SELECT id, form, fields AS content, resume AS file FROM submissions
      WHERE search_text IS NULL LIMIT ${sql.lit(pageRows)}`.execute(database);
    isMore = rows.length === pageRows;
    if (rows.length === 0) return;
    const values = rows.map(({ content, file, ...row }) => {
      const resume = file === null ? null : (JSON.parse(file) as { readonly name: string });
      return sql`(${row.id}, ${searchTextOf({ ...row, fields: JSON.parse(content) as Readonly<Record<string, string>>, resume })})`;
    });
    // Both engines call the columns of VALUES column1 and column2.
    await sql`
      UPDATE submissions SET search_text = added.column2 FROM (VALUES ${sql.join(values)}) AS added
      WHERE submissions.id = added.column1`.execute(database);
  }
}
