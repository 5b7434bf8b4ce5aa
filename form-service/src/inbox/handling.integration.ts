import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger, type INestApplication } from '@nestjs/common';
import fc from 'fast-check';
import { DeliveryStack } from '../../test/delivery-stack.ts';
import { eachSeed } from '../../test/each-seed.ts';
import { InboxClient, inboxUsers, type Call } from '../../test/inbox-client.ts';
import { age, newApplication, setColumns, storeApplication, storeEnquiry } from '../../test/submissions.ts';
import { application as applicationForm } from '../contract/forms/application.ts';
import { contact } from '../contract/forms/contact.ts';
import { fill } from '../contract/messages.ts';
import { Database } from '../database/database.ts';
import { StorageUnavailableError } from '../database/storage-unavailable.error.ts';
import { historyOf, statusOf } from '../submissions/submission.ts';
import { SubmissionSearchRepository } from '../submissions/submission-search.repository.ts';
import { InboxVisitsRepository } from './inbox-visits.repository.ts';
import { pageAddress } from './list-page.ts';
import { DECISIONS, PAGE_ROWS } from './search.ts';
import { OTHER_SERVICE, SERVICE } from '../../test/services.ts';
import { by, upToTime, words } from '../../test/words.ts';
import { zoneText } from '../html/format.ts';
import { dayText, inSentence } from '../submissions/labels.ts';

const { history } = words.submissions;
const { frame, handOver, list, markAll, submission, takeOver } = words.inbox;
/** Number of submissions in the title of a list. */
const numberFound = (count: number) => list.found({ filter: '', count });

const BYTES = Buffer.from('%PDF-1.7 the bytes', 'latin1');

let stack: DeliveryStack;
let worker: INestApplication;
let client: InboxClient;

beforeAll(async () => {
  stack = await DeliveryStack.start({
    settings: {
      INBOX_USERS: await inboxUsers({ sam: 'sales', hana: 'hr', ada: 'all', bo: 'all' }),
      RECIPIENTS: new Map([[OTHER_SERVICE, 'sap@kitewright.example']]),
      INBOX_LABELS: ['invited', 'on hold'],
      RETENTION_DAYS: 30,
    },
  });
  worker = (await stack.startWorker()) as INestApplication;
  await worker.listen(0, '127.0.0.1');
  client = new InboxClient(`http://127.0.0.1:${(worker.getHttpServer().address() as AddressInfo).port}`);
});

afterAll(() => stack.close());

beforeEach(() => stack.database.run((db) => db.deleteFrom('submissions').execute()));

const get = async (path: string, user = 'ada') => (await client.call(path, { user })).text;
const post = (path: string, body: Call['body'] = {}, user = 'ada') => client.call(path, { user, method: 'POST', body });

const held = (fields = {}) => storeEnquiry(stack, fields, { quarantined: true, reasons: ['many links'] });

const heldApplication = () => storeApplication(stack, BYTES, { quarantined: true, reasons: ['links'] });

/** The fields of a list's form with these check boxes ticked. */
const ticked = (as: string, ids: readonly string[], back = '/inbox') =>
  new URLSearchParams([['as', as], ['back', back], ...ids.map((id): [string, string] => ['id', id])]);

const statusesOf = async (ids: readonly string[]) =>
  (await new SubmissionSearchRepository(stack.database).findAll(ids)).map(statusOf);
const eventsOf = async (id: string) =>
  historyOf((await stack.submissions.find(id)) ?? { history: '' }).map(({ event, by, to }) => [event, by, to]);
const titleOf = (text: string) => /<h1[^>]*>(.*?)<\/h1>/.exec(text)?.[1];

describe('inbox > list', () => {
  it('offers no CSV when nothing is found, while others wait', async () => {
    await held();
    expect(says(await get('/inbox?q=nothing+has+this'), numberFound(0), list.download)).toEqual([true, false]);
    expect(await get('/inbox')).toContain(list.download);
  });

  it('is filtered by status, service or position, and period, with the number found', async () => {
    const [sap, old, application] = [await held({ service: OTHER_SERVICE }), await held(), await heldApplication()];
    await age(stack.database, old, 8 * 86_400_000);
    const cases: [string, readonly string[]][] = [
      ['state=quarantined', [sap, old, application]],
      ['state=done', []],
      [`topic=${encodeURIComponent(OTHER_SERVICE)}`, [sap]],
      ['topic=nothing+known', [sap, old, application]],
      ['days=7', [sap, application]],
      ['days=30', [sap, old, application]],
      ['q=android+ada', [application]],
      ['q=website&days=7&state=quarantined', [sap]],
      ['q=website&state=spam', []],
    ];
    for (const [query, expected] of cases) {
      const text = await get(`/inbox?${query}`);
      const shown = [sap, old, application].filter((id) => text.includes(`/inbox/${id}`));
      expect([query, shown]).toEqual([query, expected]);
      if (!query.startsWith('topic=nothing')) expect(titleOf(text)).toContain(numberFound(expected.length));
      expect(text).toContain(`<title>${titleOf(text)} | `);
    }
  });

  it('tells the role `all` which form a row is', async () => {
    await held();
    await heldApplication();
    const both = await get('/inbox');
    for (const { noun } of [contact.words, applicationForm.words]) expect(both).toContain(`${noun}: `);
    expect(await get('/inbox', 'sam')).not.toContain(`${contact.words.noun}: `);
  });

  it('names each link by the sender alone', async () => {
    const id = await held({ name: 'Short Name', message: 'A long message. '.repeat(20) });
    expect(await get('/inbox')).toMatch(new RegExp(`href="/inbox/${id}"><bdi>Short Name</bdi></a>`));
  });

  it('marks what arrived since the visit before', async () => {
    const visits = worker.get(InboxVisitsRepository);
    const id = await held({ name: 'Older One' });
    await age(stack.database, id, 3_600_000);
    const hours = (count: number) => Date.now() - count * 3_600_000;
    await visits.visit('sam', hours(2));
    // The visit goes on, so the end of the one before stays.
    await visits.visit('sam', hours(1.7));
    const late = await held({ name: 'Later One' });
    const isNew = (text: string) =>
      [id, late].map((one) => new RegExp(`${list.new}</b>[^/]*href="/inbox/${one}"`).test(text));
    expect(isNew(await get('/inbox', 'sam'))).toEqual([true, true]);
    expect(isNew(await get('/inbox', 'sam'))).toEqual([true, true]);
    expect(await get('/inbox', 'sam')).toContain(list.newSince({ count: 2, time: '' }).trim());
    const [first, minute] = [Date.now(), 60_000];
    const visited = [0, 31, 60, 91].map((minutes) => first + minutes * minute);
    const newSince: number[] = [];
    for (const at of visited) newSince.push(await visits.visit('pat', at));
    // A pause of half an hour ends a visit.
    expect(newSince).toEqual([first, first, first, visited[2]]);
    // The first visit of all.
    expect(isNew(await get('/inbox', 'bo'))).toEqual([false, false]);
  });

  it('is shown > the storage can be read and not written', async () => {
    const id = await held();
    const visit = jest.spyOn(worker.get(InboxVisitsRepository), 'visit');
    visit.mockRejectedValue(new StorageUnavailableError('DATABASE_URL: the disk is full'));
    expect(await get('/inbox')).toContain(id);
    visit.mockRestore();
  });

  it('has less than 25 kB compressed > visitors sent random Chinese characters', async () => {
    const text = (length: number) => {
      const letters = fc.array(fc.integer({ min: 0x4e00, max: 0x9c1f }), { minLength: length, maxLength: length });
      return fc.noBias(letters).map((codes) => String.fromCodePoint(...codes));
    };
    const hostile = fc.record({ fullName: text(100), position: text(100), coverLetter: text(3_000) });
    const { fields } = newApplication(BYTES);
    await eachSeed(1, async (seed) => {
      for (const own of fc.sample(hostile, { seed, numRuns: 50 }))
        await storeApplication(stack, BYTES, { quarantined: true, fields: { ...fields, ...own } });
      for (const list of ['/inbox', '/inbox?state=waiting&select=all'])
        expect(gzipSync(await get(list), { level: 1 }).length).toBeLessThan(25_000);
    });
  });

  it('comes as CSV of what is shown, with reasons, role and date', async () => {
    const [id, other] = [await held({ service: OTHER_SERVICE }), await held()];
    const address = /href="(\/inbox\/export\.csv[^"]*)"/.exec(
      await get(`/inbox?topic=${encodeURIComponent(OTHER_SERVICE)}`),
    )?.[1];
    const { text, headers } = await client.call(address?.replaceAll('&#38;', '&') ?? '', { user: 'sam' });
    expect([text.includes(id), text.includes(other)]).toEqual([true, false]);
    expect(text).toContain('many links');
    const day = new Date().toISOString().slice(0, 10);
    expect(headers['content-disposition']).toBe(`attachment; filename=inbox-sales-${day}.csv`);
  });
});

