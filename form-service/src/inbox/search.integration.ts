import { expect, jest } from '@jest/globals';
import fc from 'fast-check';
import { FORM_KINDS, type FormKind } from '../contract/forms.ts';
import { describeEachEngine } from '../../test/each-engine.ts';
import { sampled } from '../../test/sample.ts';
import { newApplication, newEnquiry, setColumns, storeEnquiry } from '../../test/submissions.ts';
import { allRecipients, recipientOf } from '../submissions/recipients.ts';
import { scopeOf } from '../submissions/scope.ts';
import { STATUSES, type Submission } from '../submissions/submission.ts';
import { SubmissionsRepository } from '../submissions/submissions.repository.ts';
import { SubmissionSearchRepository } from '../submissions/submission-search.repository.ts';
import { pageOf, searchOf } from './search.ts';
import { OTHER_SERVICE, SERVICE } from '../../test/services.ts';

const ROWS = 100;
const STATEMENTS_MIN = 20;

describeEachEngine('inbox > search > %s', (engine) => {
  engine.it('has each submission on one page > pages of any size', async () => {
    const database = await engine.open();
    const submissions = new SubmissionsRepository(database);
    const lists = new SubmissionSearchRepository(database);
    const ids: string[] = [];
    for (let receivedAt = 7; receivedAt > 0; receivedAt--) {
      const id = await storeEnquiry({ submissions });
      await setColumns(database, id, { receivedAt });
      ids.push(id);
    }
    for (const query of [{}, { q: 'ada' }, { topic: SERVICE }])
      // Several pages, one and a row, one, and less than one.
      for (const pageRows of [3, 6, 7, 8]) {
        const open = (page: number) =>
          pageOf(lists, searchOf({ forms: FORM_KINDS }, { ...query, page: `${page}` }, ''), pageRows);
        const { pages, foundCount } = await open(1);
        expect([query, pageRows, pages, foundCount]).toEqual([query, pageRows, Math.ceil(7 / pageRows), 7]);
        const read: string[] = [];
        for (let page = 1; page <= pages; page++) read.push(...(await open(page)).found.map(({ id }) => id));
        expect([query, pageRows, read]).toEqual([query, pageRows, ids]);
        const beyond = await open(pages + 1);
        expect([beyond.search.page, beyond.found.at(-1)?.id]).toEqual([pages, ids.at(-1)]);
        // More than are counted.
        const cut = await pageOf(lists, searchOf({ forms: FORM_KINDS }, { ...query, page: '9' }, ''), 2, 4);
        expect([cut.pages, cut.foundCount, cut.found.map(({ id }) => id)]).toEqual([2, 5, ids.slice(2, 4)]);
      }
  });

  engine.it('lists what the user has taken, or what has a label', async () => {
    const database = await engine.open();
    const submissions = new SubmissionsRepository(database);
    const lists = new SubmissionSearchRepository(database);
    const store = async (columns: Parameters<typeof setColumns>[2]) => {
      const id = await storeEnquiry({ submissions });
      await setColumns(database, id, columns);
      return id;
    };
    const taken = await store({ takenBy: 'ada', labels: '\nhired\ninvited\n', receivedAt: 3 });
    await store({ takenBy: 'ada', handled: 'done', labels: '\nrejected\n' });
    const invited = await store({ takenBy: 'bo', labels: '\ninvited\n', receivedAt: 2 });
    await store({ labels: '\nnot invited\n' });
    for (const [query, ids] of [
      [{ state: 'mine' }, [taken]],
      [{ label: 'invited' }, [taken, invited]],
      [{ label: 'invited', state: 'mine' }, [taken]],
      [{ label: 'invited', topic: SERVICE, q: 'ada' }, [taken, invited]],
      [{ label: 'invited', topic: OTHER_SERVICE }, []],
      [{ label: 'rejected' }, []],
      [{ label: 'vite' }, []],
    ] as const) {
      const { found, foundCount } = await pageOf(lists, searchOf({ forms: FORM_KINDS }, query, 'ada'));
      expect([query, found.map(({ id }) => id), foundCount]).toEqual([query, ids, ids.length]);
      const { found: foreign } = await pageOf(lists, searchOf({ forms: ['application'] }, query, 'ada'));
      expect([query, foreign]).toEqual([query, []]);
    }
    const labels = async (form: FormKind) => (await lists.labels({ forms: [form] }, ['on hold', 'hired'])).toSorted();
    expect(await labels('contact')).toEqual(['hired', 'invited', 'not invited', 'on hold', 'rejected']);
    // Labels that have left the settings, of another role.
    expect(await labels('application')).toEqual(['hired', 'on hold']);
    for (let number = 0; number < 60; number++) await store({ labels: `\ninvited\n${number}\n`, receivedAt: 1 });
    const { found, foundCount } = await pageOf(lists, searchOf({ forms: FORM_KINDS }, { label: 'invited' }, ''));
    expect([found.slice(0, 2).map(({ id }) => id), found.length, foundCount]).toEqual([[taken, invited], 50, 62]);
  });

  engine.it('has due reminders, the oldest first', async () => {
    const database = await engine.open();
    const submissions = new SubmissionsRepository(database);
    const lists = new SubmissionSearchRepository(database);
    const ids: string[] = [];
    for (const remindAt of [30, 10, 20, 40, null]) {
      ids.push(await storeEnquiry({ submissions }));
      await setColumns(database, ids.at(-1) ?? '', { remindAt });
    }
    const due = async (forms: readonly string[], limit = 9) =>
      (await lists.reminded({ forms }, limit, 30)).map(({ id }) => id);
    expect(await due(FORM_KINDS)).toEqual([ids[1], ids[2], ids[0]]);
    expect(await due(FORM_KINDS, 1)).toEqual([ids[1]]);
    expect(await due(['application'])).toEqual([]);
  });

  engine.it('shows a mailbox what goes there > any settings and topics', async () => {
    const database = await engine.open();
    const submissions = new SubmissionsRepository(database);
    const lists = new SubmissionSearchRepository(database);
    const written = (text: string) => [text, text.toUpperCase(), `  ${text.replaceAll(' ', '–')}!`, `${text}s`];
    const typed = [
      'Android Developer',
      'C++ (m/f/d)',
      'C#',
      'Łódź',
      'Größe',
      "O'Neill",
      '花子',
      '---',
      '',
      'x'.repeat(900),
    ];
    const topics = [
      ...[SERVICE, OTHER_SERVICE, ...typed].flatMap(written),
      ...fc.sample(fc.string({ unit: 'binary' }), 20),
    ];
    const mailboxes = ['sales@firm.net', 'hr@firm.net', 'sap@firm.net', 'old@firm.net'];
    for (const [at, topic] of topics.entries()) {
      const { fields, ...application } = newApplication(Buffer.alloc(1));
      await submissions.insert({ ...application, fields: { ...fields, position: topic.replaceAll('\0', '') } });
      const ids = [application.id, await storeEnquiry({ submissions }, { service: topic.replaceAll('\0', '') })];
      for (const id of ids) await setColumns(database, id, { remindAt: 1, recipient: mailboxes[at % 13] ?? null });
    }
    const all = await lists.newest({ forms: FORM_KINDS, statuses: STATUSES }, 9_999);
    const mailbox = fc.constantFrom(...mailboxes.slice(0, 3));
    const name = fc.constantFrom(...topics.filter((topic) => !/[=;\n]/.test(topic)));
    const entries = fc.uniqueArray(fc.tuple(name, mailbox), { maxLength: 6, selector: ([one]) => one });
    const settings = fc.record({
      SALES_INBOX: mailbox,
      HR_INBOX: mailbox,
      RECIPIENTS: entries.map((one) => new Map(one)),
    });
    const property = fc.asyncProperty(settings, mailbox, async (firm, role) => {
      // The settings reject the others.
      fc.pre(allRecipients(firm).includes(role));
      const scope = scopeOf({ role }, firm);
      const idsOf = (found: readonly Submission[]) => found.map(({ id }) => id).toSorted();
      const wanted = idsOf(all.filter((one) => recipientOf(one, firm) === role));
      const filter = { ...scope, statuses: STATUSES };
      expect(idsOf(await lists.newest(filter, 9_999))).toEqual(wanted);
      expect(await lists.count(filter)).toBe(wanted.length);
      expect(idsOf(await lists.reminded(scope, 9_999))).toEqual(wanted);
    });
    await fc.assert(property, { numRuns: sampled(200, 10) });
  });

  engine.it('lets the renewal of a lease wait for one statement at most', async () => {
    const database = await engine.open();
    const submissions = new SubmissionsRepository(database);
    const lease = await submissions.acquire(await storeEnquiry({ submissions }));
    await Promise.all(Array.from({ length: ROWS }, () => submissions.insert(newEnquiry())));
    if (!lease) throw new Error('The submission cannot be leased.');

    const statements = jest.spyOn(database, 'run');
    const state = { isSearching: true };
    const lists = new SubmissionSearchRepository(database);
    lists.searchedRows = ROWS / 10;
    const searching = pageOf(lists, searchOf({ forms: FORM_KINDS }, { q: 'nobody has this name' }, '')).finally(() => {
      state.isSearching = false;
    });
    const waits: number[] = [];
    while (state.isSearching) {
      const before = statements.mock.calls.length;
      expect(await submissions.renew(lease)).toBe(true);
      // The renewal is a statement too.
      waits.push(statements.mock.calls.length - before - 1);
    }
    expect((await searching).found).toEqual([]);
    expect(statements.mock.calls.length - waits.length).toBeGreaterThanOrEqual(STATEMENTS_MIN);
    // PostgreSQL has several connections, so a renewal does not wait at all.
    if (engine.server) return;
    expect(waits.length).toBeGreaterThanOrEqual(STATEMENTS_MIN);
    expect(Math.max(...waits)).toBeLessThanOrEqual(1);
  });
});
