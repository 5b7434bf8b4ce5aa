import { beforeEach, expect } from '@jest/globals';
import { DAY_MS } from '../config/durations.ts';
import { FORM_KINDS } from '../contract/forms.ts';
import { describeEachEngine } from '../../test/each-engine.ts';
import { age, leaseOf, setColumns, storeEnquiry } from '../../test/submissions.ts';
import type { Database } from '../database/database.ts';
import { HandlingRepository } from './handling.repository.ts';
import { SubmissionsRepository } from './submissions.repository.ts';
import { SubmissionSearchRepository } from './submission-search.repository.ts';
import { ACTIONS } from './submission-actions.service.ts';

describeEachEngine('Expired submissions > %s', (engine) => {
  const { it } = engine;
  let database: Database;
  let submissions: SubmissionsRepository;
  let search: SubmissionSearchRepository;

  beforeEach(async () => {
    database = await engine.open();
    submissions = new SubmissionsRepository(database);
    search = new SubmissionSearchRepository(database);
  });

  it('deleteExpired > deletes by the time in the state', async () => {
    const [old, young, failed] = [
      await storeEnquiry({ submissions }),
      await storeEnquiry({ submissions }),
      await storeEnquiry({ submissions }),
    ];
    for (const id of [old, young])
      await submissions.endLease(await leaseOf(submissions, id), { state: 'delivered', attempts: 1 });
    await submissions.endLease(await leaseOf(submissions, failed), { state: 'failed', attempts: 1 });
    for (const id of [old, failed]) await age(database, id, 31 * DAY_MS);
    expect((await submissions.deleteOlder({ states: ['delivered'] }, 30 * DAY_MS)).map(({ id }) => id)).toEqual([old]);
    const left = await Promise.all([old, young, failed].map((id) => submissions.find(id)));
    expect(left.map((one) => one?.state)).toEqual([undefined, 'delivered', 'failed']);
  });

  it('deleteExpired > deletes what is taken, has labels and a later reminder', async () => {
    const id = await storeEnquiry({ submissions });
    await submissions.endLease(await leaseOf(submissions, id), { state: 'delivered', attempts: 1 });
    await age(database, id, 31 * DAY_MS);
    const handling = new HandlingRepository(database);
    await handling.take(id, 'ada');
    await handling.label({ id, labels: '' }, ['invited'], 'ada');
    await handling.remind(id, { on: '2099-01-01', at: Date.now() + 100 * DAY_MS }, 'ada');
    expect((await submissions.deleteOlder({ states: ['delivered'] }, 30 * DAY_MS)).map((one) => one.id)).toEqual([id]);
  });

  it('deleteExpired > deletes a page, and countExpired counts all', async () => {
    database.pageRows = 3;
    const ids = await Promise.all([1, 2, 3, 4].map(() => storeEnquiry({ submissions }, {}, { quarantined: true })));
    for (const id of ids) await age(database, id, 2 * DAY_MS);
    const expired = { states: ['failed', 'quarantined'] } as const;
    const counts = [await search.countOlder(expired, DAY_MS)];
    for (let run = 0; run < 3; run++) counts.push((await submissions.deleteOlder(expired, DAY_MS)).length);
    expect(counts).toEqual([4, 3, 1, 0]);
  });

  it('deleteExpired > deletes spam by the time of the mark, in any state', async () => {
    const [spam, done, young] = await Promise.all(
      [1, 2, 3].map(() => storeEnquiry({ submissions }, {}, { quarantined: true })),
    );
    const handling = new HandlingRepository(database);
    await handling.mark([spam ?? ''], {
      from: ACTIONS.mark.from,
      scope: { forms: FORM_KINDS },
      as: 'spam',
      by: 'ada',
      at: Date.now() - 31 * DAY_MS,
    });
    await handling.mark([done ?? ''], {
      from: ACTIONS.mark.from,
      scope: { forms: FORM_KINDS },
      as: 'done',
      by: 'ada',
      at: Date.now() - 31 * DAY_MS,
    });
    await handling.mark([young ?? ''], {
      from: ACTIONS.mark.from,
      scope: { forms: FORM_KINDS },
      as: 'spam',
      by: 'ada',
      at: Date.now() - 29 * DAY_MS,
    });
    expect(await search.countOlder({ mark: 'spam' }, 30 * DAY_MS)).toBe(1);
    expect((await submissions.deleteOlder({ mark: 'spam' }, 30 * DAY_MS)).map(({ id }) => id)).toEqual([spam]);
  });

  it('repairPending > makes a submission due > a jumped clock wrote its pause', async () => {
    const id = await storeEnquiry({ submissions });
    await setColumns(database, id, { nextAttemptAt: Date.now() + DAY_MS });
    const paused = await storeEnquiry({ submissions });
    await setColumns(database, paused, { nextAttemptAt: Date.now() + 60_000 });
    expect(await submissions.due(FORM_KINDS)).toEqual([]);
    await submissions.repairPending();
    expect(await submissions.due(FORM_KINDS)).toEqual([id]);
  });
});
