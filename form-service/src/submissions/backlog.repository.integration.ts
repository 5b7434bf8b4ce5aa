import { beforeEach, expect } from '@jest/globals';
import { describeEachEngine } from '../../test/each-engine.ts';
import { age, leaseOf, setColumns, storeEnquiry } from '../../test/submissions.ts';
import type { Database } from '../database/database.ts';
import { ALERT_CHECK_MS, BacklogRepository } from './backlog.repository.ts';
import { SubmissionsRepository } from './submissions.repository.ts';

describeEachEngine('BacklogRepository > %s', (engine) => {
  const { it } = engine;
  let database: Database;
  let submissions: SubmissionsRepository;
  let backlog: BacklogRepository;

  beforeEach(async () => {
    database = await engine.open();
    submissions = new SubmissionsRepository(database);
    backlog = new BacklogRepository(database);
  });

  it('counts > returns the number per state and the age of the oldest pending one', async () => {
    expect(await backlog.counts()).toEqual({ pending: 0, failed: 0, quarantined: 0, oldestPendingMs: 0 });
    const [old, failed] = [await storeEnquiry({ submissions }), await storeEnquiry({ submissions })];
    await age(database, old, 600_000);
    await submissions.endLease(await leaseOf(submissions, failed), { state: 'failed', attempts: 1 });
    const counts = await backlog.counts();
    expect(counts).toMatchObject({ pending: 1, failed: 1, quarantined: 0 });
    expect(counts.oldestPendingMs).toBeGreaterThanOrEqual(600_000);
    expect(await backlog.pendingLongerThan(300_000)).toEqual([old]);
  });

  it('countPendingLongerThan > counts more than one page', async () => {
    database.pageRows = 3;
    const ids = await Promise.all(Array.from({ length: 4 }, () => storeEnquiry({ submissions })));
    await database.run((db) => db.updateTable('submissions').set({ stateSince: 1 }).execute());
    expect(await backlog.countPendingLongerThan(1_000)).toBe(ids.length);
    expect(await backlog.pendingLongerThan(1_000)).toHaveLength(3);
  });

  it('claimAlerts > claims a page, longest in its state first, and then the rest', async () => {
    database.pageRows = 3;
    const ids = await Promise.all([1, 2, 3, 4].map(() => storeEnquiry({ submissions }, {}, { quarantined: true })));
    for (const [at, id] of ids.entries()) await setColumns(database, id, { alertDue: 1, stateSince: 4 - at });
    const claim = async () => (await backlog.claimAlerts()).map(({ id }) => id).toSorted();
    expect(await claim()).toEqual(ids.slice(1).toSorted());
    expect(await claim()).toEqual(ids.slice(0, 1));
  });

  it('claimAlerts > gives each alert to one worker until its claim ends', async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, () => storeEnquiry({ submissions })));
    for (const id of ids)
      await submissions.endLease(await leaseOf(submissions, id), { state: 'failed', attempts: 1, error: 'SMTP 550' });
    const workers = [backlog, new BacklogRepository(await engine.open())];
    const claim = async () => (await Promise.all(workers.map((one) => one.claimAlerts()))).flat().map(({ id }) => id);
    expect((await claim()).toSorted()).toEqual(ids.toSorted());
    expect(await claim()).toEqual([]);
    const [first = '', second = '', third = ''] = ids;
    const claimedFor = ((await submissions.find(first))?.nextAttemptAt ?? 0) - Date.now();
    expect([claimedFor > ALERT_CHECK_MS, claimedFor <= 3 * ALERT_CHECK_MS]).toEqual([true, true]);
    await setColumns(database, first, { nextAttemptAt: 1 });
    await setColumns(database, second, { nextAttemptAt: 1 });
    await backlog.renewAlertClaims([second]);
    await backlog.renewAlertClaims([third], 0);
    expect((await claim()).toSorted()).toEqual([first, third].toSorted());
    for (const id of ids) await setColumns(database, id, { nextAttemptAt: 1 });
    await backlog.clearAlerts(ids);
    expect(await claim()).toEqual([]);
  });
});
