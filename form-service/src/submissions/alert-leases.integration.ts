import { beforeEach, expect } from '@jest/globals';
import { describeEachEngine } from '../../test/each-engine.ts';
import { leaseOf, setColumns, storeEnquiry } from '../../test/submissions.ts';
import { FORM_KINDS } from '../contract/forms.ts';
import type { Database } from '../database/database.ts';
import { HandlingRepository } from './handling.repository.ts';
import { ALERT_LEASE_MS, SubmissionsRepository } from './submissions.repository.ts';

describeEachEngine('SubmissionsRepository > alerts > %s', (engine) => {
  const { it } = engine;
  let database: Database;
  let submissions: SubmissionsRepository;

  beforeEach(async () => {
    database = await engine.open();
    submissions = new SubmissionsRepository(database);
  });

  const leased = async (...workers: SubmissionsRepository[]) => {
    const leases = (await Promise.all(workers.map((one) => one.leaseAlerts()))).flat();
    return leases.flatMap(({ ids }) => ids).toSorted();
  };

  it('leaseAlerts > leases a page, longest in its state first, and then the rest', async () => {
    database.pageRows = 3;
    const ids = await Promise.all([1, 2, 3, 4].map(() => storeEnquiry({ submissions }, {}, { quarantined: true })));
    for (const [at, id] of ids.entries()) await setColumns(database, id, { alertDue: 1, stateSince: 4 - at });
    expect(await leased(submissions)).toEqual(ids.slice(1).toSorted());
    expect(await leased(submissions)).toEqual(ids.slice(0, 1));
  });

  it('leaseAlerts > gives each alert to one worker until its lease ends', async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, () => storeEnquiry({ submissions })));
    for (const id of ids)
      await submissions.endLease(await leaseOf(submissions, id), { state: 'failed', attempts: 1, error: 'SMTP 550' });
    const workers = [submissions, new SubmissionsRepository(await engine.open())];
    expect(await leased(...workers)).toEqual(ids.toSorted());
    expect(await leased(...workers)).toEqual([]);
    for (const id of ids) await setColumns(database, id, { alertUntil: 1 });
    expect(await leased(submissions)).toEqual(ids.toSorted());
    const leasedFor = (await untilOf(ids[0])) - Date.now();
    expect([leasedFor > ALERT_LEASE_MS / 2, leasedFor <= ALERT_LEASE_MS]).toEqual([true, true]);
  });

  it('renewAlerts and endAlerts > write only under their own lease', async () => {
    const id = await storeEnquiry({ submissions }, {}, { quarantined: true });
    await setColumns(database, id, { alertDue: 1 });
    const [lost] = await submissions.leaseAlerts();
    await setColumns(database, id, { alertUntil: 1 });
    const [own] = await submissions.leaseAlerts();
    if (!lost || !own) throw new Error('There is no lease.');
    expect([await submissions.renewAlerts(lost), await submissions.renewAlerts(own)]).toEqual([false, true]);
    await submissions.endAlerts(lost, true);
    await submissions.endAlerts(own, false);
    expect(await leased(submissions)).toEqual([id]);
    await setColumns(database, id, { alertUntil: 1 });
    const [again] = await submissions.leaseAlerts();
    if (again) await submissions.endAlerts(again, true);
    await setColumns(database, id, { alertUntil: 1 });
    expect(await leased(submissions)).toEqual([]);
  });

  it('endAlerts > keeps the alert of a later failure > the submission was sent again meanwhile', async () => {
    const id = await storeEnquiry({ submissions });
    const failed = async () =>
      submissions.endLease(await leaseOf(submissions, id), { state: 'failed', attempts: 1, error: 'SMTP 550' });
    await failed();
    const [lease] = await submissions.leaseAlerts();
    await submissions.requeue([id], { from: ['failed'], event: 'sent again' });
    await failed();
    if (lease) await submissions.endAlerts(lease, true);
    await setColumns(database, id, { alertUntil: 1 });
    expect(await leased(submissions)).toEqual([id]);
  });

  it('endAlerts > leaves no alert due > staff dealt with the submission before it was raised', async () => {
    const id = await storeEnquiry({ submissions }, {}, { quarantined: true });
    await setColumns(database, id, { alertDue: 1 });
    const [lease] = await submissions.leaseAlerts();
    const scope = { forms: FORM_KINDS };
    await new HandlingRepository(database).mark([id], { from: ['quarantined'], scope, as: 'done', by: 'ada', at: 1 });
    if (lease) await submissions.endAlerts(lease, false);
    expect(await leased(submissions)).toEqual([]);
  });

  const untilOf = async (id = '') => {
    const row = await database.run((db) =>
      db.selectFrom('submissions').select('alertUntil').where('id', '=', id).executeTakeFirstOrThrow(),
    );
    return row.alertUntil ?? 0;
  };
});
