import { sql, type Kysely } from 'kysely';

/**
 * Creates the two tables and the indexes of the frequent queries: due submissions, age of a state, submissions of a person,
 * due alerts.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await database.schema
    .createTable('submissions')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('form', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) =>
      column.notNull().check(sql`state IN ('pending', 'delivered', 'failed', 'quarantined')`),
    )
    .addColumn('state_since', 'bigint', (column) => column.notNull())
    .addColumn('content_digest', 'text', (column) => column.notNull())
    .addColumn('email', 'text', (column) => column.notNull())
    .addColumn('fields', 'text', (column) => column.notNull())
    .addColumn('resume', 'text')
    .addColumn('reasons', 'text', (column) => column.notNull())
    .addColumn('canary', 'integer', (column) => column.notNull())
    .addColumn('request_id', 'text', (column) => column.notNull())
    .addColumn('received_at', 'bigint', (column) => column.notNull())
    .addColumn('next_attempt_at', 'bigint', (column) => column.notNull())
    .addColumn('attempts', 'integer', (column) => column.notNull())
    .addColumn('last_error', 'text')
    .addColumn('released_at', 'bigint')
    .addColumn('lease_token', 'text')
    .addColumn('lease_until', 'bigint')
    .addColumn('alert_due', 'integer', (column) => column.notNull())
    .execute();
  await database.schema
    .createIndex('submissions_due')
    .on('submissions')
    .columns(['state', 'next_attempt_at', 'received_at'])
    .where(sql.ref('state'), '=', sql.lit('pending'))
    .execute();
  await database.schema
    .createIndex('submissions_age')
    .on('submissions')
    .columns(['state', 'state_since', 'id'])
    .execute();
  await database.schema.createIndex('submissions_email').on('submissions').columns(['email', 'id']).execute();
  await database.schema
    .createIndex('submissions_alert_due')
    .on('submissions')
    .column('state_since')
    .where(sql.ref('alert_due'), '=', sql.lit(1))
    .execute();
  await database.schema
    .createTable('erasures')
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('erased_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('erasures_pk', ['id', 'erased_at'])
    .execute();
}
