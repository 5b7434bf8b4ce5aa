import { beforeEach, expect } from '@jest/globals';
import { sql } from 'kysely';
import { describeEachEngine } from '../../test/each-engine.ts';
import { sampled } from '../../test/sample.ts';
import { leaseOf, newEnquiry, setColumns, storeEnquiry } from '../../test/submissions.ts';
import type { Database } from '../database/database.ts';
import { SubmissionsRepository } from './submissions.repository.ts';

const DAY_MS = 86_400_000;

describeEachEngine('SubmissionsRepository > %s', (engine) => {
  const { it } = engine;
  let database: Database;
  let other: Database;
  let submissions: SubmissionsRepository;
  let others: SubmissionsRepository;

  beforeEach(async () => {
    // Two processes that start at once: both migrate.
    [database, other] = await Promise.all([engine.open(), engine.open()]);
    [submissions, others] = [new SubmissionsRepository(database), new SubmissionsRepository(other)];
  });

  it('insert > stores a submission once > many processes insert it', async () => {
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

  it('insert > does not deadlock > two processes insert the same batch in reverse order', async () => {
    for (let round = 0; round < sampled(10, 4); round++) {
      const batch = Array.from({ length: 64 }, () => newEnquiry());
      const stored = await Promise.all([
        ...batch.map((one) => submissions.insert(one)),
        ...batch.toReversed().map((one) => others.insert(one)),
      ]);
      expect(stored.filter(Boolean)).toHaveLength(64);
    }
  });

  it('insert > stores nothing later > the database was locked too long', async () => {
    const enquiry = newEnquiry();
    await other.run((db) =>
      db.transaction().execute(async (transaction) => {
        if (engine.server) await sql`LOCK TABLE submissions`.execute(transaction);
        await expect(submissions.insert(enquiry)).rejects.toThrow('DATABASE_URL');
      }),
    );
    for (const writer of [submissions, others]) expect(await writer.insert(newEnquiry())).toBe(true);
    expect(await submissions.find(enquiry.id)).toBeUndefined();
  });

  it('due > lists pending submissions that are neither paused nor leased', async () => {
    const [fresh, paused, leased, quarantined] = (await Promise.all([
      ...Array.from({ length: 3 }, () => storeEnquiry({ submissions })),
      storeEnquiry({ submissions }, {}, { quarantined: true, reasons: ['links'] }),
    ])) as [string, string, string, string];
    await submissions.endLease(await leaseOf(submissions, paused), {
      pauseMs: DAY_MS / 100,
      attempts: 1,
      error: 'SMTP 451',
    });
    await leaseOf(submissions, leased);
    expect(await submissions.due()).toEqual([fresh]);
    expect(await submissions.acquire(quarantined)).toBeUndefined();
    expect(await submissions.acquire(paused)).toBeUndefined();
    expect(await submissions.find(paused)).toMatchObject({
      attempts: 1,
      lastError: 'SMTP 451',
      nextAttemptAt: expect.any(Number),
    });
  });

  it('waiting > lists what was tried in vain, the longest wait first', async () => {
    const [, , ...tried] = await Promise.all(Array.from({ length: 5 }, () => storeEnquiry({ submissions })));
    for (const [at, id] of tried.entries()) await setColumns(database, id, { attempts: 1, nextAttemptAt: at + 1 });
    const [away] = [await storeEnquiry({ submissions })];
    await setColumns(database, away, { nextAttemptAt: 9 });
    expect((await submissions.waiting()).map(({ id }) => id)).toEqual(tried.toReversed());
  });

  it('acquire > gives the lease to one of many workers', async () => {
    const id = await storeEnquiry({ submissions });
    const acquired = await Promise.all(
      Array.from({ length: 24 }, (_, index) => [submissions, others][index % 2]?.acquire(id)),
    );
    expect(acquired.filter(Boolean)).toHaveLength(1);
  });

  it('acquire > ignores a lease that a jumped clock wrote', async () => {
    const id = await storeEnquiry({ submissions });
    await setColumns(database, id, { leaseToken: 'of a time to come', leaseUntil: Date.now() + DAY_MS });
    expect(await submissions.due()).toEqual([id]);
    expect(await submissions.acquire(id)).toBeDefined();
  });

  it('endLease > writes nothing > another worker has taken over the lease', async () => {
    const id = await storeEnquiry({ submissions });
    const frozen = await leaseOf(submissions, id);
    await setColumns(database, id, { leaseUntil: 1 });
    const next = await leaseOf(others, id);
    expect(await submissions.renew(frozen)).toBe(false);
    expect(await submissions.endLease(frozen, { state: 'failed', attempts: 1, error: 'SMTP 550' })).toBe(false);
    expect(await submissions.endLease(frozen, { pauseMs: 1, attempts: 9, error: 'SMTP 451' })).toBe(false);
    expect(await submissions.endLease(frozen)).toBe(false);
    expect(await submissions.find(id)).toMatchObject({ state: 'pending', attempts: 0 });
    expect(await others.endLease(next, { state: 'delivered', attempts: 1 })).toBe(true);
    expect(await submissions.endLease(next, { state: 'failed', attempts: 2 })).toBe(false);
    expect((await submissions.find(id))?.state).toBe('delivered');
  });

  it('endLease > adds attempt, result and reply of the mail server to the history', async () => {
    const id = await storeEnquiry({ submissions });
    await submissions.endLease(await leaseOf(submissions, id), { pauseMs: 0, attempts: 1, error: 'SMTP 451' });
    await submissions.endLease(await leaseOf(submissions, id), { error: 'ECONNREFUSED' });
    const reply = '250 2.0.0 "queued" as 1F00';
    await submissions.endLease(await leaseOf(submissions, id), { state: 'delivered', attempts: 2, event: { reply } });
    expect(await submissions.find(id)).toMatchObject({ state: 'delivered', lastError: 'ECONNREFUSED' });
    expect(await submissions.acquire(id)).toBeUndefined();
    await submissions.requeue([id], { from: ['delivered'], event: 'sent again', by: 'Grace' });
    await submissions.endLease(await leaseOf(submissions, id), {
      state: 'quarantined',
      attempts: 1,
      error: 'virus',
      reasons: ['a'],
    });
    await submissions.requeue([id], { from: ['quarantined'], event: 'released', by: 'Grace' });
    await submissions.record(id, { event: 'downloaded', by: 'Grace' });
    const { history = '', lastError } = (await submissions.find(id)) ?? {};
    expect(lastError).toBe('virus');
    const lines = history.trimEnd().split('\n');
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
});