describe('inbox > export', () => {
  it.each(['q=website', 'state=quarantined'])('has each once, in pages of any size > %s', async (query) => {
    const ids: string[] = [];
    for (let count = 7; count > 0; count--) {
      const id = await held();
      await age(stack.database, id, count);
      ids.push(id);
    }
    await heldApplication();
    const logged = jest.spyOn(Logger.prototype, 'log');
    const size = jest.replaceProperty(worker.get(Database), 'pageRows', 1);
    // Several pages, one and a row, one, and less than one.
    for (const pageRows of [3, 6, 7, 8]) {
      size.replaceValue(pageRows);
      logged.mockClear();
      const text = await get(`/inbox/export.csv?${query}`, 'sam');
      const exported = [...text.matchAll(/^(KW-[\w-]+),/gm)].map(([, id]) => id);
      expect([pageRows, exported]).toEqual([pageRows, ids.toReversed()]);
      const lines = logged.mock.calls.map(([line]) => line as { event?: string; references: string[] });
      const audited = lines.filter(({ event }) => event === 'exported').map(({ references }) => references);
      expect([pageRows, audited.flat()]).toEqual([pageRows, exported]);
      expect(Math.max(...audited.map(({ length }) => length))).toBe(Math.min(pageRows, 7));
    }
  });
});

/** Returns what a page says about colleagues. */
const says = (text: string, ...parts: readonly string[]) => parts.map((part) => text.includes(part));

describe('inbox > taking', () => {
  it('shows who has it in row and page, until it is given back', async () => {
    const id = await held();
    expect(says(await get(`/inbox/${id}`), submission.take, submission.giveBack, submission.takeOver)).toEqual([
      true,
      false,
      false,
    ]);
    const back = '/inbox?q=ada';
    const { headers } = await post(`/inbox/${id}/take`, { back }, 'sam');
    expect(headers['location']).toBe(`/inbox/${id}?back=%2Finbox%3Fq%3Dada`);
    expect(await get('/inbox')).toContain(list.taken({ name: '<b>sam</b>' }));
    const since = (who: string) => upToTime(submission.takenSince({ who: `<b>${who}</b>`, time: '<time' }));
    const parts = [
      since(submission.takenByYou),
      submission.giveBack,
      since(submission.taken({ name: 'sam' })),
      submission.takeOver,
    ];
    expect(says(await get(`/inbox/${id}`, 'sam'), ...parts)).toEqual([true, true, false, false]);
    expect(says(await get(`/inbox/${id}`), ...parts)).toEqual([false, false, true, true]);
    // A second click, and a click on a page that shows the user as the holder already.
    for (const from of ['', 'bo']) await post(`/inbox/${id}/take`, { from }, 'sam');
    await post(`/inbox/${id}/take`, { as: 'free' }, 'sam');
    expect(await get('/inbox')).not.toContain(list.taken({ name: '<b>sam</b>' }));
    expect(await eventsOf(id)).toEqual([
      ['taken', 'sam', undefined],
      ['given back', 'sam', undefined],
    ]);
  });

  it('has an answer that is quiet while a colleague has it, or it is held back', async () => {
    const id = await held();
    const isQuiet = async (user: string) => /"button button-quiet" href="mailto:/.test(await get(`/inbox/${id}`, user));
    expect(await isQuiet('sam')).toBe(true);
    await setColumns(stack.database, id, { state: 'delivered' });
    expect(await isQuiet('sam')).toBe(false);
    await post(`/inbox/${id}/take`, {}, 'sam');
    expect([await isQuiet('sam'), await isQuiet('bo')]).toEqual([false, true]);
  });

  it('leads who comes second to the user who has it, and asks before it is taken over', async () => {
    const id = await held({ name: 'Ada Visitor' });
    const both = await Promise.all(['ada', 'bo'].map((user) => post(`/inbox/${id}/take`, {}, user)));
    const [winner, other] = (await stack.submissions.find(id))?.takenBy === 'ada' ? ['ada', 'bo'] : ['bo', 'ada'];
    const places = both.map(({ headers }) => headers['location']);
    expect(places.toSorted()).toEqual([`/inbox/${id}`, `/inbox/${id}/take`]);
    const asked = await get(`/inbox/${id}/take`, other);
    expect(titleOf(asked)).toBe(takeOver.title({ name: winner }));
    expect(says(asked, 'Ada Visitor', takeOver.no({ name: winner }), `value="${winner}"`)).toEqual([true, true, true]);
    // Nothing is asked of the user who has it.
    const own = await client.call(`/inbox/${id}/take`, { user: winner ?? '' });
    expect([own.status, own.headers['location']]).toEqual([303, `/inbox/${id}`]);
    const over = await post(`/inbox/${id}/take`, { from: winner ?? '' }, other);
    expect(over.headers['location']).toBe(`/inbox/${id}`);
    expect(await eventsOf(id)).toEqual([winner, other].map((by) => ['taken', by, undefined]));
  });

  it('is not offered > it is done', async () => {
    const id = await held();
    await post(`/inbox/${id}/take`, {}, 'sam');
    await post(`/inbox/${id}/mark`, { as: 'done' });
    expect(says(await get(`/inbox/${id}`), submission.taken({ name: 'sam' }), submission.take)).toEqual([false, false]);
    const { headers } = await post(`/inbox/${id}/take`, { from: 'sam' });
    expect(headers['location']).toBe(`/inbox/${id}/take`);
    expect((await client.call(`/inbox/${id}/take`, { user: 'ada' })).headers['location']).toBe(`/inbox/${id}`);
    expect((await stack.submissions.find(id))?.takenBy).toBeNull();
  });
});

