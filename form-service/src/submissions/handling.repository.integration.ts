import { beforeEach, describe, expect, jest } from '@jest/globals';
import { sql } from 'kysely';
import { FORM_KINDS } from '../contract/forms.ts';
import { describeEachEngine } from '../../test/each-engine.ts';
import { setColumns, storeEnquiry } from '../../test/submissions.ts';
import { by, words } from '../../test/words.ts';
import type { Database } from '../database/database.ts';
import { HandlingRepository } from './handling.repository.ts';
import { dayText, describeEvent, inSentence } from './labels.ts';
import { notesOf } from './notes.ts';
import { searchTermsOf } from './search-terms.ts';
import { historyOf, STATUSES, statusOf, takerOf, type Handled } from './submission.ts';
import { SubmissionSearchRepository } from './submission-search.repository.ts';
import { historyLine } from './submission-sql.ts';
import { SubmissionsRepository } from './submissions.repository.ts';
import { ACTIONS } from './submission-actions.service.ts';

const { history: happened } = words.submissions;

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

  describe('take', () => {
    const mark = (id: string, as: Handled) =>
      handling.mark([id], { from: ACTIONS.mark.from, scope: { forms: FORM_KINDS }, as, by: 'cy', at: 5 });
    const held = () => storeEnquiry({ submissions }, {}, { quarantined: true });
    const found = async (id: string) => {
      const submission = await submissions.find(id);
      if (!submission) throw new Error('not stored');
      return submission;
    };
    const takerIn = async (id: string) => takerOf(await found(id))?.by;
    const eventsOf = async (id: string) => historyOf(await found(id)).map(({ event, by }) => [event, by]);

    it('one user wins > two take it at once', async () => {
      const id = await held();
      const taken = await Promise.all(['ada', 'bo'].map((by) => handling.take(id, by)));
      expect(taken.toSorted()).toEqual([false, true]);
      const winner = taken[0] ? 'ada' : 'bo';
      expect(await takerIn(id)).toBe(winner);
      expect(await eventsOf(id)).toEqual([['taken', winner]]);
      expect((await found(id)).takenAt).toBe(Date.parse(historyOf(await found(id))[0]?.at ?? ''));
    });

    it('is taken over only from the user whom the page has shown', async () => {
      const id = await held();
      await handling.take(id, 'ada');
      expect(await handling.take(id, 'bo', 'cy')).toBe(false);
      const over = await Promise.all(['bo', 'cy'].map((by) => handling.take(id, by, 'ada')));
      expect(over.toSorted()).toEqual([false, true]);
      expect(await takerIn(id)).toBe(over[0] ? 'bo' : 'cy');
    });

    it('is given back by its user only', async () => {
      const id = await held();
      await handling.take(id, 'ada');
      expect(await handling.giveBack(id, 'bo')).toBe(false);
      expect(await handling.giveBack(id, 'ada')).toBe(true);
      expect(await handling.giveBack(id, 'ada')).toBe(false);
      expect(await eventsOf(id)).toEqual([
        ['taken', 'ada'],
        ['given back', 'ada'],
      ]);
      // The page still shows the user who has given it back.
      expect(await handling.take(id, 'bo', 'ada')).toBe(true);
    });

    it.each(['done', 'spam'] as const)('ends with %s, and stays ended after the undo', async (as) => {
      const id = await held();
      await handling.take(id, 'ada');
      await mark(id, as);
      expect(await found(id)).toMatchObject({ takenBy: null, takenAt: null });
      expect(await handling.take(id, 'bo')).toBe(false);
      await handling.unmark('cy', { id });
      expect(await takerIn(id)).toBeUndefined();
      expect(await handling.take(id, 'bo')).toBe(true);
    });

    it.each([
      ['sent on', 'sap@firm.net', undefined],
      ['sent again', undefined, 'ada'],
      ['released', undefined, 'ada'],
    ] as const)('a mail that is %s to %s leaves it with %s', async (event, to, expected) => {
      const id = await held();
      await handling.take(id, 'ada');
      await submissions.requeue([id], { from: ['quarantined'], event, to, by: 'bo' });
      expect(await takerIn(id)).toBe(expected);
    });
  });

  describe('label', () => {
    const labelled = async (id: string) => (await submissions.find(id))?.labels;

    it('keeps the labels of all > several users add and remove at once', async () => {
      const id = await storeEnquiry({ submissions });
      const names = ['invited', 'on hold', "it's 100%_\\", 'hold'];
      expect(await Promise.all(names.map((label) => handling.label(id, label, true, 'ada')))).toEqual(
        names.map(() => true),
      );
      expect((await labelled(id))?.split('\n').toSorted()).toEqual(['', '', ...names].toSorted());
      await Promise.all([
        handling.label(id, 'hold', false, 'ada'),
        handling.label(id, 'hired', true, 'bo'),
        handling.label(id, "it's 100%_\\", false, 'cy'),
      ]);
      expect((await labelled(id))?.split('\n').toSorted()).toEqual(['', '', 'hired', 'invited', 'on hold']);
    });

    it('changes nothing, also no history > it is as wanted already', async () => {
      const id = await storeEnquiry({ submissions });
      const changes: [boolean, boolean][] = [
        [false, false],
        [true, true],
        [true, false],
        [false, true],
        [false, false],
      ];
      for (const [isWanted, isChanged] of changes)
        expect(await handling.label(id, 'invited', isWanted, 'ada')).toBe(isChanged);
      expect(await labelled(id)).toBe('');
      const events = historyOf((await submissions.find(id)) ?? { history: '' }).map(describeEvent);
      expect(events).toEqual([
        happened.labelled({ label: 'invited', by: by('ada') }),
        happened.labelRemoved({ label: 'invited', by: by('ada') }),
      ]);
    });

    it('is found between line breaks > it is the first, and the last', async () => {
      const id = await storeEnquiry({ submissions });
      for (const label of ['a', 'b']) await handling.label(id, label, true, 'ada');
      expect(await labelled(id)).toBe('\na\nb\n');
      await handling.label(id, 'a', false, 'ada');
      expect(await labelled(id)).toBe('\nb\n');
    });
  });

  describe('remind', () => {
    const remindAtOf = async (id: string) => (await submissions.find(id))?.remindAt;
    const mark = (id: string, as: Handled) =>
      handling.mark([id], { from: ['pending'], scope: { forms: FORM_KINDS }, as, by: 'cy', at: 5 });

    it('is set, moved and removed by what the page has shown', async () => {
      const id = await storeEnquiry({ submissions });
      expect(await handling.remind(id, { on: '2026-12-03', at: 10 }, null, 'ada')).toBe(true);
      expect(await handling.remind(id, { on: '2026-12-04', at: 20 }, null, 'bo')).toBe(false);
      expect(await handling.remind(id, { on: '2026-12-04', at: 20 }, 10, 'bo')).toBe(true);
      expect(await handling.remind(id, { on: '2026-12-04', at: 20 }, 20, 'bo')).toBe(false);
      expect(await handling.remind(id, undefined, 10, 'ada')).toBe(false);
      expect(await remindAtOf(id)).toBe(20);
      expect(await handling.remind(id, undefined, 20, 'ada')).toBe(true);
      expect(await remindAtOf(id)).toBeNull();
      const events = historyOf((await submissions.find(id)) ?? { history: '' }).map(describeEvent);
      expect(events).toEqual([
        happened.reminder({ day: dayText('2026-12-03'), by: by('ada') }),
        happened.reminder({ day: dayText('2026-12-04'), by: by('bo') }),
        happened.reminderRemoved({ by: by('ada') }),
      ]);
    });

    it('reminds of what is done, not of spam, and again after an undo', async () => {
      const lists = new SubmissionSearchRepository(database);
      const reminded = async () => (await lists.reminded({ forms: ['contact'] }, 9, 10)).map(({ id }) => id);
      const inDigest = async () => {
        const ids: string[] = [];
        for await (const { id } of lists.reminders(9, 10)) ids.push(id);
        return ids;
      };
      const id = await storeEnquiry({ submissions });
      await handling.remind(id, { on: '2026-12-03', at: 10 }, null, 'ada');
      for (const [as, expected] of [
        ['done', [id]],
        ['spam', []],
      ] as const) {
        await mark(id, as);
        expect([as, await reminded(), await inDigest()]).toEqual([as, expected, expected]);
      }
      await handling.unmark('ada', { id });
      expect(await reminded()).toEqual([id]);
      expect(await remindAtOf(id)).toBe(10);
    });
  });

  describe('mark', () => {
    const held = () => storeEnquiry({ submissions }, {}, { quarantined: true });
    const statusesOf = async (ids: readonly string[]) =>
      (await new SubmissionSearchRepository(database).findAll(ids)).map(statusOf);

    it("skips pending, already marked and other forms' submissions", async () => {
      const [one, two, pending] = [await held(), await held(), await storeEnquiry({ submissions })];
      expect(
        await handling.mark([one], {
          from: ACTIONS.mark.from,
          scope: { forms: FORM_KINDS },
          as: 'spam',
          by: 'ada',
          at: 1,
        }),
      ).toEqual([one]);
      expect(
        await handling.mark([one, two, pending], {
          from: ACTIONS.mark.from,
          scope: { forms: ['application'] },
          as: 'spam',
          by: 'ada',
          at: 2,
        }),
      ).toEqual([]);
      expect(
        await handling.mark([one, two, pending], {
          from: ACTIONS.mark.from,
          scope: { forms: FORM_KINDS },
          as: 'spam',
          by: 'ada',
          at: 3,
        }),
      ).toEqual([two]);
      expect(await statusesOf([one, two, pending])).toEqual(['spam', 'spam', 'pending']);
      expect(await submissions.find(two)).toMatchObject({ handledBy: 'ada', handledAt: 3, state: 'quarantined' });
      expect((await new SubmissionSearchRepository(database).backlog()).quarantined).toBe(0);
    });

    it('is undone > by its user and time, or for one submission', async () => {
      const [one, two, other] = [await held(), await held(), await held()];
      await handling.mark([one, two], {
        from: ACTIONS.mark.from,
        scope: { forms: FORM_KINDS },
        as: 'done',
        by: 'ada',
        at: 5,
      });
      await handling.mark([other], {
        from: ACTIONS.mark.from,
        scope: { forms: FORM_KINDS },
        as: 'spam',
        by: 'bo',
        at: 5,
      });
      await handling.mark([two], {
        from: ACTIONS.mark.from,
        scope: { forms: FORM_KINDS },
        as: 'spam',
        by: 'bo',
        at: 6,
      });
      expect(await handling.countMarked('ada', 5, { forms: FORM_KINDS })).toEqual({ handled: 'done', count: 1 });
      // A user whose role was changed no longer sees what they once marked.
      expect(await handling.countMarked('ada', 5, { forms: ['application'] })).toBeUndefined();
      expect(await handling.unmark('ada', { at: 5, scope: { forms: ['application'] } })).toEqual([]);
      expect(await handling.unmark('ada', { at: 5, scope: { forms: FORM_KINDS } })).toEqual([one]);
      expect(await handling.countMarked('ada', 5, { forms: FORM_KINDS })).toBeUndefined();
      expect(await statusesOf([one, two, other])).toEqual(['quarantined', 'spam', 'spam']);
      expect(await handling.unmark('ada', { id: other })).toEqual([other]);
      const events = historyOf((await submissions.find(other)) ?? { history: '' }).map(({ event, by }) => [event, by]);
      expect(events).toEqual([
        ['spam', 'bo'],
        ['reopened', 'ada'],
      ]);
    });

    it('is set and undone as one action > pages of any size', async () => {
      const ids = await Promise.all(Array.from({ length: 5 }, held));
      const action = { from: ACTIONS.mark.from, scope: { forms: FORM_KINDS }, by: 'ada' };
      for (const [index, pageRows] of [1, 2, 5, 6].entries()) {
        database.pageRows = pageRows;
        const at = 10 + index;
        const marked = await handling.mark(ids, { ...action, as: 'done', at });
        expect([pageRows, marked.toSorted()]).toEqual([pageRows, ids.toSorted()]);
        expect(await handling.countMarked('ada', at, action.scope)).toEqual({ handled: 'done', count: 5 });
        const undone = await handling.unmark('ada', { at, scope: action.scope });
        expect([pageRows, undone.toSorted()]).toEqual([pageRows, ids.toSorted()]);
        expect(new Set(await statusesOf(ids))).toEqual(new Set(['quarantined']));
      }
    });

    it('is undone while another process writes > a note between reading and writing', async () => {
      const [id, other] = [await held(), await held()];
      const action = { from: ACTIONS.mark.from, scope: { forms: FORM_KINDS }, as: 'done', by: 'ada', at: 5 } as const;
      await handling.mark([id, other], action);
      const colleague = new HandlingRepository(await engine.open());
      const ids = database.ids.bind(database);
      const writing = jest.spyOn(database, 'ids').mockImplementationOnce(async (statement) => {
        await colleague.addNote(id, 'Called.', 'sue');
        return ids(statement);
      });
      expect((await handling.unmark('ada', action)).toSorted()).toEqual([id, other].toSorted());
      expect(writing).toHaveBeenCalled();
      writing.mockRestore();
      expect(await statusesOf([id, other])).toEqual(['quarantined', 'quarantined']);
      const { history = '' } = (await submissions.find(id)) ?? {};
      expect(historyOf({ history }).map(({ event }) => event)).toEqual(['done', 'note', 'reopened']);
    });

    it.each([
      ['by time', { at: 7, scope: { forms: FORM_KINDS } }],
      ['for one submission', undefined],
    ])('is undone to the mark of another user that it replaced > %s', async (_, which) => {
      const [id, open] = [await held(), await held()];
      const mark = (as: Handled, by: string, at: number) =>
        handling.mark([id, open], { from: ACTIONS.mark.from, scope: { forms: FORM_KINDS }, as, by, at });
      const markOf = async (one: string) => {
        const { handled, handledAt, handledBy } = (await submissions.find(one)) ?? {};
        return [handled, handledAt, handledBy];
      };
      await handling.mark([id], {
        from: ACTIONS.mark.from,
        scope: { forms: FORM_KINDS },
        as: 'done',
        by: 'ada',
        at: 5,
      });
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
      await handling.unmark('bo', { at: 6, scope: { forms: FORM_KINDS } });
      expect(await Promise.all([id, open].map(markOf))).toEqual([
        ['done', 5, 'ada'],
        [null, null, null],
      ]);
      await handling.unmark('ada', { id });
      expect(await markOf(id)).toEqual([null, null, null]);
      const { history = '' } = (await submissions.find(id)) ?? {};
      expect(historyOf({ history }).map(describeEvent).slice(3)).toEqual([
        happened.undone({ by: by('cy'), status: inSentence('spam') }),
        happened.undone({ by: by('bo'), status: inSentence('done') }),
        happened.reopened({ by: by('ada') }),
      ]);
    });

    it('is undone to no mark > version 0.4 or a release has removed the one before', async () => {
      const [reopened, released] = [await held(), await held()];
      await handling.mark([reopened, released], {
        from: ACTIONS.mark.from,
        scope: { forms: FORM_KINDS },
        as: 'done',
        by: 'ada',
        at: 5,
      });
      const line = historyLine({ event: 'reopened', by: 'ada' });
      const columns = { handled: null, handledAt: null, handledBy: null };
      await setColumns(database, reopened, { ...columns, history: sql`history || ${line}` });
      await submissions.requeue([released], { from: ['quarantined'], event: 'released', by: 'ada' });
      await setColumns(database, released, { state: 'failed' });
      await handling.mark([reopened, released], {
        from: ACTIONS.mark.from,
        scope: { forms: FORM_KINDS },
        as: 'spam',
        by: 'bo',
        at: 6,
      });
      await handling.unmark('bo', { at: 6, scope: { forms: FORM_KINDS } });
      expect(await statusesOf([reopened, released])).toEqual(['quarantined', 'failed']);
    });

    it('ends > the submission is requeued', async () => {
      const id = await held();
      await handling.mark([id], {
        from: ACTIONS.mark.from,
        scope: { forms: FORM_KINDS },
        as: 'spam',
        by: 'ada',
        at: 1,
      });
      await submissions.requeue([id], { from: ['quarantined'], event: 'released', by: 'bo' });
      expect(await submissions.find(id)).toMatchObject({ state: 'pending', handled: null, handledBy: null });
    });
  });

  describe('addNote', () => {
    /** Returns texts and users of the notes. */
    const notes = async (id: string) => {
      const submission = await submissions.find(id);
      return (submission ? notesOf(submission) : []).map(({ by, text }) => [text, by]);
    };

    it('keeps every note with its user, in order', async () => {
      const id = await storeEnquiry({ submissions });
      await handling.addNote(id, 'Called on Monday.', 'ada');
      await handling.addNote(id, 'Sent the price list.\nWith a "quote".', 'bo');
      await handling.addNote(id, 'Called on Monday.', 'bo');
      expect(await notes(id)).toEqual([
        ['Called on Monday.', 'ada'],
        ['Sent the price list.\nWith a "quote".', 'bo'],
        ['Called on Monday.', 'bo'],
      ]);
    });

    it('keeps the notes of several users at once', async () => {
      const id = await storeEnquiry({ submissions });
      const users = ['ada', 'bo', 'cy', 'di', 'ed'];
      await Promise.all(users.map((user) => handling.addNote(id, `By ${user}.`, user)));
      expect((await notes(id)).toSorted()).toEqual(users.map((user) => [`By ${user}.`, user]));
    });

    it('stores a repeated click once > one after the other, and at once', async () => {
      const id = await storeEnquiry({ submissions });
      await Promise.all([1, 2, 3].map(() => handling.addNote(id, 'Called.', 'ada')));
      expect(await handling.addNote(id, 'Called.', 'ada')).toBe(true);
      expect(await notes(id)).toEqual([['Called.', 'ada']]);
    });

    it('stores the same words again > more than a minute later', async () => {
      const id = await storeEnquiry({ submissions });
      const notesAfter = async (seconds: number) => {
        const at = new Date(Date.now() - seconds * 1_000).toISOString();
        await setColumns(database, id, { history: historyLine({ at, event: 'note', by: 'ada', text: 'No answer.' }) });
        await handling.addNote(id, 'No answer.', 'ada');
        return (await notes(id)).length;
      };
      expect([await notesAfter(45), await notesAfter(61)]).toEqual([1, 2]);
    });

    it('refuses a note > the history is full', async () => {
      const id = await storeEnquiry({ submissions });
      const line = historyLine({ event: 'note', by: 'ada', text: 'x'.repeat(500) });
      await setColumns(database, id, { history: line.repeat(200) });
      expect(await handling.addNote(id, 'One more.', 'ada')).toBe(false);
      expect(await notes(id)).toHaveLength(200);
    });

    it('ignores an unknown reference', async () => {
      expect(await handling.addNote('KW-0', 'A note.', 'ada')).toBe(true);
    });

    it('is found by the words of every note', async () => {
      const find = async (query: string) => {
        const ids: string[] = [];
        const filter = { forms: FORM_KINDS, statuses: STATUSES };
        const found = new SubmissionSearchRepository(database).positions(filter, searchTermsOf(query));
        for await (const one of found) ids.push(one.id);
        return ids;
      };
      const id = await storeEnquiry({ submissions });
      await handling.addNote(id, 'Wants an Öffer.', 'ada');
      await handling.addNote(id, 'Sent it.', 'bo');
      expect([await find('offer'), await find('sent it')]).toEqual([[id], [id]]);
    });
  });
});
