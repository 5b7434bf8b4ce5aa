import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { PostgresServer } from '../../test/postgres-server.ts';
import { age, newEnquiry, storeEnquiry } from '../../test/submissions.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { until } from '../../test/until.ts';
import { Database } from '../database/database.ts';
import { BacklogRepository } from './backlog.repository.ts';
import { LEASE_MS, LeasesRepository } from './leases.repository.ts';
import { PAGE } from './submission-row.ts';
import { FORM_KINDS } from './submission.ts';
import { SubmissionsRepository } from './submissions.repository.ts';

const DAY_MS = 86_400_000;

const postgresMissing = PostgresServer.missing();
if (postgresMissing) process.stderr.write(`SKIPPED: the repository on PostgreSQL, because ${postgresMissing}\n`);

describe.each([
  ['SQLite', undefined],
  ['PostgreSQL', postgresMissing],
])('Submissions in %s', (engine, missing) => {
  const test = missing ? it.skip : it;
  let server: PostgresServer | undefined;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let database: Database;
  let other: Database;
  let submissions: SubmissionsRepository;
  let others: SubmissionsRepository;
  let leases: LeasesRepository;
  let otherLeases: LeasesRepository;
  let backlog: BacklogRepository;

  beforeAll(async () => {
    if (engine === 'PostgreSQL' && !missing) server = await PostgresServer.start();
  });

  afterAll(() => server?.stop());

  beforeEach(async () => {
    if (missing) return;
    folder = await temporaryFolder();
    const url = server ? await server.createDatabase() : `file:${folder.path}/submissions.db`;
    // Two processes that start at once: both migrate.
    [database, other] = await Promise.all([Database.open(url), Database.open(url)]);
    [submissions, others] = [new SubmissionsRepository(database), new SubmissionsRepository(other)];
    [leases, otherLeases] = [new LeasesRepository(database), new LeasesRepository(other)];
    backlog = new BacklogRepository(database);
  });

  afterEach(async () => {
    if (missing) return;
    await Promise.all([database.close(), other.close()]);
    await folder.remove();
  });

  const stateOf = async (id: string) => (await submissions.find(id))?.state;
  const set = (id: string, columns: Record<string, unknown>) =>
    database.run((db) =>
      db
        .updateTable('submissions')
        .set(columns as never)
        .where('id', '=', id)
        .execute(),
    );
  const leaseOf = async (id: string, from = leases) => {
    const lease = await from.acquire(id);
    if (!lease) throw new Error(`${id} cannot be leased`);
    return lease;
  };

  test('A submission is stored once, however many processes insert it at once', async () => {
    const enquiry = newEnquiry();
    const results = await Promise.all(
      Array.from({ length: 24 }, (_, index) => [submissions, others][index % 2]?.insert(enquiry)),
    );
    expect(results.filter(Boolean)).toHaveLength(1);
    expect(await submissions.find(enquiry.id)).toMatchObject({
      id: enquiry.id,
      state: 'pending',
      attempts: 0,
      fields: enquiry.fields,
    });
  });

  test('Submissions that arrive together are all stored', async () => {
    const enquiries = Array.from({ length: 200 }, () =>
      newEnquiry({ message: '\u{1FA81} שלום \u0000-free "quoted" \\ text' }),
    );
    expect(await Promise.all(enquiries.map((one) => submissions.insert(one)))).toEqual(enquiries.map(() => true));
    for (const { id, fields } of enquiries.slice(0, 3)) expect((await others.find(id))?.fields).toEqual(fields);
    expect(await leases.due(FORM_KINDS)).toHaveLength(200);
  });

  test('A submission is due when it is pending, its pause is over and nobody has leased it', async () => {
    const [fresh, paused, leased, quarantined] = (await Promise.all([
      ...Array.from({ length: 3 }, () => storeEnquiry({ submissions })),
      storeEnquiry({ submissions }, {}, { quarantined: true, reasons: ['links'] }),
    ])) as [string, string, string, string];
    await leases.postpone(await leaseOf(paused), { pauseMs: DAY_MS / 100, attempts: 1, error: 'SMTP 451' });
    await leaseOf(leased);
    expect(await leases.due(FORM_KINDS)).toEqual([fresh]);
    expect(await leases.due(['application'])).toEqual([]);
    expect(await leases.acquire(quarantined)).toBeUndefined();
    expect(await leases.acquire(paused)).toBeUndefined();
    expect(await submissions.find(paused)).toMatchObject({
      attempts: 1,
      lastError: 'SMTP 451',
      nextAttemptAt: expect.any(String),
    });
  });

  test('Only one of many workers gets the lease', async () => {
    const id = await storeEnquiry({ submissions });
    const acquired = await Promise.all(
      Array.from({ length: 24 }, (_, index) => [leases, otherLeases][index % 2]?.acquire(id)),
    );
    expect(acquired.filter(Boolean)).toHaveLength(1);
  });

  test('A worker whose lease another one took over writes nothing', async () => {
    const id = await storeEnquiry({ submissions });
    const frozen = await leaseOf(id);
    await set(id, { lease_until: 1 });
    const next = await leaseOf(id, otherLeases);
    expect(await leases.renew(frozen)).toBe(false);
    expect(await leases.settle(frozen, { state: 'failed', attempts: 1, error: 'SMTP 550' })).toBe(false);
    expect(await leases.postpone(frozen, { pauseMs: 1, attempts: 9, error: 'SMTP 451' })).toBe(false);
    expect(await leases.release(frozen)).toBe(false);
    expect(await submissions.find(id)).toMatchObject({ state: 'pending', attempts: 0 });
    expect(await otherLeases.settle(next, { state: 'delivered', attempts: 1 })).toBe(true);
    expect(await leases.settle(next, { state: 'failed', attempts: 2 })).toBe(false);
    expect(await stateOf(id)).toBe('delivered');
  });

  test('Renewing a lease prolongs it', async () => {
    const id = await storeEnquiry({ submissions });
    const lease = await leaseOf(id);
    await set(id, { lease_until: Date.now() + 500 });
    expect(await leases.renew(lease)).toBe(true);
    const { until: leaseUntil } = await database.run((db) =>
      db.selectFrom('submissions').select('lease_until as until').where('id', '=', id).executeTakeFirstOrThrow(),
    );
    expect(leaseUntil).toBeGreaterThan(Date.now() + LEASE_MS / 2);
  });

  test('A lease or a pause that a jumped clock put into the future does not block a submission', async () => {
    const [leased, paused] = [await storeEnquiry({ submissions }), await storeEnquiry({ submissions })];
    await set(leased, { lease_token: 'of a time to come', lease_until: Date.now() + DAY_MS });
    await set(paused, { next_attempt_at: Date.now() + DAY_MS });
    expect(await leases.due(FORM_KINDS)).toEqual([leased]);
    await leases.resetFutureAttempts();
    expect((await leases.due(FORM_KINDS)).toSorted()).toEqual([leased, paused].toSorted());
  });

  test('A requeued submission is pending with no attempts counted', async () => {
    const id = await storeEnquiry({ submissions });
    await leases.settle(await leaseOf(id), { state: 'failed', attempts: 7, error: 'SMTP 550' });
    expect(await submissions.requeue([id], ['quarantined'])).toEqual([]);
    expect(await submissions.requeue([id], ['failed'], { released: true })).toEqual([id]);
    expect(await submissions.find(id)).toMatchObject({ state: 'pending', attempts: 0, releasedAt: expect.any(String) });
    expect(await leases.due(FORM_KINDS)).toEqual([id]);
  });

  test('Reading page by page yields each submission once', async () => {
    const ids = await Promise.all(Array.from({ length: PAGE + 20 }, () => storeEnquiry({ submissions })));
    await leases.settle(await leaseOf(ids[0] ?? ''), { state: 'delivered', attempts: 1 });
    const read: string[] = [];
    for await (const { id } of submissions.select({ states: ['pending', 'delivered'] })) read.push(id);
    expect(read.toSorted()).toEqual(ids.toSorted());
    const young: string[] = [];
    for await (const { id } of submissions.select({ states: ['pending'], olderThan: DAY_MS })) young.push(id);
    expect(young).toEqual([]);
  });

  test('The submissions of one person are found whatever the case of the address', async () => {
    const id = await storeEnquiry({ submissions }, { email: 'Ada@Visitor.Example' });
    await storeEnquiry({ submissions }, { email: 'eve@visitor.example' });
    const found: string[] = [];
    for await (const one of submissions.select({ states: ['pending'], email: ' ADA@visitor.example' }))
      found.push(one.id);
    expect(found).toEqual([id]);
  });

  test('Only submissions whose time in a state is over are deleted', async () => {
    const [old, young, failed] = [
      await storeEnquiry({ submissions }),
      await storeEnquiry({ submissions }),
      await storeEnquiry({ submissions }),
    ];
    for (const id of [old, young]) await leases.settle(await leaseOf(id), { state: 'delivered', attempts: 1 });
    await leases.settle(await leaseOf(failed), { state: 'failed', attempts: 1 });
    for (const id of [old, failed]) await age(database, id, 31 * DAY_MS);
    expect((await submissions.deleteOlder(['delivered'], 30 * DAY_MS)).map(({ id }) => id)).toEqual([old]);
    expect([await stateOf(old), await stateOf(young), await stateOf(failed)]).toEqual([
      undefined,
      'delivered',
      'failed',
    ]);
  });

  test('Erasing leaves a proof, and spares a submission that is being delivered', async () => {
    const [id, leased] = [await storeEnquiry({ submissions }), await storeEnquiry({ submissions })];
    const lease = await leaseOf(leased);
    expect((await submissions.erase([id, leased])).map((one) => one.id)).toEqual([id]);
    expect(await stateOf(id)).toBeUndefined();
    const proofs = await database.run((db) => db.selectFrom('erasures').selectAll().execute());
    expect(proofs).toEqual([{ id, erased_at: expect.any(Number) }]);
    await leases.release(lease);
    expect(await submissions.erase([leased])).toHaveLength(1);
  });

  test('The backlog counts submissions by state and has the age of the oldest pending one', async () => {
    expect(await backlog.counts()).toEqual({ pending: 0, failed: 0, quarantined: 0, oldestPendingMs: 0 });
    const [old, failed] = [await storeEnquiry({ submissions }), await storeEnquiry({ submissions })];
    await age(database, old, 600_000);
    await leases.settle(await leaseOf(failed), { state: 'failed', attempts: 1 });
    const counts = await backlog.counts();
    expect(counts).toMatchObject({ pending: 1, failed: 1, quarantined: 0 });
    expect(counts.oldestPendingMs).toBeGreaterThanOrEqual(600_000);
    expect(await backlog.pendingLongerThan(300_000)).toEqual([old]);
  });

  test('The alert about a failed submission is due until it was raised', async () => {
    const id = await storeEnquiry({ submissions });
    await leases.settle(await leaseOf(id), { state: 'failed', attempts: 1, error: 'SMTP 550' });
    expect(await backlog.alertsDue()).toEqual([{ id, state: 'failed' }]);
    await backlog.alertRaised([id]);
    expect(await backlog.alertsDue()).toEqual([]);
  });

  test('Submissions can be stored again as soon as a database that was away is back', async () => {
    if (!server) return;
    await server.kill();
    await expect(submissions.insert(newEnquiry())).rejects.toThrow('DATABASE_URL');
    await server.restart();
    await until('the database again', () => submissions.insert(newEnquiry()).catch(() => false));
  });
});
