import { readFile } from 'node:fs/promises';
import { expect } from '@jest/globals';
import { sql } from 'kysely';
import { describeEachEngineAnew } from '../../test/each-engine.ts';

/** Definitions of tables and indexes, as SQLite keeps them. */
const SQLITE_DUMP = sql<{ line: string }>`
  SELECT sql || ';' AS line FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'kysely%' ORDER BY tbl_name, type DESC, name`;

/** Columns, constraints and indexes. PostgreSQL does not keep the statements. */
const POSTGRES_DUMP = sql<{ line: string }>`
  SELECT concat_ws(' ', t.relname || '.' || a.attname, format_type(a.atttypid, a.atttypmod),
    CASE WHEN a.attnotnull THEN 'NOT NULL' END, 'DEFAULT ' || pg_get_expr(d.adbin, d.adrelid)) AS line, 1 AS part, t.relname, a.attnum
  FROM pg_class t JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped
    LEFT JOIN pg_attrdef d ON d.adrelid = t.oid AND d.adnum = a.attnum
  WHERE t.relkind = 'r' AND t.relnamespace = 'public'::regnamespace AND t.relname NOT LIKE 'kysely%'
  UNION ALL
  SELECT t.relname || ': ' || pg_get_constraintdef(c.oid), 2, t.relname, row_number() OVER (ORDER BY c.conname)
  FROM pg_constraint c JOIN pg_class t ON t.oid = c.conrelid
  WHERE c.contype <> 'n' AND t.relnamespace = 'public'::regnamespace AND t.relname NOT LIKE 'kysely%'
  UNION ALL
  SELECT indexdef, 3, tablename, row_number() OVER (ORDER BY indexname)
  FROM pg_indexes WHERE schemaname = 'public' AND tablename NOT LIKE 'kysely%'
  ORDER BY 3, 2, 4`;

describeEachEngineAnew('Migrations > %s', (engine) => {
  // A released migration never changes: a difference is only right with a new migration, or before the first release.
  engine.it('create the schema of the stored text', async () => {
    const database = await engine.open();
    const lines = await database.rows<{ line: string }>(engine.server ? POSTGRES_DUMP : SQLITE_DUMP);
    const file = new URL(`migrations/schema.${database.engine}.sql`, import.meta.url);
    expect(`${lines.map(({ line }) => line).join('\n')}\n`).toBe(await readFile(file, 'utf8'));
  });
});