describe('inbox > labels', () => {
  const fields = (ticked: readonly string[], had: readonly string[] = []) =>
    new URLSearchParams([
      ...ticked.map((label): [string, string] => ['label', label]),
      ...had.map((label): [string, string] => ['had', label]),
    ]);
  const boxes = (text: string) =>
    [...text.matchAll(/name="label" value="([^"]*)"( checked)?/g)].map(([, label, checked]) => [
      label,
      Boolean(checked),
    ]);

  it('are ticked and cleared by the form, and keep those of a colleague', async () => {
    const id = await heldApplication();
    const first = await get(`/inbox/${id}`);
    expect(boxes(first)).toEqual([
      ['invited', false],
      ['on hold', false],
    ]);
    await post(`/inbox/${id}/label`, fields(['invited']), 'hana');
    // This page does not show the label of hana.
    await post(`/inbox/${id}/label`, fields(['on hold']));
    expect(boxes(await get(`/inbox/${id}`))).toEqual([
      ['invited', true],
      ['on hold', true],
    ]);
    const row = await get('/inbox');
    expect(row).toMatch(/>invited<\/bdi><bdi[^>]*>on hold<\/bdi>/);
    await post(`/inbox/${id}/label`, fields(['on hold'], ['invited', 'on hold']));
    expect((await stack.submissions.find(id))?.labels).toBe('\non hold\n');
    expect(await eventsOf(id)).toEqual([
      ['labelled', 'hana', undefined],
      ['labelled', 'ada', undefined],
      ['label removed', 'ada', undefined],
    ]);
  });

  it('that have left the settings stay, and can only be removed', async () => {
    const id = await heldApplication();
    await setColumns(stack.database, id, { labels: '\nformer\n' });
    expect(boxes(await get(`/inbox/${id}`))).toEqual([
      ['invited', false],
      ['on hold', false],
      ['former', true],
    ]);
    await post(`/inbox/${id}/label`, fields(['invited', 'former'], ['former']));
    expect((await stack.submissions.find(id))?.labels).toBe('\nformer\ninvited\n');
    await post(`/inbox/${id}/label`, fields(['invited'], ['former', 'invited']));
    const { status } = await post(`/inbox/${id}/label`, fields(['former', 'on hold']));
    expect([status, (await stack.submissions.find(id))?.labels]).toEqual([400, '\ninvited\n']);
  });

  it('are in the CSV with taker and reminder, and in no log', async () => {
    const logged = jest.spyOn(Logger.prototype, 'log');
    const id = await heldApplication();
    await post(`/inbox/${id}/label`, fields(['invited', 'on hold']), 'hana');
    await post(`/inbox/${id}/take`, {}, 'hana');
    await post(`/inbox/${id}/remind`, { on: dayIn(3) }, 'hana');
    const csv = await get('/inbox/export.csv');
    expect(csv).toContain(`hana,"invited, on hold",${dayIn(3)}T00:00:00.000Z`);
    expect(JSON.stringify(logged.mock.calls)).not.toMatch(/invited|on hold/);
    logged.mockRestore();
  });
});

const DAY_MS = 86_400_000;
const dayIn = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

describe('inbox > reminder', () => {
  const remindAtOf = async (id: string) => (await stack.submissions.find(id))?.remindAt;

  it('is a notice from its day on, and a line before', async () => {
    const id = await held();
    const isNotice = async () =>
      /class="[^"]* notice [^"]*" method="post" action="[^"]*\/remind"/.test(await get(`/inbox/${id}`));
    await post(`/inbox/${id}/remind`, { on: dayIn(2), seen: '' });
    expect(await isNotice()).toBe(false);
    await setColumns(stack.database, id, { remindAt: Date.now() - 1 });
    expect(await isNotice()).toBe(true);
  });

  it('is set for the start of a day, shown in row and page, moved and removed', async () => {
    const id = await held();
    await post(`/inbox/${id}/remind`, { on: dayIn(2), seen: '' });
    const at = Date.parse(dayIn(2));
    expect(await remindAtOf(id)).toBe(at);
    for (const text of [await get('/inbox'), await get(`/inbox/${id}`)])
      expect(text).toContain(`<time datetime="${dayIn(2)}">`);
    expect(await get(`/inbox/${id}`)).toContain(submission.reminderInDigest);
    // A page from before the first reminder.
    expect((await post(`/inbox/${id}/remind`, { on: dayIn(5), seen: '' })).status).toBe(409);
    await post(`/inbox/${id}/remind`, { on: dayIn(5), seen: String(at) }, 'sam');
    // A second click.
    expect((await post(`/inbox/${id}/remind`, { on: dayIn(5), seen: String(at) }, 'sam')).status).toBe(303);
    expect(await remindAtOf(id)).toBe(Date.parse(dayIn(5)));
    for (let click = 0; click < 2; click++)
      expect((await post(`/inbox/${id}/remind`, { seen: String(Date.parse(dayIn(5))) })).status).toBe(303);
    expect(await get(`/inbox/${id}`)).not.toContain(submission.removeReminder);
    expect((await eventsOf(id)).map(([event, by]) => [event, by])).toEqual([
      ['reminder', 'ada'],
      ['reminder', 'sam'],
      ['reminder', 'ada'],
    ]);
  });

  it('is possible from today to the day of deletion, which a later one is told', async () => {
    const [quarantined, delivered, spam] = [await held(), await held(), await held()];
    await setColumns(stack.database, delivered, { state: 'delivered' });
    await post(`/inbox/${spam}/mark`, { as: 'spam' });
    const cases: [string, number][] = [
      [quarantined, 90],
      [delivered, 30],
      [spam, 30],
    ];
    for (const [id, days] of cases) {
      const tooLate = submission.reminderTooLate({ day: dayText(dayIn(days)), noun: contact.words.noun });
      expect(await get(`/inbox/${id}`)).toContain(`min="${dayIn(0)}" max="${dayIn(days)}"`);
      for (const on of [dayIn(-1), dayIn(days + 1), '2026-02-30', 'tomorrow', '']) {
        const { status, text } = await post(`/inbox/${id}/remind`, { on });
        expect([on, status, await remindAtOf(id)]).toEqual([on, 422, null]);
        const isTooLate = on === dayIn(days + 1);
        expect(says(text, tooLate, submission.reminderPast)).toEqual([isTooLate, !isTooLate]);
      }
      for (const on of [dayIn(0), dayIn(days)]) {
        await post(`/inbox/${id}/remind`, { on, seen: String((await remindAtOf(id)) ?? '') });
        expect(await remindAtOf(id)).toBe(Date.parse(on));
      }
    }
    // A release brings the day of deletion forward.
    await setColumns(stack.database, quarantined, { state: 'delivered' });
    expect(await get(`/inbox/${quarantined}`)).toContain(
      submission.deletedBefore({ noun: contact.words.noun, day: dayText(dayIn(30)) }),
    );
  });

  it('begins with the day of the time zone', async () => {
    const id = await held();
    // Three hours to the west of UTC, so that the day begins at 03:00 UTC.
    const zone = jest.replaceProperty(stack.settings, 'TIME_ZONE', 'America/Sao_Paulo');
    const [, first = ''] = /min="([\d-]+)"/.exec(await get(`/inbox/${id}`)) ?? [];
    expect(first).toBe(new Date(Date.now() - 3 * 3_600_000).toISOString().slice(0, 10));
    await post(`/inbox/${id}/remind`, { on: first });
    expect(await remindAtOf(id)).toBe(Date.parse(`${first}T03:00:00Z`));
    expect(await get(`/inbox/${id}`)).toContain(`<time datetime="${first}">`);
    zone.restore();
  });

  it('is only in the list > there is no digest', async () => {
    const id = await held();
    const digestAt = jest.replaceProperty(stack.settings, 'DIGEST_AT', '');
    expect(await get(`/inbox/${id}`)).toContain(submission.reminderInList);
    digestAt.restore();
  });
});

