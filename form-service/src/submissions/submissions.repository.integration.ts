import { beforeEach, expect } from '@jest/globals';
import { sql } from 'kysely';
import { describeEachEngine } from '../../test/each-engine.ts';
import { age, newEnquiry, storeEnquiry } from '../../test/submissions.ts';
import { until } from '../../test/until.ts';
import type { Database } from '../database/database.ts';
import { LEASE_MS, PAGE, SubmissionsRepository } from './submissions.repository.ts';
import { FORM_KINDS } from './submission.ts';

const DAY_MS = 86_400_000;

describeEachEngine('Submissions in %s', (engine) => {
  const { test } = engine;
  let database: Database;
  let other: Database;
  let submissions: SubmissionsRepository;
  let others: SubmissionsRepository;

  beforeEach(async () => {
    // Two processes that start at once: both migrate.
    [database, other] = await Promise.all([engine.open(), engine.open()]);
    [submissions, others] = [new SubmissionsRepository(database), new SubmissionsRepository(other)];
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
  const leaseOf = async (id: string, from = submissions) => {
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
    expect(await submissions.due(FORM_KINDS)).toHaveLength(200);
  });

  test('Two processes whose batches hold the same submissions in opposite order do not block each other', async () => {
    for (let round = 0; round < 40; round++) {
      const batch = Array.from({ length: 64 }, () => newEnquiry());
      const stored = await Promise.all([
        ...batch.map((one) => submissions.insert(one)),
        ...batch.toReversed().map((one) => others.insert(one)),
      ]);
      expect(stored.filter(Boolean)).toHaveLength(64);
    }
  });

  test('What the database refused in time is not stored afterwards', async () => {
    const enquiry = newEnquiry();
    await other.run((db) =>
      db.transaction().execute(async (transaction) => {
        if (engine.server) await sql`LOCK TABLE submissions`.execute(transaction);
        await expect(submissions.insert(enquiry)).rejects.toThrow('DATABASE_URL');
      }),
    );
    await submissions.insert(newEnquiry());
    expect(await submissions.find(enquiry.id)).toBeUndefined();
  });

  test('A submission is due when it is pending, its pause is over and nobody has leased it', async () => {
    const [fresh, paused, leased, quarantined] = (await Promise.all([
      ...Array.from({ length: 3 }, () => storeEnquiry({ submissions })),
      storeEnquiry({ submissions }, {}, { quarantined: true, reasons: ['links'] }),
    ])) as [string, string, string, string];
    await submissions.endLease(await leaseOf(paused), { pauseMs: DAY_MS / 100, attempts: 1, error: 'SMTP 451' });
    await leaseOf(leased);
    expect(await submissions.due(FORM_KINDS)).toEqual([fresh]);
    expect(await submissions.due(['application'])).toEqual([]);
    expect(await submissions.acquire(quarantined)).toBeUndefined();
    expect(await submissions.acquire(paused)).toBeUndefined();
    expect(await submissions.find(paused)).toMatchObject({
      attempts: 1,
      lastError: 'SMTP 451',
      nextAttemptAt: expect.any(Number),
    });
  });

  test('Only one of many workers gets the lease', async () => {
    const id = await storeEnquiry({ submissions });
    const acquired = await Promise.all(
      Array.from({ length: 24 }, (_, index) => [submissions, others][index % 2]?.acquire(id)),
    );
    expect(acquired.filter(Boolean)).toHaveLength(1);
  });

  test('Two workers that lease the same submissions in opposite order do not block each other', async () => {
    for (let round = 0; round < 8; round++) {
      const ids = await Promise.all(Array.from({ length: 256 }, () => storeEnquiry({ submissions })));
      const shuffled = ids.toSorted(() => Math.random() - 0.5);
      const leases = await Promise.all([
        ...ids.map((id) => submissions.acquire(id)),
        ...shuffled.map((id) => others.acquire(id)),
      ]);
      const held = leases.filter((lease) => lease !== undefined);
      expect(held).toHaveLength(256);
      const [half, rest] = [held.slice(0, 128), held.slice(128).toReversed()];
      const written = await Promise.all([
        ...half.map((lease) => submissions.endLease(lease, { state: 'delivered', attempts: 1 })),
        ...rest.map((lease) => others.endLease(lease, { state: 'delivered', attempts: 1 })),
      ]);
      expect(written.every(Boolean)).toBe(true);
    }
  });

  test('A worker whose lease another one took over writes nothing', async () => {
    const id = await storeEnquiry({ submissions });
    const frozen = await leaseOf(id);
    await set(id, { leaseUntil: 1 });
    const next = await leaseOf(id, others);
    expect(await submissions.renew(frozen)).toBe(false);
    expect(await submissions.endLease(frozen, { state: 'failed', attempts: 1, error: 'SMTP 550' })).toBe(false);
    expect(await submissions.endLease(frozen, { pauseMs: 1, attempts: 9, error: 'SMTP 451' })).toBe(false);
    expect(await submissions.endLease(frozen)).toBe(false);
    expect(await submissions.find(id)).toMatchObject({ state: 'pending', attempts: 0 });
    expect(await others.endLease(next, { state: 'delivered', attempts: 1 })).toBe(true);
    expect(await submissions.endLease(next, { state: 'failed', attempts: 2 })).toBe(false);
    expect(await stateOf(id)).toBe('delivered');
  });

  test('Renewing a lease prolongs it', async () => {
    const id = await storeEnquiry({ submissions });
    const lease = await leaseOf(id);
    await set(id, { leaseUntil: Date.now() + 500 });
    expect(await submissions.renew(lease)).toBe(true);
    const { until: leaseUntil } = await database.run((db) =>
      db.selectFrom('submissions').select('leaseUntil as until').where('id', '=', id).executeTakeFirstOrThrow(),
    );
    expect(leaseUntil).toBeGreaterThan(Date.now() + LEASE_MS / 2);
  });

  test('A lease or a pause that a jumped clock put into the future does not block a submission', async () => {
    const [leased, paused] = [await storeEnquiry({ submissions }), await storeEnquiry({ submissions })];
    await set(leased, { leaseToken: 'of a time to come', leaseUntil: Date.now() + DAY_MS });
    await set(paused, { nextAttemptAt: Date.now() + DAY_MS });
    expect(await submissions.due(FORM_KINDS)).toEqual([leased]);
    await submissions.tidyPending();
    expect((await submissions.due(FORM_KINDS)).toSorted()).toEqual([leased, paused].toSorted());
  });

  test('A requeued submission is pending with no attempts counted', async () => {
    const id = await storeEnquiry({ submissions });
    await submissions.endLease(await leaseOf(id), { state: 'failed', attempts: 7, error: 'SMTP 550' });
    expect(await submissions.requeue([id], ['quarantined'])).toEqual([]);
    expect(await submissions.requeue([id], ['failed'], { released: true })).toEqual([id]);
    expect(await submissions.find(id)).toMatchObject({ state: 'pending', attempts: 0, releasedAt: expect.any(Number) });
    expect(await submissions.due(FORM_KINDS)).toEqual([id]);
  });

  test('The history has a line for each attempt, its result, and what an operator did, with the words of the mail server', async () => {
    const id = await storeEnquiry({ submissions });
    await submissions.endLease(await leaseOf(id), { pauseMs: 0, attempts: 1, error: 'SMTP 451' });
    await submissions.endLease(await leaseOf(id), { error: 'ECONNREFUSED' });
    const reply = '250 2.0.0 "queued" as 1F00';
    await submissions.endLease(await leaseOf(id), { state: 'delivered', attempts: 2, event: { reply } });
    await submissions.requeue([id], ['delivered'], { by: 'Grace' });
    await submissions.endLease(await leaseOf(id), {
      state: 'quarantined',
      attempts: 1,
      error: 'virus',
      reasons: ['a'],
    });
    await submissions.requeue([id], ['quarantined'], { released: true, by: 'Grace' });
    await submissions.record(id, { event: 'downloaded', by: 'Grace' });
    const lines = ((await submissions.find(id))?.history ?? '').trimEnd().split('\n');
    const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT/);
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      { at, event: 'attempt', code: 'SMTP 451' },
      { at, event: 'delivered', reply },
      { at, event: 'sent again', by: 'Grace' },
      { at, event: 'quarantined', code: 'virus' },
      { at, event: 'released', by: 'Grace' },
      { at, event: 'downloaded', by: 'Grace' },
    ]);
  });

  test('A text that looks like JSON stays a text', async () => {
    const id = await storeEnquiry({ submissions }, { message: '[1]', name: '{}' });
    await submissions.endLease(await leaseOf(id), { error: '["an error"]' });
    const found = await submissions.find(id);
    expect(found).toMatchObject({ fields: { message: '[1]', name: '{}' }, lastError: '["an error"]', history: '' });
  });

  test('Reading page by page yields each submission once', async () => {
    const ids = await Promise.all(Array.from({ length: PAGE + 20 }, () => storeEnquiry({ submissions })));
    await submissions.endLease(await leaseOf(ids[0] ?? ''), { state: 'delivered', attempts: 1 });
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

  test('The submissions of one person are found however the address writes an accent or an international domain', async () => {
    const sent = ['jose\u0301@m\u00FCller.example', 'jos\u00E9@xn--mller-kva.example', 'JOS\u00C9@M\u00DCLLER.example'];
    const ids: string[] = [];
    for (const email of sent) ids.push(await storeEnquiry({ submissions }, { email }));
    for (const email of sent) {
      const found: string[] = [];
      for await (const one of submissions.select({ states: ['pending'], email })) found.push(one.id);
      expect(found.toSorted()).toEqual(ids.toSorted());
    }
  });

  test('Only submissions whose time in a state is over are deleted', async () => {
    const [old, young, failed] = [
      await storeEnquiry({ submissions }),
      await storeEnquiry({ submissions }),
      await storeEnquiry({ submissions }),
    ];
    for (const id of [old, young]) await submissions.endLease(await leaseOf(id), { state: 'delivered', attempts: 1 });
    await submissions.endLease(await leaseOf(failed), { state: 'failed', attempts: 1 });
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
    expect(proofs).toEqual([{ id, erasedAt: expect.any(Number) }]);
    await submissions.endLease(lease);
    expect(await submissions.erase([leased])).toHaveLength(1);
  });

  test('What is sent beside the mail is erased with the submission', async () => {
    const id = await storeEnquiry({ submissions });
    const followUp = { submissionId: id, kind: 'webhook' as const, stateSince: 1 };
    await database.run((db) => db.insertInto('followUps').values(followUp).execute());
    await submissions.erase([id]);
    expect(await database.run((db) => db.selectFrom('followUps').selectAll().execute())).toEqual([]);
  });

  test('The backlog counts submissions by state and has the age of the oldest pending one', async () => {
    expect(await submissions.counts()).toEqual({ pending: 0, failed: 0, quarantined: 0, oldestPendingMs: 0 });
    const [old, failed] = [await storeEnquiry({ submissions }), await storeEnquiry({ submissions })];
    await age(database, old, 600_000);
    await submissions.endLease(await leaseOf(failed), { state: 'failed', attempts: 1 });
    const counts = await submissions.counts();
    expect(counts).toMatchObject({ pending: 1, failed: 1, quarantined: 0 });
    expect(counts.oldestPendingMs).toBeGreaterThanOrEqual(600_000);
    expect(await submissions.pendingLongerThan(300_000)).toEqual([old]);
  });

  test('The alert about a failed submission is due until it was raised', async () => {
    const id = await storeEnquiry({ submissions });
    await submissions.endLease(await leaseOf(id), { state: 'failed', attempts: 1, error: 'SMTP 550' });
    expect(await submissions.alertsDue()).toEqual([{ id, state: 'failed' }]);
    await submissions.alertRaised([id]);
    expect(await submissions.alertsDue()).toEqual([]);
  });

  test('Submissions can be stored again as soon as a database that was away is back', async () => {
    const { server } = engine;
    if (!server) return;
    await server.kill();
    // The server's own processes end a moment after the first one, and answer until then.
    const insert = () => submissions.insert(newEnquiry());
    expect(await until('the loss', () => insert().then(() => undefined, String))).toContain('DATABASE_URL');
    await server.restart();
    await until('the database again', () => insert().catch(() => false));
  });
});
