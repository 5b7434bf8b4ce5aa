import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Kysely, sql } from 'kysely';
import pg from 'pg';
import { freePort } from '../../test/free-port.ts';
import { PostgresServer } from '../../test/postgres-server.ts';
import { ServiceProcess } from '../../test/service-process.ts';
import { newEnquiry } from '../../test/submissions.ts';
import { TcpProxy } from '../../test/tcp-proxy.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
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

  describe('failover', () => {
    let proxy: TcpProxy;
    let primary: PostgresServer;
    let database: Database;
    beforeEach(async () => {
      url = await server.createDatabase();
      primary = await PostgresServer.shared();
      await (await Database.open(await primary.createDatabase(name()))).close();
      proxy = await TcpProxy.start(server.port);
      closing.push(() => proxy.stop());
      database = await open(`postgres://postgres@127.0.0.1:${proxy.port}/${name()}`);
      // All connections of the pool are open.
      await Promise.all([1, 2, 3].map(() => database.run((db) => sql`SELECT pg_sleep(0.1)`.execute(db))));
      expect(proxy.connectionsTo(server.port)).toBe(3);
      await server.run('ALTER SYSTEM SET default_transaction_read_only = on', 'SELECT pg_reload_conf()');
      await until('the switch of open sessions', () => isStored(database).then((stored) => !stored));
    });
    afterEach(async () => {
      await server.run('ALTER SYSTEM RESET default_transaction_read_only', 'SELECT pg_reload_conf()');
      await until('the end of the switch', () => server.createDatabase().catch(() => undefined));
    });

    it('stores again > open connections still lead to the old primary', async () => {
      proxy.target = primary.port;
      await until('a stored submission', () => isStored(database), SECONDS);
      expect(await (await open(primary.url(name()))).ids(sql`SELECT id FROM submissions`)).toHaveLength(1);
    });

    it('accepts no new connection to a read-only server', async () => {
      await expect(Database.open(url)).rejects.toMatchObject({
        name: 'StorageUnavailableError',
        message: 'DATABASE_URL: the server is read-only',
      });
    });
  });

  it('stores again > the database was read-only for a while', async () => {
    const database = await open(url);
    await server.run(`ALTER DATABASE ${name()} SET default_transaction_read_only = on`);
    await endSessions();
    await until('the read-only database', () => isStored(database).then((stored) => !stored));
    await expect(database.check()).rejects.toThrow('DATABASE_URL');
    await server.run(`ALTER DATABASE ${name()} RESET default_transaction_read_only`);
    await until('a stored submission', () => isStored(database), SECONDS);
  });

  it('connects again > the server did not respond in time', async () => {
    const kysely = pool(url, { statement_timeout: 5_000, query_timeout: 1_000, max: 1 });
    await expect(sql`SELECT pg_sleep(4)`.execute(kysely)).rejects.toThrow('Query read timeout');
    expect((await SELECT_PID.execute(kysely)).rows).toHaveLength(1);
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

  it.each<[string, string[], (user: string) => string]>([
    ['42501', [], (user) => `GRANT CREATE ON SCHEMA public TO ${user}`],
    ['3F000', ['DROP SCHEMA public'], (user) => `CREATE SCHEMA public AUTHORIZATION ${user}`],
  ])('says that the user must own the database, and recovers > %s', async (code, forbid, allow) => {
    const place = await server.createDatabase();
    const user = `app_${new URL(place).pathname.slice(-8)}`;
    await server.run(`CREATE ROLE ${user} LOGIN`);
    const asOwner = async (...statements: string[]) => {
      const client = new pg.Client(place);
      await client.connect();
      for (const statement of statements) await client.query(statement);
      await client.end();
    };
    await asOwner(...forbid);
    const asUser = place.replace('postgres@', `${user}@`);
    const message = `DATABASE_URL: ${code}, the user may not create tables: it must own the database`;
    const errors: Error[] = [];
    const database = await Database.open(asUser, (error) => errors.push(error));
    closing.push(() => database.close());
    expect(errors).toEqual([expect.objectContaining({ name: 'StorageUnavailableError', message })]);
    await expect(database.check()).rejects.toThrow(message);
    await asOwner(allow(user));
    expect(await isStored(database)).toBe(true);
  });

  /** Posts an enquiry to an api. */
  function post(api: ServiceProcess): Promise<Response> {
    const { form: _, ...fields } = { form: 'contact', ...newEnquiry().fields };
    const headers = { 'Content-Type': 'application/json' };
    return fetch(`${api.url}/api/contact`, { method: 'POST', headers, body: JSON.stringify(fields) });
  }

  describe('reports an outage and names no value > it cannot connect', () => {
    beforeAll(() => server.useTls());

    it.each<[string, string, () => string | Promise<string>]>([
      ['a certificate that is not trusted', 'DEPTH_ZERO_SELF_SIGNED_CERT', () => `${url}?sslmode=require`],
      ['a missing file of certificates', 'ENOENT', () => `${url}?sslmode=verify-full&sslrootcert=/nowhere/ca.pem`],
      ['a missing database', '3D000', () => server.url('nowhere')],
      ['a missing user', '28000', () => url.replace('postgres@', 'nobody@')],
      ['a database without permission', '42501', forbidden],
      ['a database that allows no connections', '55000', closed],
      ['a setting that the server rejects', '22023', () => `${url}?options=-c%20work_mem%3D1`],
      ['an unknown mode of TLS', 'cannot connect', () => `${url}?sslnegotiation=other`],
      ['a server without TLS', 'cannot connect', async () => `${await plainServer()}?sslmode=require`],
      ['a server that is not PostgreSQL', '[A-Z0-9_]+|connection lost|cannot connect', strangeServer],
    ])('%s', async (_, code, place) => {
      const opening = Database.open(await place());
      await expect(opening).rejects.toMatchObject({
        name: 'StorageUnavailableError',
        message: expect.stringMatching(new RegExp(`^DATABASE_URL: (?:${code})(?:, the user .*)?$`)),
      });
    });

    async function forbidden(): Promise<string> {
      const place = await server.createDatabase('forbidden');
      await server.run(`REVOKE CONNECT ON DATABASE forbidden FROM PUBLIC`, `CREATE ROLE stranger LOGIN`);
      return place.replace('postgres@', 'stranger@');
    }

    async function closed(): Promise<string> {
      const place = await server.createDatabase('closed');
      await server.run(`ALTER DATABASE closed ALLOW_CONNECTIONS false`);
      return place;
    }

    async function plainServer(): Promise<string> {
      return (await PostgresServer.shared()).createDatabase();
    }

    async function strangeServer(): Promise<string> {
      const strange = createServer().listen(0, '127.0.0.1');
      await once(strange, 'listening');
      closing.push(async () => strange.close());
      return `postgres://a:b@127.0.0.1:${(strange.address() as AddressInfo).port}/c`;
    }
  });

  it('api > answers 503 with Retry-After until its server is trusted', async () => {
    const folder = await temporaryFolder();
    const certificates = `${folder.path}/ca.pem`;
    closing.push(folder.remove);
    await writeFile(certificates, '');
    const trusted = await server.useTls();
    const api = await ServiceProcess.start('api', {
      DATABASE_URL: `${url}?sslmode=verify-full&sslrootcert=${certificates}`,
      RESUMES_URL: `file:${folder.path}/resumes`,
      REDIS_URL: `redis://127.0.0.1:${await freePort()}`,
    });
    closing.push(() => api.end('SIGKILL'));
    const { status, headers } = await post(api);
    expect([status, headers.get('Retry-After')]).toEqual([503, expect.stringMatching(/^\d+$/)]);
    await writeFile(certificates, readFileSync(trusted));
    await until('an accepted enquiry', async () => (await post(api)).status === 202, SECONDS);
  });

  it('rejects a server that ends no slow statement > a pooler has dropped the timeout', async () => {
    const dropped = pool(url, { statement_timeout: 0 });
    await expect(SELECT_PID.execute(dropped)).rejects.toThrow('DATABASE_URL leads to a pooler');
    await server.run(`ALTER DATABASE ${name()} SET statement_timeout = '10s'`);
    expect((await SELECT_PID.execute(pool(url, { statement_timeout: 0 }))).rows).toHaveLength(1);
    await server.run(`ALTER DATABASE ${name()} RESET statement_timeout`);
  });
});