describe('inbox > marking', () => {
  it('marks all that a list and its decisions can show, and no more', async () => {
    const ids = await Promise.all(Array.from({ length: PAGE_ROWS + DECISIONS + 1 }, () => held()));
    const { headers } = await post('/inbox/mark', ticked('done', ids));
    const at = /marked=(\d+)/.exec(String(headers['location']))?.[1] ?? '';
    expect(await statusesOf(ids)).toEqual([...Array(ids.length - 1).fill('done'), 'quarantined']);
    await post('/inbox/undo', { at });
    expect(new Set(await statusesOf(ids))).toEqual(new Set(['quarantined']));
  });

  it('takes many out of the list at once, and is undone on the page that follows', async () => {
    const ids = [await held(), await held(), await held()];
    const back = '/inbox?state=waiting';
    const { status, headers } = await post('/inbox/mark', ticked('spam', ids.slice(1), back));
    expect([status, headers['location']]).toEqual([303, expect.stringMatching(/^\/inbox\?state=waiting&marked=\d+$/)]);
    const after = await get(String(headers['location']));
    expect(after).toContain(list.marked({ count: 2, status: inSentence('spam') }));
    expect(titleOf(after)).toBe(list.found({ filter: list.decision, count: 1 }));
    expect(titleOf(await get('/inbox'))).toBe(list.open({ count: 1 }));
    const at = /name="at" value="(\d+)"/.exec(after)?.[1] ?? '';
    // Another user undoes nothing by the same form.
    await post('/inbox/undo', { at, back }, 'bo');
    expect(await statusesOf(ids)).toEqual(['quarantined', 'spam', 'spam']);
    expect((await post('/inbox/undo', { at, back })).headers['location']).toBe(back);
    expect(await statusesOf(ids)).toEqual(['quarantined', 'quarantined', 'quarantined']);
    expect(await eventsOf(ids[1] ?? '')).toEqual([
      ['spam', 'ada', undefined],
      ['reopened', 'ada', undefined],
    ]);
  });

  it('ticks all check boxes of a page by a link', async () => {
    await held();
    await held();
    const boxes = (text: string) => [...text.matchAll(/name="id"[^>]*>/g)].map(([box]) => / checked/.test(box));
    const page = await get('/inbox?state=waiting');
    expect(boxes(page)).toEqual([false, false]);
    const address = /href="([^"]*select=all)"/.exec(page)?.[1]?.replaceAll('&#38;', '&') ?? '';
    expect(boxes(await get(address))).toEqual([true, true]);
  });

  it('changes nothing that the role may not see', async () => {
    const [enquiry, application] = [await held(), await heldApplication()];
    await post('/inbox/mark', ticked('done', [enquiry, application]), 'sam');
    expect(await statusesOf([enquiry, application])).toEqual(['done', 'quarantined']);
    for (const action of ['mark', 'undo', 'note', 'send']) {
      const { status } = await post(`/inbox/${application}/${action}`, { as: 'done', note: 'x' }, 'sam');
      expect([action, status]).toEqual([action, 404]);
    }
    expect(await eventsOf(application)).toEqual([]);
  });

  it('keeps the offer to undo > the user clicks twice', async () => {
    const ids = [await held(), await held()];
    const first = await post('/inbox/mark', ticked('done', ids));
    const second = await post('/inbox/mark', ticked('done', ids));
    expect(second.headers['location']).toBe(first.headers['location']);
    expect(await eventsOf(ids[0] ?? '')).toHaveLength(1);
  });

  it('leads back to no other site', async () => {
    for (const back of ['//evil.example', 'https://evil.example/inbox', '/inbox?x=//e"', '/inboxes', '/inbox\\@e', '/'])
      for (const path of ['/inbox/mark', '/inbox/undo'])
        expect((await post(path, { as: 'done', id: 'KW-0', back })).headers['location']).toMatch(
          /^\/inbox(?:\?marked=none#choice)?$/,
        );
  });

  it('refuses any other mark, and nothing ticked is nothing done', async () => {
    const id = await held();
    expect((await post('/inbox/mark', ticked('read', [id]))).status).toBe(400);
    const { headers } = await post('/inbox/mark', ticked('done', [], '/inbox?q=ada'));
    expect(headers['location']).toBe('/inbox?q=ada&marked=none#choice');
    const page = await get(String(headers['location']));
    expect(page).toMatch(new RegExp(`<p [^>]*role="alert" id="choice" tabindex="-1">${list.chooseFirst}`));
    expect(page).toContain(`<title>${list.nothingChosenTitle({ heading: '' })}`);
    expect(await get('/inbox')).not.toContain('role="alert"');
    expect(await statusesOf([id])).toEqual(['quarantined']);
  });

  it('offers to undo on the page of the submission, whoever marked it', async () => {
    const id = await storeEnquiry(stack);
    await stack.delivered(id);
    const back = '/inbox?q=ada';
    const { headers } = await post(`/inbox/${id}/mark`, { as: 'spam', back }, 'bo');
    const page = await get(String(headers['location']));
    expect(page).toContain(upToTime(submission.marked({ status: inSentence('spam'), name: 'bo', time: '<time' })));
    expect(page).toContain(`href="/inbox?q=ada&#38;from=${id}" data-key="u">${frame.back}</a>`);
    await post(`/inbox/${id}/undo`, { back });
    expect(await statusesOf([id])).toEqual(['delivered']);
  });
});

