import { describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { PgBouncer } from '../../test/pgbouncer.ts';
import { PostgresServer } from '../../test/postgres-server.ts';
import { Database } from '../database/database.ts';
import { exclusively } from './exclusive.ts';

const missing = PostgresServer.missing() ?? PgBouncer.missing();
if (missing) process.stderr.write(`SKIPPED: exclusive use through PgBouncer, because ${missing}\n`);

(missing ? describe.skip : describe)('exclusively > through PgBouncer', () => {
  it('holds the lock during the work and releases it > sessions are shared', async () => {
    const server = await PostgresServer.shared();
    const url = await server.createDatabase();
    const bouncer = await PgBouncer.start(server.port, 'pool_mode = transaction');
    const database = await Database.open(bouncer.url(url));
    try {
      const sleep = () => database.run((db) => sql`SELECT pg_sleep(0.2)`.execute(db));
      let slow: Promise<unknown> | undefined;
      await exclusively(database, async () => {
        // These statements take the sessions in another order than before.
        slow = Promise.all([sleep(), sleep()]);
        const opening = Database.open(`${url}?statement_timeout=100`);
        await expect(opening).rejects.toThrow('DATABASE_URL: 57014');
      });
      await slow;
      await (await Database.open(url)).close();
    } finally {
      await database.close();
      await bouncer.stop();
    }
  });
});
