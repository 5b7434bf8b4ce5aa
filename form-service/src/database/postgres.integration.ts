import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Kysely, sql } from 'kysely';
import { PostgresServer } from '../../test/postgres-server.ts';
import { newEnquiry } from '../../test/submissions.ts';
import { until } from '../../test/until.ts';
import { SubmissionsRepository } from '../submissions/submissions.repository.ts';
import { Database } from './database.ts';
import { postgresDialect } from './postgres.dialect.ts';
import type { Schema } from './schema.ts';

const serverMissing = PostgresServer.missing();

/** Limit for a use of the database after its server can be written again. */
const SECONDS = 15_000;

const SELECT_PID = sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`;

(serverMissing ? describe.skip : describe)('Database > PostgreSQL', () => {
  /** Server whose settings the tests change. */
  let server: PostgresServer;
  /** Database of the tests that leave it as it was. */
  let url: string;
  const name = () => new URL(url).pathname.slice(1);
  const closing: (() => Promise<unknown>)[] = [];

  beforeAll(async () => {
    server = await PostgresServer.start('unix_socket_directories=.', 'fsync=on');
    url = await server.createDatabase();
  });
  afterAll(() => server.stop());
  afterEach(async () => {
    for (const close of closing.splice(0).toReversed()) await close();
  });

  const open = async (at: string) => {
    const database = await Database.open(at);
    closing.push(() => database.close());
    return database;
  };
  const pool = (at: string, limits: Parameters<typeof postgresDialect>[1]) => {
    const kysely = new Kysely<Schema>({ dialect: postgresDialect(at, limits) });
    closing.push(() => kysely.destroy());
    return kysely;
  };
  const isStored = (database: Database) =>
    new SubmissionsRepository(database).insert(newEnquiry()).catch((error: Error) => {
      if (error.name !== 'StorageUnavailableError') throw error;
      return false;
    });
  /** Ends the sessions of the database of this test. */
  const endSessions = () =>
    server.run(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name()}'`);

  it('stores again > the database was read-only for a while', async () => {
    const database = await open(url);
    await server.run(`ALTER DATABASE ${name()} SET default_transaction_read_only = on`);
    await endSessions();
    await until('the read-only database', () => isStored(database).then((stored) => !stored));
    await expect(database.check()).rejects.toThrow('DATABASE_URL: the server is read-only');
    await server.run(`ALTER DATABASE ${name()} RESET default_transaction_read_only`);
    await until('a stored submission', () => isStored(database), SECONDS);
  });

  it('connects again > the server did not respond in time', async () => {
    const kysely = pool(url, { statement_timeout: 5_000, query_timeout: 1_000, max: 1 });
    await expect(sql`SELECT pg_sleep(4)`.execute(kysely)).rejects.toThrow('Query read timeout');
    expect((await SELECT_PID.execute(kysely)).rows).toHaveLength(1);
  });

  // After a failover an open connection still leads to the previous primary.
  it('connects again > the server has become read-only', async () => {
    const kysely = pool(url, { max: 1 });
    const before = (await SELECT_PID.execute(kysely)).rows;
    await sql`SET default_transaction_read_only = on`.execute(kysely);
    await expect(sql`CREATE TABLE refused (id int)`.execute(kysely)).rejects.toMatchObject({ code: '25006' });
    expect((await SELECT_PID.execute(kysely)).rows).not.toEqual(before);
  });

  it('reports an outage and stores nothing > a connection breaks in a transaction', async () => {
    const database = await open(url);
    const isEnded = database.run((db) =>
      db.transaction().execute(async (transaction) => {
        await transaction.insertInto('erasures').values({ id: 'half', erasedAt: 0 }).execute();
        await endSessions();
        await until('the end of the session', () => pidsOf(database).then((pids) => pids.length === 0));
        await transaction.insertInto('erasures').values({ id: 'other half', erasedAt: 0 }).execute();
      }),
    );
    await expect(isEnded).rejects.toMatchObject({ name: 'StorageUnavailableError' });
    expect(await database.ids(sql`SELECT id FROM erasures`)).toEqual([]);
  });

  const pidsOf = (database: Database) =>
    database.rows<{ pid: number }>(sql`SELECT pid FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid() AND state = 'idle in transaction'`);

  it('says that the user must own the database, and recovers', async () => {
    const place = await server.createDatabase();
    const user = `app_${new URL(place).pathname.slice(-8)}`;
    await server.run(`CREATE ROLE ${user} LOGIN`);
    const asUser = place.replace('postgres@', `${user}@`);
    const message = `DATABASE_URL: 42501, the user may not create tables: it must own the database`;
    const errors: Error[] = [];
    const database = await Database.open(asUser, (error) => errors.push(error));
    closing.push(() => database.close());
    expect(errors).toEqual([expect.objectContaining({ name: 'StorageUnavailableError', message })]);
    await expect(database.check()).rejects.toThrow(message);
    await server.run(`ALTER DATABASE ${new URL(place).pathname.slice(1)} OWNER TO ${user}`);
    expect(await isStored(database)).toBe(true);
  });

  it.each<[string, string, () => string]>([
    ['a server without TLS', 'cannot connect', () => `${url}?sslmode=require`],
    ['a missing file of certificates', 'ENOENT', () => `${url}?sslmode=verify-full&sslrootcert=/nowhere/ca.pem`],
    ['a missing database', '3D000', () => server.url('nowhere')],
    ['a setting that the server rejects', '22023', () => `${url}?options=-c%20work_mem%3D1`],
  ])('reports an outage and names no value > %s', async (_, code, place) => {
    const opening = Database.open(place());
    await expect(opening).rejects.toMatchObject({ name: 'StorageUnavailableError', message: `DATABASE_URL: ${code}` });
  });

  it('rejects a server that ends no slow statement > a pooler has dropped the timeout', async () => {
    const dropped = pool(url, { statement_timeout: 0 });
    await expect(SELECT_PID.execute(dropped)).rejects.toThrow('DATABASE_URL leads to a pooler');
    await server.run(`ALTER DATABASE ${name()} SET statement_timeout = '10s'`);
    expect((await SELECT_PID.execute(pool(url, { statement_timeout: 0 }))).rows).toHaveLength(1);
    await server.run(`ALTER DATABASE ${name()} RESET statement_timeout`);
  });
});