describe('inbox > marking a whole filter', () => {
  /** The fields of the form on the page that asks. */
  const fieldsOf = (page: string) =>
    new URLSearchParams(
      [...page.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, name = '', value = '']): [string, string] => [
        name,
        value,
      ]),
    );

  const linkTo = (page: string, label: string) =>
    new RegExp(`href="(/inbox/mark-all[^"]*)">${label}<`).exec(page)?.[1]?.replaceAll('&#38;', '&') ?? '';

  it('marks what was there when it was asked, and undoes it > pages of any size', async () => {
    const ids = await Promise.all(Array.from({ length: PAGE_ROWS + 3 }, () => held()));
    const application = await heldApplication();
    const delivered = await storeEnquiry(stack);
    await stack.delivered(delivered);
    expect(linkTo(await get('/inbox?state=quarantined', 'sam'), list.asSpam)).toBe('');
    const asked = linkTo(await get('/inbox?state=quarantined&select=all', 'sam'), list.asSpam);
    const size = jest.replaceProperty(worker.get(Database), 'pageRows', 20);
    for (const pageRows of [20, PAGE_ROWS + 3, 500]) {
      size.replaceValue(pageRows);
      const question = await get(asked, 'sam');
      expect(titleOf(question)).toBe(markAll.title({ count: ids.length, status: inSentence('spam') }));
      expect(await statusesOf(ids.slice(0, 1))).toEqual(['quarantined']);
      const form = fieldsOf(question);
      const late = await held();
      const { status, headers } = await post('/inbox/mark-all', form, 'sam');
      expect([status, headers['location']]).toEqual([
        303,
        expect.stringMatching(/^\/inbox\?state=quarantined&marked=\d+$/),
      ]);
      expect(new Set(await statusesOf(ids))).toEqual(new Set(['spam']));
      expect(await statusesOf([application, delivered, late])).toEqual(['quarantined', 'delivered', 'quarantined']);
      // The second of two clicks leads to the same list.
      expect((await post('/inbox/mark-all', form, 'sam')).headers['location']).toBe(headers['location']);
      const after = await get(String(headers['location']), 'sam');
      expect(after).toContain(list.marked({ count: ids.length, status: inSentence('spam') }));
      await post('/inbox/undo', fieldsOf(/<form class="notice[^]*?<\/form>/.exec(after)?.[0] ?? ''), 'sam');
      expect(new Set(await statusesOf(ids))).toEqual(new Set(['quarantined']));
      await stack.submissions.erase([late]);
    }
    size.restore();
  });

  it('asks again > the list has changed, or the question is old', async () => {
    const ids = [await held(), await held()];
    const question = fieldsOf(await get('/inbox/mark-all?as=done&state=quarantined'));
    const old = new URLSearchParams(question);
    old.set('at', String(Date.now() - 3_700_000));
    await age(stack.database, ids[0] ?? '', 1_000);
    await post('/inbox/mark', ticked('spam', ids.slice(0, 1)), 'bo');
    const other = await post('/inbox/mark-all', question);
    expect([other.status, titleOf(other.text)]).toEqual([200, markAll.title({ count: 1, status: inSentence('done') })]);
    expect(other.text).toContain(markAll.changed);
    expect((await post('/inbox/mark-all', fieldsOf(other.text))).status).toBe(303);
    expect(await statusesOf(ids)).toEqual(['spam', 'done']);
    await age(stack.database, ids[1] ?? '', 4_000_000);
    await post(`/inbox/${ids[1]}/undo`);
    expect((await post('/inbox/mark-all', old)).status).toBe(200);
    expect(await statusesOf(ids)).toEqual(['spam', 'quarantined']);
  });

  it('marks what the user has taken', async () => {
    const [own, other] = [await held(), await held()];
    await post(`/inbox/${own}/take`);
    await post(`/inbox/${other}/take`, {}, 'bo');
    const question = await get('/inbox/mark-all?as=done&state=mine');
    expect(titleOf(question)).toBe(markAll.title({ count: 1, status: inSentence('done') }));
    await post('/inbox/mark-all', fieldsOf(question));
    expect(await statusesOf([own, other])).toEqual(['done', 'quarantined']);
  });

  it('marks what was delivered before a date', async () => {
    const [old, recent, waiting] = [await storeEnquiry(stack), await storeEnquiry(stack), await held()];
    await stack.delivered(old, recent);
    for (const id of [old, waiting]) await age(stack.database, id, 3 * 86_400_000);
    const form = /<form [^>]*action="\/inbox\/mark-all">[^]*?<\/form>/.exec(await get('/inbox'))?.[0] ?? '';
    expect(form).toContain(list.markBefore({ what: list.everythingDelivered }));
    const query = fieldsOf(form);
    query.set('before', new Date(Date.now() - 86_400_000).toISOString().slice(0, 10));
    const question = await get(`/inbox/mark-all?${query}`);
    expect(titleOf(question)).toBe(markAll.title({ count: 1, status: inSentence('done') }));
    await post('/inbox/mark-all', fieldsOf(question));
    expect(await statusesOf([old, recent, waiting])).toEqual(['done', 'delivered', 'quarantined']);
    for (const before of ['yesterday', '2026-13-01', '2026-1-1', '2026-02-30'])
      expect((await client.call(`/inbox/mark-all?as=done&before=${before}`, { user: 'ada' })).status).toBe(400);
    expect(titleOf(await get('/inbox/mark-all?as=done&state=failed'))).toBe(markAll.nothing);
  });
});

describe('inbox > recent days', () => {
  it('shows what arrived, was delivered and was held back, of the own role', async () => {
    const application = await storeApplication(stack, BYTES);
    const [delivered, spam] = [await storeEnquiry(stack), await held()];
    await stack.delivered(application, delivered);
    await post('/inbox/mark', ticked('spam', [spam]));
    await age(stack.database, await held(), 40 * 86_400_000);
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 61_000);
    const of = async (user: string) =>
      /<figcaption>(.*?)<\/figcaption>/.exec(await get('/inbox', user))?.[1]?.replace(/<[^>]+>/g, '');
    const lastMonth = (received: number, delivered: number, heldBack: number) =>
      list.lastMonth({
        received,
        delivered: list.delivered({ delivered }),
        heldBack: list.heldBack({ heldBack }),
      });
    expect(await of('ada')).toBe(lastMonth(3, 2, 1));
    expect(await of('sam')).toBe(lastMonth(2, 1, 1));
    expect(await get('/inbox?state=all')).not.toContain('<figcaption>');
    clock.mockRestore();
  });
});

