import { beforeEach, expect } from '@jest/globals';
import { describeEachEngine } from '../../test/each-engine.ts';
import { age, leaseOf, setColumns, storeEnquiry } from '../../test/submissions.ts';
import { FORM_KINDS } from '../contract/forms.ts';
import type { Database } from '../database/database.ts';
import { ALERT_LEASE_MS, BacklogRepository } from './backlog.repository.ts';
import { HandlingRepository } from './handling.repository.ts';
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

  const leased = async (...workers: BacklogRepository[]) => {
    const leases = (await Promise.all(workers.map((one) => one.leaseAlerts()))).flat();
    return leases.flatMap(({ ids }) => ids).toSorted();
  };

  it('leaseAlerts > leases a page, longest in its state first, and then the rest', async () => {
    database.pageRows = 3;
    const ids = await Promise.all([1, 2, 3, 4].map(() => storeEnquiry({ submissions }, {}, { quarantined: true })));
    for (const [at, id] of ids.entries()) await setColumns(database, id, { alertDue: 1, stateSince: 4 - at });
    expect(await leased(backlog)).toEqual(ids.slice(1).toSorted());
    expect(await leased(backlog)).toEqual(ids.slice(0, 1));
  });

  it('leaseAlerts > gives each alert to one worker until its lease ends', async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, () => storeEnquiry({ submissions })));
    for (const id of ids)
      await submissions.endLease(await leaseOf(submissions, id), { state: 'failed', attempts: 1, error: 'SMTP 550' });
    const workers = [backlog, new BacklogRepository(await engine.open())];
    expect(await leased(...workers)).toEqual(ids.toSorted());
    expect(await leased(...workers)).toEqual([]);
    for (const id of ids) await setColumns(database, id, { alertUntil: 1 });
    expect(await leased(backlog)).toEqual(ids.toSorted());
    const leasedFor = (await untilOf(ids[0])) - Date.now();
    expect([leasedFor > ALERT_LEASE_MS / 2, leasedFor <= ALERT_LEASE_MS]).toEqual([true, true]);
  });

  it('renewAlerts and endAlerts > write only under their own lease', async () => {
    const id = await storeEnquiry({ submissions }, {}, { quarantined: true });
    await setColumns(database, id, { alertDue: 1 });
    const [lost] = await backlog.leaseAlerts();
    await setColumns(database, id, { alertUntil: 1 });
    const [own] = await backlog.leaseAlerts();
    if (!lost || !own) throw new Error('There is no lease.');
    expect([await backlog.renewAlerts(lost), await backlog.renewAlerts(own)]).toEqual([false, true]);
    await backlog.endAlerts(lost, true);
    await backlog.endAlerts(own, false);
    expect(await leased(backlog)).toEqual([id]);
    await setColumns(database, id, { alertUntil: 1 });
    const [again] = await backlog.leaseAlerts();
    if (again) await backlog.endAlerts(again, true);
    await setColumns(database, id, { alertUntil: 1 });
    expect(await leased(backlog)).toEqual([]);
  });

  it('endAlerts > keeps the alert of a later failure > the submission was sent again meanwhile', async () => {
    const id = await storeEnquiry({ submissions });
    const failed = async () =>
      submissions.endLease(await leaseOf(submissions, id), { state: 'failed', attempts: 1, error: 'SMTP 550' });
    await failed();
    const [lease] = await backlog.leaseAlerts();
    await submissions.requeue([id], { from: ['failed'], event: 'sent again' });
    await failed();
    if (lease) await backlog.endAlerts(lease, true);
    await setColumns(database, id, { alertUntil: 1 });
    expect(await leased(backlog)).toEqual([id]);
  });

  it('endAlerts > leaves no alert due > staff dealt with the submission before it was raised', async () => {
    const id = await storeEnquiry({ submissions }, {}, { quarantined: true });
    await setColumns(database, id, { alertDue: 1 });
    const [lease] = await backlog.leaseAlerts();
    const scope = { forms: FORM_KINDS };
    await new HandlingRepository(database).mark([id], { from: ['quarantined'], scope, as: 'done', by: 'ada', at: 1 });
    if (lease) await backlog.endAlerts(lease, false);
    expect(await leased(backlog)).toEqual([]);
  });

  const untilOf = async (id = '') => {
    const row = await database.run((db) =>
      db.selectFrom('submissions').select('alertUntil').where('id', '=', id).executeTakeFirstOrThrow(),
    );
    return row.alertUntil ?? 0;
  };
});
