import { sql } from 'kysely';
import { beforeEach, describe, expect } from '@jest/globals';
import { FORM_KINDS } from '../contract/protocol.ts';
import { describeEachEngine } from '../../test/each-engine.ts';
import { leaseOf, setColumns, storeEnquiry } from '../../test/submissions.ts';
import type { Database } from '../database/database.ts';
import { BacklogRepository } from './backlog.repository.ts';
import { HandlingRepository } from './handling.repository.ts';
import { describeEvent } from './labels.ts';
import { historyOf, statusOf, type Handled } from './submission.ts';
import { historyLine } from './submission-sql.ts';
import { SubmissionListsRepository } from './submission-lists.repository.ts';
import { SubmissionsRepository } from './submissions.repository.ts';

describeEachEngine('HandlingRepository > %s', (engine) => {
  const { it } = engine;
  let database: Database;
  let submissions: SubmissionsRepository;
  let handling: HandlingRepository;

  beforeEach(async () => {
    database = await engine.open();
    submissions = new SubmissionsRepository(database);
    handling = new HandlingRepository(database);
  });

  describe('mark', () => {
    const held = () => storeEnquiry({ submissions }, {}, { quarantined: true });
    const statusesOf = async (ids: readonly string[]) =>
      (await new SubmissionListsRepository(database).findAll(ids)).map(statusOf);

    it("skips pending, already marked and other forms' submissions", async () => {
      const [one, two, pending] = [await held(), await held(), await storeEnquiry({ submissions })];
      expect(await handling.mark([one], FORM_KINDS, 'spam', 'ada', 1)).toEqual([one]);
      expect(await handling.mark([one, two, pending], ['application'], 'spam', 'ada', 2)).toEqual([]);
      expect(await handling.mark([one, two, pending], FORM_KINDS, 'spam', 'ada', 3)).toEqual([two]);
      expect(await statusesOf([one, two, pending])).toEqual(['spam', 'spam', 'pending']);
      expect(await submissions.find(two)).toMatchObject({ handledBy: 'ada', handledAt: 3, state: 'quarantined' });
      expect((await new BacklogRepository(database).counts()).quarantined).toBe(0);
    });

    it('is undone > by its user and time, or for one submission', async () => {
      const [one, two, other] = [await held(), await held(), await held()];
      await handling.mark([one, two], FORM_KINDS, 'done', 'ada', 5);
      await handling.mark([other], FORM_KINDS, 'spam', 'bo', 5);
      await handling.mark([two], FORM_KINDS, 'spam', 'bo', 6);
      expect(await handling.marked('ada', 5, FORM_KINDS)).toEqual({ handled: 'done', count: 1 });
      // A user whose role was changed no longer sees what they once marked.
      expect(await handling.marked('ada', 5, ['application'])).toBeUndefined();
      expect(await handling.unmark('ada', { at: 5, forms: ['application'] })).toEqual([]);
      expect(await handling.unmark('ada', { at: 5, forms: FORM_KINDS })).toEqual([one]);
      expect(await handling.marked('ada', 5, FORM_KINDS)).toBeUndefined();
      expect(await statusesOf([one, two, other])).toEqual(['quarantined', 'spam', 'spam']);
      expect(await handling.unmark('ada', { id: other })).toEqual([other]);
      const events = historyOf((await submissions.find(other)) ?? { history: '' }).map(({ event, by }) => [event, by]);
      expect(events).toEqual([
        ['spam', 'bo'],
        ['reopened', 'ada'],
      ]);
    });

    it.each([
      ['by time', { at: 7, forms: FORM_KINDS }],
      ['for one submission', undefined],
    ])('is undone to the mark of another user that it replaced > %s', async (_, which) => {
      const [id, open] = [await held(), await held()];
      const mark = (as: Handled, by: string, at: number) => handling.mark([id, open], FORM_KINDS, as, by, at);
      const markOf = async (one: string) => {
        const { handled, handledAt, handledBy } = (await submissions.find(one)) ?? {};
        return [handled, handledAt, handledBy];
      };
      await handling.mark([id], FORM_KINDS, 'done', 'ada', 5);
      await mark('spam', 'bo', 6);
      await mark('done', 'cy', 7);
      const undo = (one: string) => handling.unmark('cy', which ?? { id: one });
      expect((which ? await undo('') : [...(await undo(id)), ...(await undo(open))]).toSorted()).toEqual(
        [id, open].toSorted(),
      );
      expect(await Promise.all([id, open].map(markOf))).toEqual([
        ['spam', 6, 'bo'],
        ['spam', 6, 'bo'],
      ]);
      await handling.unmark('bo', { at: 6, forms: FORM_KINDS });
      expect(await Promise.all([id, open].map(markOf))).toEqual([
        ['done', 5, 'ada'],
        [null, null, null],
      ]);
      await handling.unmark('ada', { id });
      expect(await markOf(id)).toEqual([null, null, null]);
      const { history = '' } = (await submissions.find(id)) ?? {};
      expect(historyOf({ history }).map(describeEvent).slice(3)).toEqual([
        'Undone by cy: marked as spam again',
        'Undone by bo: marked as done again',
        'Opened again by ada',
      ]);
    });

    it('is undone to no mark > version 0.4 or a release has removed the one before', async () => {
      const [reopened, released] = [await held(), await held()];
      await handling.mark([reopened, released], FORM_KINDS, 'done', 'ada', 5);
      const line = historyLine({ event: 'reopened', by: 'ada' });
      const columns = { handled: null, handledAt: null, handledBy: null };
      await setColumns(database, reopened, { ...columns, history: sql`history || ${line}` });
      await submissions.requeue([released], ['quarantined'], { released: true, by: 'ada' });
      await setColumns(database, released, { state: 'failed' });
      await handling.mark([reopened, released], FORM_KINDS, 'spam', 'bo', 6);
      await handling.unmark('bo', { at: 6, forms: FORM_KINDS });
      expect(await statusesOf([reopened, released])).toEqual(['quarantined', 'failed']);
    });

    it('ends > the submission is requeued', async () => {
      const id = await held();
      await handling.mark([id], FORM_KINDS, 'spam', 'ada', 1);
      await submissions.requeue([id], ['quarantined'], { released: true, by: 'bo' });
      expect(await submissions.find(id)).toMatchObject({ state: 'pending', handled: null, handledBy: null });
    });

    it('cancels the alert', async () => {
      const id = await storeEnquiry({ submissions });
      await submissions.endLease(await leaseOf(submissions, id), { state: 'failed', attempts: 1 });
      await handling.mark([id], FORM_KINDS, 'done', 'ada', 1);
      expect(await new BacklogRepository(database).claimAlerts()).toEqual([]);
    });
  });

  it('setNote > replaces the note and adds its author to the history', async () => {
    const id = await storeEnquiry({ submissions });
    for (const [note, by] of [
      ['Called.', 'ada'],
      ['Called.', 'bo'],
      ['', 'bo'],
    ] as const)
      await handling.setNote(id, note, by);
    const { note, history } = (await submissions.find(id)) ?? { note: undefined, history: '' };
    expect([note, historyOf({ history }).map(({ event, by }) => [event, by])]).toEqual([
      '',
      [
        ['note', 'ada'],
        ['note', 'bo'],
      ],
    ]);
  });
});
