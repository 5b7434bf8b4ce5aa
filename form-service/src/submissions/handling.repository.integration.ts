import { beforeEach, describe, expect } from '@jest/globals';
import { FORM_KINDS } from '../contract/forms.ts';
import { describeEachEngine } from '../../test/each-engine.ts';
import { leaseOf, storeEnquiry } from '../../test/submissions.ts';
import type { Database } from '../database/database.ts';
import { HandlingRepository } from './handling.repository.ts';
import { notesOf, historyOf, statusOf, type Handled } from './submission.ts';
import { ACTIONS } from './submission-actions.service.ts';
import { SubmissionSearchRepository } from './submission-search.repository.ts';
import { SubmissionsRepository } from './submissions.repository.ts';

const { from } = ACTIONS.mark;
const scope = { forms: FORM_KINDS };

/** Races and batches. The rules of each action are tested over HTTP, in `inbox/`. */
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

  const held = () => storeEnquiry({ submissions }, {}, { quarantined: true });
  const found = async (id: string) => {
    const submission = await submissions.find(id);
    if (!submission) throw new Error('not stored');
    return submission;
  };
  const eventsOf = async (id: string) => historyOf(await found(id)).map(({ event, by }) => [event, by]);
  const statusesOf = async (ids: readonly string[]) =>
    (await new SubmissionSearchRepository(database).findAll(ids)).map(statusOf);
  const mark = (ids: readonly string[], as: Handled, by: string, at: number) =>
    handling.mark(ids, { from, scope, as, by, at });

  describe('version', () => {
    it('lets one of two users win who act at once', async () => {
      const id = await held();
      const taken = await Promise.all(['ada', 'bo'].map((by) => handling.take(id, by, 0)));
      expect(taken.toSorted()).toEqual([false, true]);
      const winner = taken[0] ? 'ada' : 'bo';
      expect(await found(id)).toMatchObject({ takenBy: winner, version: 1 });
      expect(await eventsOf(id)).toEqual([['taken', winner]]);
    });

    it('lets several presses of one user at once count as one', async () => {
      const id = await held();
      const stored = await Promise.all([1, 2, 3].map(() => handling.addNote(id, 'Called.', 'ada', 0)));
      expect(stored).toEqual([true, true, true]);
      expect(notesOf(await found(id)).map(({ text }) => text)).toEqual(['Called.']);
    });

    it('is raised by each write of staff, and by no other', async () => {
      const id = await held();
      const versions: number[] = [];
      for (const write of [
        () => handling.take(id, 'ada'),
        () => handling.giveBack(id, 'ada'),
        async () => handling.label(await found(id), 'a', true, 'ada'),
        () => handling.remind(id, { on: '2026-12-03', at: 10 }, 'ada'),
        () => handling.addNote(id, 'Called.', 'ada'),
        () => mark([id], 'done', 'ada', 5),
        () => handling.unmark('ada', { id }),
        () => submissions.record(id, { event: 'downloaded', by: 'ada' }),
        () => submissions.requeue([id], { from, event: 'released', by: 'ada' }),
        async () => submissions.endLease(await leaseOf(submissions, id), { pauseMs: 60_000, attempts: 1 }),
        () => handling.giveUp(id, 'ada'),
      ]) {
        await write();
        versions.push((await found(id)).version);
      }
      expect(versions).toEqual([1, 2, 3, 4, 5, 6, 7, 7, 8, 8, 9]);
    });

    it('lets one of two users requeue who act at once', async () => {
      const id = await storeEnquiry({ submissions });
      const send = (by: string) =>
        submissions.requeue([id], { from: ['pending'], event: 'sent again', by, version: 0 });
      expect((await Promise.all([send('ada'), send('bo')])).flat()).toEqual([id]);
    });
  });

  it('notes > without a version, of several users at once, are all stored', async () => {
    const id = await held();
    const users = ['ada', 'bo', 'cy', 'di', 'ed'];
    await Promise.all(users.map((user) => handling.addNote(id, `By ${user}.`, user)));
    const notes = notesOf(await found(id)).map(({ by, text }) => [by, text]);
    expect(notes.toSorted()).toEqual(users.map((user) => [user, `By ${user}.`]));
  });

  describe('giveUp', () => {
    it.each(['a worker is sending it', 'it is delivered'])('changes nothing > %s', async (reason) => {
      const id = await storeEnquiry({ submissions });
      const lease = await leaseOf(submissions, id);
      if (reason !== 'a worker is sending it') await submissions.endLease(lease, { state: 'delivered' });
      const before = await found(id);
      expect(await handling.giveUp(id, 'ada', 0)).toBe(false);
      expect(await found(id)).toEqual(before);
    });
  });

  describe('mark', () => {
    it('is undone by its user and time, among what the user may see', async () => {
      const [one, two, other] = [await held(), await held(), await held()];
      await mark([one, two], 'done', 'ada', 5);
      await mark([other], 'spam', 'bo', 5);
      await mark([two], 'spam', 'bo', 6);
      expect(await handling.countMarked('ada', 5, scope)).toEqual({ handled: 'done', count: 1 });
      // A user whose role was changed no longer sees what they once marked.
      const former = { forms: ['application'] };
      expect(await handling.countMarked('ada', 5, former)).toBeUndefined();
      expect(await handling.unmark('ada', { at: 5, scope: former })).toEqual([]);
      expect(await handling.unmark('ada', { at: 5, scope })).toEqual([one]);
      expect(await handling.countMarked('ada', 5, scope)).toBeUndefined();
      expect(await statusesOf([one, two, other])).toEqual(['quarantined', 'spam', 'spam']);
    });
  });
});
