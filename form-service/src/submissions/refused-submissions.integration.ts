import { beforeEach, expect } from '@jest/globals';
import { describeEachEngine } from '../../test/each-engine.ts';
import { leaseOf, newEnquiry, setColumns, storeEnquiry } from '../../test/submissions.ts';
import type { Database } from '../database/database.ts';
import { refusalsOf } from './submission.ts';
import { SubmissionSearchRepository } from './submission-search.repository.ts';
import { SubmissionsRepository, type AttemptResult } from './submissions.repository.ts';

const CODE = 'SMTP 554 5.7.1';
const REFUSED: AttemptResult = {
  pauseMs: 60_000,
  error: `The mail server rejects the message (${CODE}).`,
  event: { event: 'refused', code: CODE, reply: '554 5.7.1 no' },
};

describeEachEngine('Refused submissions > %s', (engine) => {
  const { it } = engine;
  let database: Database;
  let submissions: SubmissionsRepository;
  let search: SubmissionSearchRepository;

  beforeEach(async () => {
    database = await engine.open();
    submissions = new SubmissionsRepository(database);
    search = new SubmissionSearchRepository(database);
  });

  async function stored(result: AttemptResult): Promise<string> {
    const id = await storeEnquiry({ submissions });
    await submissions.endLease(await leaseOf(submissions, id), result);
    return id;
  }
  const nextAttempt = async (id: string) => (await submissions.find(id))?.nextAttemptAt ?? NaN;

  it('refusedWith > returns pending and recently failed ones with the code', async () => {
    const pending = await stored(REFUSED);
    const failed = await stored({ ...REFUSED, state: 'failed', attempts: 1 });
    const old = await stored({ ...REFUSED, state: 'failed', attempts: 1 });
    await setColumns(database, old, { stateSince: Date.now() - 610_000 });
    await setColumns(database, failed, { stateSince: Date.now() - 540_000 });
    await stored({ ...REFUSED, state: 'delivered', attempts: 1 });
    await stored({ ...REFUSED, error: 'The mail server rejects the message (SMTP 554 5.7.12).' });
    await storeEnquiry({ submissions });
    const found = await search.refusedWith(CODE, 600_000);
    expect(found.map(({ id }) => id).toSorted()).toEqual([pending, failed].toSorted());
    expect(refusalsOf(found.find(({ id }) => id === pending) ?? { history: '' }).last).toMatchObject({ code: CODE });
  });

  it('returns a page at most, of what was delivered the latest', async () => {
    database.pageRows = 3;
    for (let stateSince = 1; stateSince <= 4; stateSince++) {
      const delivered = await stored({ state: 'delivered', attempts: 1 });
      await setColumns(database, delivered, { stateSince, recipient: `${stateSince}@firm.net` });
      await stored({ ...REFUSED, state: 'failed', attempts: 1 });
      await stored(REFUSED);
    }
    const delivered = await search.deliveredBetween(0, 5);
    expect(delivered.map(({ recipient }) => recipient)).toEqual(['4@firm.net', '3@firm.net', '2@firm.net']);
    const states = (await search.refusedWith(CODE, 600_000)).map(({ state }) => state);
    expect(states.toSorted()).toEqual([...Array(3).fill('failed'), ...Array(3).fill('pending')]);
  });

  it('deliveredBetween > returns what the mailbox follows from, in a period', async () => {
    const id = await stored({ state: 'delivered', attempts: 1 });
    await setColumns(database, id, { stateSince: 5_000, recipient: 'sap@firm.net' });
    const { fields } = newEnquiry();
    expect(await search.deliveredBetween(4_999, 5_001)).toEqual([
      { form: 'contact', fields, recipient: 'sap@firm.net' },
    ]);
    expect(await search.deliveredBetween(5_000, 6_000)).toEqual([]);
    expect(await search.deliveredBetween(4_000, 5_000)).toEqual([]);
  });

  it('reschedule > moves submissions that wait, and adds the event', async () => {
    const ids = [await stored(REFUSED), await stored(REFUSED)];
    await submissions.reschedule(ids, 3_600_000, { event: 'held', code: CODE });
    for (const id of ids) expect(await nextAttempt(id)).toBeGreaterThan(Date.now() + 3_000_000);
    const found = await submissions.find(ids[0] ?? '');
    expect(refusalsOf(found ?? { history: '' })).toMatchObject({ isHeld: true, last: { event: 'refused' } });
    await submissions.reschedule(ids, 0);
    expect((await submissions.due(['contact'])).toSorted()).toEqual(ids.toSorted());
  });

  it('reschedule > leaves others alone > due, or no longer pending', async () => {
    const due = await storeEnquiry({ submissions });
    const failed = await stored({ ...REFUSED, state: 'failed', attempts: 1 });
    const before = await nextAttempt(failed);
    await submissions.reschedule([due, failed, 'KW-0'], 3_600_000);
    expect([await nextAttempt(due), await nextAttempt(failed)]).toEqual([0, before]);
  });

  it('refusalsOf > begins again > a person sends it again', async () => {
    const id = await stored({ ...REFUSED, state: 'failed', attempts: 1 });
    await setColumns(database, id, { state: 'pending', nextAttemptAt: 0 });
    await submissions.endLease(await leaseOf(submissions, id), REFUSED);
    await setColumns(database, id, { state: 'failed' });
    await submissions.requeue([id], { from: ['failed'], event: 'sent again' });
    expect(refusalsOf((await submissions.find(id)) ?? { history: '' })).toEqual({
      since: undefined,
      latest: undefined,
      last: undefined,
      isHeld: false,
    });
  });
});