describe('inbox > submission', () => {
  /** The end of the line below the title, after the time. */
  const mailboxLine = (mailbox: string) =>
    submission
      .head({ reference: '', time: '<time', zone: zoneText(stack.settings.TIME_ZONE), mailbox })
      .replace(/.*<time/, '');

  it('shows the message first, and no heading without anything below it', async () => {
    const [id, delivered] = [await held({ message: 'First of all' }), await storeEnquiry(stack)];
    await stack.delivered(delivered);
    const page = await get(`/inbox/${id}`);
    expect(/<dd[^>]*>(.*?)<\/dd>/.exec(page)?.[1]).toBe('First of all');
    expect([
      page.includes(`${submission.mail}</h2>`),
      (await get(`/inbox/${delivered}`)).includes(`${submission.mail}</h2>`),
    ]).toEqual([false, true]);
  });

  it('is answered and called as in the mail', async () => {
    const id = await held({ email: 'ada+x@visitor.example', phone: '+351 (0) 912 345 678', service: OTHER_SERVICE });
    const page = await get(`/inbox/${id}`);
    expect(page).toContain(
      `href="mailto:ada%2Bx@visitor.example?subject=${encodeURIComponent(`${fill(contact.words.answer, { topic: OTHER_SERVICE })} (${id})`)}&#38;body=`,
    );
    expect(page).toContain('href="tel:+351912345678"');
    const words = await held({ phone: 'ask for Ada' });
    expect(await get(`/inbox/${words}`)).not.toContain('tel:');
  });

  it('goes to another configured mailbox, as a mail of its own', async () => {
    const id = await storeEnquiry(stack, { service: OTHER_SERVICE });
    await stack.delivered(id);
    expect(await get(`/inbox/${id}`)).toContain(mailboxLine('sap@kitewright.example'));
    const to = stack.settings.SALES_INBOX;
    await post(`/inbox/${id}/mark`, { as: 'done' });
    expect((await post(`/inbox/${id}/send`, { to }, 'sam')).status).toBe(303);
    // The second of two clicks.
    expect((await post(`/inbox/${id}/send`, { to }, 'sam')).status).toBe(303);
    await stack.delivered(id);
    const mails = stack.mail.received.filter(({ text }) => text?.includes(id));
    expect(mails.map((mail) => [mail.to].flat()[0]?.text)).toEqual(['sap@kitewright.example', to]);
    expect(new Set(mails.map(({ messageId }) => messageId)).size).toBe(2);
    expect(await eventsOf(id)).toContainEqual(['sent on', 'sam', to]);
    const page = await get(`/inbox/${id}`);
    expect(page).toContain(history.sentOn({ mailbox: to, by: by('sam') }));
    expect(page).toContain(mailboxLine(to));
    expect(await statusesOf([id])).toEqual(['delivered']);
    // A third mailbox right afterwards is no second click.
    await post(`/inbox/${id}/send`, { to: 'sap@kitewright.example' }, 'sam');
    await stack.delivered(id);
    const sentOn = (await eventsOf(id)).filter(([event]) => event === 'sent on');
    expect(sentOn.map(([, , mailbox]) => mailbox)).toEqual([to, 'sap@kitewright.example']);
  });

  it('tells the other mailbox who has sent it on and why, also in a later mail', async () => {
    const id = await storeEnquiry(stack, { service: OTHER_SERVICE });
    await stack.delivered(id);
    const to = stack.settings.SALES_INBOX;
    expect((await post(`/inbox/${id}/send`, { to, why: 'x'.repeat(501) }, 'sam')).status).toBe(400);
    await post(`/inbox/${id}/send`, { to, why: ' She asked\r\nfor <b>Jo\u0000. ' }, 'sam');
    await stack.delivered(id);
    await post(`/inbox/${id}/resend`, {}, 'bo');
    await stack.delivered(id);
    const texts = stack.mail.received.flatMap(({ text = '' }) => (text?.includes(id) ? [text] : []));
    const sentence = `${words.mails.submission.sentOnWhy({ name: 'sam', why: 'She asked for <b>Jo.' })}\n`;
    expect(texts.map((text) => text.includes(sentence))).toEqual([false, true, true]);
    expect(await get(`/inbox/${id}`)).toContain(
      history.sentOnWhy({ mailbox: to, by: by('sam'), why: 'She asked for &#60;b&#62;Jo.' }),
    );
    // A reason is no note.
    expect(await get(`/inbox?q=${id}`)).not.toContain('She asked');
  });

  it('goes to another department only after a question', async () => {
    const { SALES_INBOX, HR_INBOX } = stack.settings;
    const back = '/inbox?q=ada';
    const enquiry = await storeEnquiry(stack);
    const application = await storeApplication(stack, BYTES);
    await stack.delivered(enquiry, application);
    for (const [id, to, user] of [
      [enquiry, HR_INBOX, 'sam'],
      [application, SALES_INBOX, 'hana'],
      [application, 'sap@kitewright.example', 'ada'],
    ] as const) {
      const before = await stack.submissions.find(id);
      const ask = async (confirmed?: string) =>
        (
          await post(
            `/inbox/${id}/send`,
            { to, back, why: 'She <b>asked', ...(confirmed !== undefined && { confirmed }) },
            user,
          )
        ).text;
      for (const confirmed of ['', 'yes', 'eve@evil.example']) expect(await ask(confirmed)).toBe(await ask());
      const asked = await ask();
      const [{ noun }, { nouns }, what] =
        id === enquiry
          ? [contact.words, applicationForm.words, handOver.mail]
          : [applicationForm.words, contact.words, handOver.mailWithFile];
      expect(titleOf(asked)).toBe(handOver.title({ noun }));
      expect(asked).toContain(handOver.text({ mailbox: to, nouns, what, noun }));
      expect(asked).toContain(`href="/inbox/${id}?back=%2Finbox%3Fq%3Dada">${handOver.no}`);
      expect(await stack.submissions.find(id)).toEqual(before);
      const fields = [...asked.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(
        ([, name = '', value = '']): [string, string] => [
          name,
          value.replace(/&#(\d+);/g, (_entity, code: string) => String.fromCharCode(Number(code))),
        ],
      );
      const form = new URLSearchParams(fields);
      expect((await post(`/inbox/${id}/send`, form, user)).headers['location']).toBe(
        `/inbox/${id}?back=%2Finbox%3Fq%3Dada`,
      );
      // The second of two clicks.
      expect((await post(`/inbox/${id}/send`, form, user)).status).toBe(303);
      await stack.delivered(id);
      expect((await eventsOf(id)).filter(([event, , mailbox]) => event === 'sent on' && mailbox === to)).toEqual([
        ['sent on', user, to],
      ]);
    }
    expect(await get(`/inbox/${enquiry}`, 'hana')).toContain(
      history.sentOnWhy({ mailbox: HR_INBOX, by: by('sam'), why: 'She &#60;b&#62;asked' }),
    );
  });

  it('leaves the inbox of the role that sends it back', async () => {
    const { SALES_INBOX, HR_INBOX } = stack.settings;
    const id = await storeEnquiry(stack);
    await stack.delivered(id);
    await setColumns(stack.database, id, { recipient: HR_INBOX });
    // The second click gets the page of the first.
    for (const click of [1, 2]) {
      const { status, text } = await post(`/inbox/${id}/send`, { to: SALES_INBOX }, 'hana');
      const sentence = submission.sent({ mailbox: SALES_INBOX });
      expect([click, status, titleOf(text)]).toEqual([click, 200, sentence]);
    }
    expect((await eventsOf(id)).filter(([event]) => event === 'sent on')).toHaveLength(1);
    expect((await post(`/inbox/${id}/send`, { to: HR_INBOX }, 'hana')).status).toBe(404);
    expect((await client.call(`/inbox/${id}`, { user: 'hana' })).status).toBe(404);
  });

  it('offers mailboxes without a preset, those of its form first', async () => {
    const id = await storeApplication(stack, BYTES);
    await stack.delivered(id);
    const [, select = ''] = /(<select[^>]* id="to"[^]*?)<\/select>/.exec(await get(`/inbox/${id}`)) ?? [];
    expect(select).toMatch(
      new RegExp(`^<select[^>]* required>\n<option value="">${submission.chooseMailbox}</option>`),
    );
    expect(select).not.toContain('selected');
    const groups = [...select.matchAll(/<optgroup label="([^"]*)">([^]*?)<\/optgroup>/g)].map(
      ([, label, options = '']) => [label, [...options.matchAll(/<option>([^<]*)/g)].map(([, one]) => one)],
    );
    expect(groups).toEqual([
      [submission.mailboxesFor({ nouns: contact.words.nouns }), [stack.settings.SALES_INBOX, 'sap@kitewright.example']],
    ]);
  });

  it('goes to no other address', async () => {
    const id = await storeEnquiry(stack);
    await stack.delivered(id);
    for (const to of ['eve@evil.example', '', 'sap@kitewright.example\r\nBcc: e@evil.example'])
      expect((await post(`/inbox/${id}/send`, { to, confirmed: to })).status).toBe(400);
    expect((await post(`/inbox/${await held()}/send`, { to: 'sap@kitewright.example' })).status).toBe(409);
  });

  it('has all notes with user and time, which are text', async () => {
    const id = await held();
    const back = '/inbox?state=waiting';
    // Cells of a spreadsheet are pasted with tabs between them.
    const texts = [`<b>Called</b>\r\n{{name}}\0\ton Monday`, 'é'.repeat(500)];
    for (const [at, note] of texts.entries())
      expect((await post(`/inbox/${id}/note`, { note, back }, at === 0 ? 'sam' : 'ada')).status).toBe(303);
    const page = await get(`/inbox/${id}`);
    const shown = [
      ...page.matchAll(/<bdi>(\w+)<\/bdi><\/b>, <time datetime="[^"]+">[^<]+<\/time><\/p><p[^>]*>(.*?)<\/p>/g),
    ];
    expect(shown.map(([, by, text]) => [by, text])).toEqual([
      ['sam', '&#60;b&#62;Called&#60;/b&#62;<br>{{name}} on Monday'],
      ['ada', 'é'.repeat(500)],
    ]);
    expect(page).toContain(history.note({ by: by('sam') }));
    // The row of the list has the latest note.
    expect(await get('/inbox')).toContain(`<b>${list.note}</b> <bdi>ééé`);
    expect(titleOf(await get('/inbox?q=called+monday'))).toContain(numberFound(1));
    const csv = await get('/inbox/export.csv');
    expect(csv).toMatch(/"[\d-]+T[\d:.]+Z sam: <b>Called<\/b>\n\{\{name\}\} on Monday\n[\d-]+T[\d:.]+Z ada: é+"/);
  });

  it('keeps the text of a note > it is too long, or the history is full', async () => {
    const id = await held();
    const note = `The end of a long note. ${'x'.repeat(500)}`;
    const refused = await post(`/inbox/${id}/note`, { note, back: '/inbox?q=ada' });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain(submission.noteTooLong({ length: 524, max: 500 }));
    expect(refused.text).toContain(`autofocus>${note}</textarea>`);
    expect(refused.text).toContain(`href="/inbox?q=ada&#38;from=${id}" data-key="u">${frame.back}`);
    const line = `${JSON.stringify({ at: new Date(), event: 'note', by: 'bo', text: 'x'.repeat(500) })}\n`;
    await setColumns(stack.database, id, { history: line.repeat(200) });
    const full = await post(`/inbox/${id}/note`, { note: 'One more.' });
    expect([full.status, full.text.includes('autofocus>One more.</textarea>')]).toEqual([422, true]);
    expect(await eventsOf(id)).toHaveLength(200);
    expect((await post(`/inbox/${id}/note`, { note: 'x'.repeat(20_000) })).status).toBe(413);
  });

  it('keeps the text of a note > a colleague has erased the submission, or handed it over', async () => {
    const [erased, sent] = [await held(), await held()];
    await setColumns(stack.database, sent, { recipient: stack.settings.SALES_INBOX });
    await post(`/inbox/${erased}/erase`);
    for (const [id, user] of [
      [erased, 'ada'],
      [sent, 'hana'],
    ] as const) {
      const { status, text } = await post(`/inbox/${id}/note`, { note: 'Called <b>her</b>' }, user);
      expect([status, text.includes(words.inbox.errors.nothing)]).toEqual([404, true]);
      expect(text).toMatch(/<textarea[^>]* readonly[^>]*>Called &#60;b&#62;her&#60;\/b&#62;<\/textarea>/);
      expect((await post(`/inbox/${id}/note`, { note: ' ' }, user)).text).not.toContain('<textarea');
    }
    expect(await eventsOf(sent)).toEqual([]);
  });

  it('takes a note of 500 characters, and the longest draft that a page allows, in any script', async () => {
    const id = await held();
    const max = Number(/<textarea[^>]*maxlength="(\d+)"/.exec(await get(`/inbox/${id}`))?.[1]);
    // The browser counts UTF-16 units.
    for (const [draft, status] of [
      ['字'.repeat(500), 303],
      ['🪁'.repeat(500), 303],
      ['字'.repeat(max), 422],
      ['🪁'.repeat(max / 2), 422],
    ] as const)
      expect([draft.length, (await post(`/inbox/${id}/note`, { note: draft })).status]).toEqual([draft.length, status]);
    expect(await eventsOf(id)).toHaveLength(2);
  });

  it('changes nothing by an empty note or a second click', async () => {
    const id = await held();
    for (const note of ['', ' \r\n ', 'Called.', 'Called.'])
      expect((await post(`/inbox/${id}/note`, { note })).status).toBe(303);
    expect(await eventsOf(id)).toEqual([['note', 'ada', undefined]]);
  });

  it('leads to the others from its address that the role may see', async () => {
    const email = 'Often@visitor.example';
    const id = await held({ email });
    await held({ email: 'often@visitor.example' });
    expect(await get(`/inbox/${id}`)).toContain(submission.others({ count: 1 }));
    const address = /href="(\/inbox\?state=all[^"]*)"/.exec(await get(`/inbox/${id}`))?.[1]?.replaceAll('&amp;', '&');
    expect(titleOf(await get(address ?? ''))).toContain(numberFound(2));
  });

  it('has no empty part > nothing can be done about the mail', async () => {
    const [delivered, waiting] = [await storeEnquiry(stack), await held()];
    await stack.delivered(delivered);
    expect(await get(`/inbox/${delivered}`)).toContain(`>${submission.mail}</h2>`);
    expect(await get(`/inbox/${waiting}`)).not.toContain(`>${submission.mail}</h2>`);
  });

  it('has what the mail server said behind a summary', async () => {
    const id = await storeEnquiry(stack);
    await stack.delivered(id);
    expect(await get(`/inbox/${id}`)).toMatch(
      new RegExp(`${history.accepted}<details[^>]*><summary[^>]*>${submission.serverSaid}</summary><p[^>]*>250 `),
    );
  });
});

