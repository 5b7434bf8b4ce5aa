import { beforeEach, expect, jest } from '@jest/globals';
import fc from 'fast-check';
import { FORM_KINDS, type FormKind } from '../contract/forms.ts';
import type { Database } from '../database/database.ts';
import { anyCharacter } from '../../test/any-character.ts';
import { describeEachEngine } from '../../test/each-engine.ts';
import { sampled } from '../../test/sample.ts';
import { newApplication, setColumns, storeEnquiry } from '../../test/submissions.ts';
import { allRecipients, recipientOf } from '../submissions/recipients.ts';
import { scopeOf } from '../submissions/scope.ts';
import { STATUSES, type Submission } from '../submissions/submission.ts';
import { SubmissionsRepository } from '../submissions/submissions.repository.ts';
import { SubmissionSearchRepository } from '../submissions/submission-search.repository.ts';
import { pageOf, searchOf } from './search.ts';
import { OTHER_SERVICE, SERVICE } from '../../test/services.ts';

describeEachEngine('inbox > search > %s', (engine) => {
  let database: Database;
  let submissions: SubmissionsRepository;
  let lists: SubmissionSearchRepository;
  beforeEach(async () => {
    database = await engine.open();
    submissions = new SubmissionsRepository(database);
    lists = new SubmissionSearchRepository(database);
  });

  /** Stores an enquiry with these columns. @returns its reference */
  async function store(columns: Parameters<typeof setColumns>[2]): Promise<string> {
    const id = await storeEnquiry({ submissions });
    await setColumns(database, id, columns);
    return id;
  }
  const forms = FORM_KINDS;

  engine.it('has each submission on one page > pages of any size', async () => {
    const ids: string[] = [];
    for (let receivedAt = 7; receivedAt > 0; receivedAt--) ids.push(await store({ receivedAt }));
    for (const query of [{}, { q: 'ada' }, { topic: SERVICE }])
      // Several pages, one and a row, one, and less than one.
      for (const pageRows of [3, 6, 7, 8]) {
        const open = (page: number, ...limits: [rows: number, countMax?: number]) =>
          pageOf(lists, searchOf({ forms }, { ...query, page: `${page}` }, ''), ...limits);
        const { pages, foundCount } = await open(1, pageRows);
        expect([query, pageRows, pages, foundCount]).toEqual([query, pageRows, Math.ceil(7 / pageRows), 7]);
        const read: string[] = [];
        for (let page = 1; page <= pages; page++) read.push(...(await open(page, pageRows)).found.map(({ id }) => id));
        expect([query, pageRows, read]).toEqual([query, pageRows, ids]);
        const beyond = await open(pages + 1, pageRows);
        expect([beyond.search.page, beyond.found.at(-1)?.id]).toEqual([pages, ids.at(-1)]);
        // More than are counted.
        const cut = await open(9, 2, 4);
        expect([cut.pages, cut.foundCount, cut.found.map(({ id }) => id)]).toEqual([2, 5, ids.slice(2, 4)]);
      }
  });

  engine.it('lists what the user has taken, or what has a label', async () => {
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
    ] as const)
      for (const scope of [{ forms }, { forms: ['application'] as const }]) {
        const { found, foundCount } = await pageOf(lists, searchOf(scope, query, 'ada'));
        const expected = scope.forms === forms ? ids : [];
        expect([query, found.map(({ id }) => id), foundCount]).toEqual([query, expected, expected.length]);
      }
    const labels = async (form: FormKind) => (await lists.labels({ forms: [form] }, ['on hold', 'hired'])).toSorted();
    expect(await labels('contact')).toEqual(['hired', 'invited', 'not invited', 'on hold', 'rejected']);
    // Labels that have left the settings, of another role.
    expect(await labels('application')).toEqual(['hired', 'on hold']);
  });

  engine.it('has due reminders, the oldest first', async () => {
    const ids: string[] = [];
    for (const remindAt of [30, 10, 20, 40, null]) ids.push(await store({ remindAt }));
    const due = async (some: readonly string[], limit = 9) =>
      (await lists.reminded({ forms: some }, limit, 30)).map(({ id }) => id);
    expect(await due(forms)).toEqual([ids[1], ids[2], ids[0]]);
    expect(await due(forms, 1)).toEqual([ids[1]]);
    expect(await due(['application'])).toEqual([]);
  });

  engine.it('reads few rows in a statement, so that leases are renewed meanwhile', async () => {
    await Promise.all(Array.from({ length: 20 }, () => storeEnquiry({ submissions })));
    const statements = jest.spyOn(database, 'run');
    lists.searchedRows = 2;
    await pageOf(lists, searchOf({ forms }, { q: 'nobody has this name' }, ''));
    expect(statements.mock.calls.length).toBeGreaterThanOrEqual(20 / 2);
  });

  engine.it('shows a mailbox what goes there > any settings and topics', async () => {
    const written = (text: string) => [text, text.toUpperCase(), `  ${text.replaceAll(' ', '–')}!`, `${text}s`];
    const typed = ['Android Developer', 'C++ (m/f/d)', 'C#', 'Größe', "O'Neill", '花子', '---', '', 'x'.repeat(900)];
    const topics = [...[SERVICE, ...typed].flatMap(written), ...fc.sample(fc.string({ unit: anyCharacter }), 20)];
    const mailboxes = ['sales@firm.net', 'hr@firm.net', 'sap@firm.net', 'old@firm.net'];
    for (const [at, topic] of topics.entries()) {
      const { fields, ...application } = newApplication(Buffer.alloc(1));
      await submissions.insert({ ...application, fields: { ...fields, position: topic.replaceAll('\0', '') } });
      const ids = [application.id, await storeEnquiry({ submissions }, { service: topic.replaceAll('\0', '') })];
      for (const id of ids) await setColumns(database, id, { remindAt: 1, recipient: mailboxes[at % 13] ?? null });
    }
    const all = await lists.newest({ forms, statuses: STATUSES }, 9_999);
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
});
