import { PostgresDialect, sql, type Kysely } from 'kysely';
import pg from 'pg';
import { SettingsError } from '../config/settings.ts';
import type { Schema } from './schema.ts';

/**
 * Connection pool for PostgreSQL. Three connections carry more than one process can send. The server ends slow statements
 * itself, so nothing is stored after it was reported as not stored. The client's longer timeout is for a server that does
 * not respond at all.
 */
const POOL = {
  max: 3,
  connectionTimeoutMillis: 5_000,
  statement_timeout: 10_000,
  query_timeout: 15_000,
  keepAlive: true,
};

/** Kysely dialect for PostgreSQL, with large integers as numbers. */
export function postgresDialect(connectionString: string): PostgresDialect {
  const types = new pg.TypeOverrides();
  types.setTypeParser(pg.types.builtins.INT8, Number);
  const pool = new pg.Pool({ connectionString, types, ...POOL });
  // The pool replaces idle connections that break; a statement on a broken connection reports the error itself.
  pool.on('error', () => undefined);
  // A connection that breaks between two statements of a transaction emits an event that would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return new PostgresDialect({ pool });
}

/** @throws SettingsError for a server that confirms commits before they are durable */
export async function refuseLossyCommits(kysely: Kysely<Schema>): Promise<void> {
  const settings = ['synchronous_commit', 'fsync'] as const;
  for (const name of settings) {
    const { rows } = await sql<{ value: string }>`SELECT current_setting(${name}) AS value`.execute(kysely);
    if (rows[0]?.value === 'off')
      throw new SettingsError([`DATABASE_URL names a server with ${name}=off: it forgets what it confirmed`]);
  }
}