describe('inbox > place in the list', () => {
  const ROW_MS = 1_000;

  /** Stores enquiries of different times. @returns their references, the newest first */
  const series = async (count: number, fields = {}) => {
    const ids = await Promise.all(Array.from({ length: count }, () => held(fields)));
    for (const [at, id] of ids.entries()) await age(stack.database, id, (at + 1) * ROW_MS);
    return ids;
  };
  const linksIn = (text: string) =>
    ['prev', 'next'].map((rel) => new RegExp(`href="/inbox/(KW-[\\w-]+)[^"]*" rel="${rel}"`).exec(text)?.[1]);
  const pageOf = (id: string, back: string, user = 'ada') => get(`/inbox/${id}?${new URLSearchParams({ back })}`, user);
  const doneAndNext = async (id: string, back: string, more = {}) => {
    const { headers } = await post(`/inbox/${id}/mark`, { as: 'done and next', back, ...more });
    return String(headers['location']);
  };
  const rowOf = async (id: string, list: string) =>
    (await client.call(`${list}${list.includes('?') ? '&' : '?'}from=${id}`, { user: 'ada' })).headers['location'];

  it.each([
    ['/inbox', undefined],
    ['/inbox?state=waiting', undefined],
    ['/inbox?q=website', undefined],
    [`/inbox?${new URLSearchParams({ topic: SERVICE, state: 'all' })}`, 'spam'],
    ['/inbox?days=7', 'on its way'],
  ])('leads to the newer and the older one of the list > %s', async (back, newest) => {
    const [first = '', second = '', third = ''] = await series(3);
    await heldApplication();
    const others: Record<string, string> = {
      spam: await held({ message: 'website' }),
      'on its way': await storeEnquiry(stack, { service: OTHER_SERVICE, message: 'Another.' }),
    };
    await post(`/inbox/${others['spam']}/mark`, { as: 'spam' });
    const user = 'sam';
    expect(linksIn(await pageOf(second, back, user))).toEqual([first, third]);
    expect(linksIn(await pageOf(third, back, user))).toEqual([second, undefined]);
    expect(linksIn(await pageOf(first, back, user))).toEqual([newest && others[newest], second]);
    expect(await pageOf(second, back, user)).toContain(`href="${pageAddress(first, back)}" rel="prev"`);
  });

  it('closes twelve in twelve presses, then says that nothing is older', async () => {
    const ids = await series(12);
    const back = '/inbox?state=waiting';
    let page = await pageOf(ids[0] ?? '', back);
    for (const id of ids) {
      expect(page.includes(`autofocus>${submission.doneAndNext}`)).toBe(id !== ids[0]);
      page = await get(await doneAndNext(id, back));
    }
    expect(new Set(await statusesOf(ids))).toEqual(new Set(['done']));
    expect(page).toContain(`${list.marked({ count: 1, status: inSentence('done') })} ${list.nothingOlder}`);
  });

  it('offers to undo on the page that follows, and to nobody else', async () => {
    const [first = '', second = ''] = await series(2, { name: 'Closed <One>' });
    const location = await doneAndNext(first, '/inbox');
    expect(location).toBe(`/inbox/${second}?after=${first}`);
    const page = await get(location);
    expect(page).toContain(submission.isDone({ name: '<bdi>Closed &#60;One&#62;</bdi>' }));
    expect(page).toContain(`action="/inbox/${first}/undo"`);
    expect(await get(location, 'bo')).not.toContain(submission.isDone({ name: '' }).trim());
    expect(await get(location, 'hana')).not.toContain('Closed');
    await post(`/inbox/${first}/undo`);
    expect(await get(location)).not.toContain(submission.isDone({ name: '' }).trim());
  });

  it('marks no second one > the key is held, the button clicked twice, the page refreshed', async () => {
    const [first = '', second = '', third = ''] = await series(3);
    const once = await doneAndNext(first, '/inbox');
    expect(await doneAndNext(first, '/inbox')).toBe(once);
    const page = await get(once);
    expect(await get(once)).toContain(submission.isDone({ name: '' }).trim());
    const shown = /name="shown" value="(\d+)"/.exec(page)?.[1] ?? '';
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Number(shown) + 499);
    expect(await doneAndNext(second, '/inbox', { shown, after: first })).toBe(once);
    clock.mockRestore();
    expect(await statusesOf([first, second, third])).toEqual(['done', 'quarantined', 'quarantined']);
    const later = await doneAndNext(second, '/inbox', { shown: Number(shown) - 2_000, after: first });
    expect(later).toBe(`/inbox/${third}?after=${second}`);
  });

  it('leads back to the row, on its page of the list', async () => {
    const ids = await series(PAGE_ROWS + 2, { message: 'Paged words.' });
    const [last = '', before = ''] = ids.toReversed();
    for (const id of ids) await setColumns(stack.database, id, { takenBy: 'ada' });
    const lists = ['state=waiting', 'state=mine', 'q=paged', 'q=paged&state=quarantined&page=1'];
    for (const list of lists.map((query) => `/inbox?${query}`)) {
      const page = await rowOf(before, list);
      const { pathname, searchParams, hash } = new URL(String(page), 'http://inbox');
      expect([list, pathname, searchParams.get('page'), hash]).toEqual([list, '/inbox', '2', `#${before}`]);
      expect(await get(String(page).replace(/#.*/, ''))).toContain(`id="${before}"`);
      const top = ids[0] ?? '';
      expect(await rowOf(top, list)).toBe(`${list.replace('&page=1', '')}#${top}`);
    }
    // Without a filter only the first are in the list.
    expect(await rowOf(ids[DECISIONS - 1] ?? '', '/inbox')).toBe(`/inbox#${ids[DECISIONS - 1]}`);
    expect(await rowOf(ids[DECISIONS] ?? '', '/inbox')).toBe(`/inbox?state=waiting#${ids[DECISIONS]}`);
    // The row that takes its place, of the page that is now its.
    await post(`/inbox/${before}/mark`, { as: 'done' });
    expect(await rowOf(before, '/inbox?q=paged')).toBe(`/inbox?q=paged&page=2#${last}`);
    await post(`/inbox/${last}/mark`, { as: 'done' });
    expect(await rowOf(last, '/inbox?q=paged')).toMatch(/#KW-/);
    expect((await client.call(`/inbox?from=${ids[0]}`, { user: 'hana' })).status).toBe(200);
  });

  it('leads to the others of the same position that the role may see', async () => {
    const { fields } = newApplication(BYTES);
    const store = (position: string) =>
      storeApplication(stack, BYTES, { quarantined: true, fields: { ...fields, position } });
    const [id, , other] = [
      await store('Android Developer'),
      await store('android developer'),
      await store('Pilot 100%'),
    ];
    await store('Pilot');
    const { noun, topic } = applicationForm.words;
    const label = submission.ofTopic({ count: 1, nouns: noun, topic: topic ?? '' });
    const [, end = ''] = label.split(noun);
    const linkOf = (text: string) =>
      [...text.matchAll(/href="([^"]*)">([^<]*)</g)].find(([, , label]) => label?.endsWith(end))?.slice(1);
    expect(linkOf(await get(`/inbox/${id}`, 'hana'))).toEqual([expect.stringContaining('state=all'), label]);
    expect(linkOf(await get(`/inbox/${other}`, 'hana'))).toBeUndefined();
    await setColumns(stack.database, id, { recipient: stack.settings.SALES_INBOX });
    expect(linkOf(await get(`/inbox/${id}`, 'sam'))).toBeUndefined();
  });
});
