import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { fieldsOf, InboxStack, says, titleOf } from '../../test/inbox-stack.ts';
import { OTHER_SERVICE } from '../../test/services.ts';
import { age } from '../../test/submissions.ts';
import { words } from '../../test/words.ts';
import { application as applicationForm } from '../contract/forms/application.ts';
import { contact } from '../contract/forms/contact.ts';
import { Database } from '../database/database.ts';
import { StorageUnavailableError } from '../database/storage-unavailable.error.ts';
import { HandlingRepository } from '../submissions/handling.repository.ts';
import { STATUS_LABELS } from '../submissions/labels.ts';
import { DECISIONS, PAGE_ROWS } from './search.ts';

const { errors, list, submission } = words.inbox;
/** Number of submissions in the title of a list. */
const numberFound = (count: number) => list.found({ filter: '', count });

let inbox: InboxStack;
let stack: InboxStack['stack'];

beforeAll(async () => {
  inbox = await InboxStack.start({ sam: 'sales', hana: 'hr', ada: 'all', bo: 'all' });
  ({ stack } = inbox);
});

afterAll(() => stack.close());
beforeEach(() => inbox.clear());

/** The fields of a list's form with these check boxes ticked. */
const ticked = (as: string, ids: readonly string[], back = '/inbox') =>
  new URLSearchParams([['as', as], ['back', back], ...ids.map((id): [string, string] => ['id', id])]);

/** Address of the link with this relation, or with this text. */
const linkOf = (text: string, link: string) =>
  new RegExp(`href="([^"]*)"(?: rel="${link}"|[^>]*>${link}<)`).exec(text)?.[1]?.replaceAll('&#38;', '&');

describe('inbox > list', () => {
  it('is filtered by status, service or position, period and text, with the number found', async () => {
    const sap = await inbox.held({ service: OTHER_SERVICE });
    const [old, application] = [await inbox.held(), await inbox.heldApplication()];
    await age(stack.database, old, 8 * 86_400_000);
    for (const [query, expected] of [
      ['state=waiting', [sap, old, application]],
      ['state=done', []],
      [`topic=${encodeURIComponent(OTHER_SERVICE)}`, [sap]],
      ['topic=nothing+known', [sap, old, application]],
      ['days=7', [sap, application]],
      ['days=30', [sap, old, application]],
      ['q=android+ada', [application]],
      ['q=website&days=7&state=waiting', [sap]],
      ['q=website&state=spam', []],
    ] as const) {
      const text = await inbox.get(`/inbox?${query}`);
      expect([query, [sap, old, application].filter((id) => text.includes(`/inbox/${id}`))]).toEqual([query, expected]);
      if (!query.startsWith('topic=nothing')) expect(titleOf(text)).toContain(numberFound(expected.length));
      expect(text).toContain(`<title>${titleOf(text)} | `);
      expect(says(text, list.download, list.nothingFits)).toEqual([expected.length > 0, expected.length === 0]);
    }
    for (const [user, { words: form }] of [['sam', contact] as const, ['hana', applicationForm] as const])
      expect(await inbox.get('/inbox', user)).toContain(` name="topic" aria-label="${form.topic}"`);
  });

  it('has tabs that keep the search, with counts > nothing else is chosen', async () => {
    const [done, taken] = [await inbox.held({ name: 'José Ångström' }), await inbox.held()];
    await inbox.press(done, 'mark', { as: 'done' });
    await inbox.press(taken, 'take');
    await inbox.delivered();
    const tabsOf = (text: string) =>
      Array.from(
        text.matchAll(/<a [^>]*href="([^"]*)"( aria-current="page")?>([^<]*?)(?: <span[^>]*>(\d+)<\/span>)?<\/a>\n/g),
      )
        .filter(([, address = '']) => /^\/inbox(?:\?|$)/.test(address))
        .map(([, , current, label, count]) => [label, count, current !== undefined]);
    expect(tabsOf(await inbox.get('/inbox')).slice(0, 6)).toEqual([
      [list.openOnes, '2', true],
      [list.mine, '1', false],
      [list.decision, '1', false],
      [STATUS_LABELS.done, undefined, false],
      [STATUS_LABELS.spam, undefined, false],
      [list.all, undefined, false],
    ]);
    const open = await inbox.get('/inbox?q=jose+ang');
    expect(tabsOf(open)[0]).toEqual([list.openOnes, undefined, true]);
    expect(linkOf(open, list.all)).toBe('/inbox?q=jose+ang&state=all');
    expect(await inbox.get('/inbox?q=jose+ang&state=all')).toContain(`/inbox/${done}`);
    expect(linkOf(open, list.clear)).toBe('/inbox');
  });

  it('marks what arrived since the visit before, which a pause of half an hour ends', async () => {
    const visits = inbox.worker.get(HandlingRepository);
    const [id, late] = [await inbox.held(), await inbox.held()];
    await age(stack.database, id, 3_600_000);
    const isNew = (text: string) =>
      [id, late].map((one) => new RegExp(`${list.new}</b><a [^>]*href="/inbox/${one}"`).test(text));
    await visits.visit('sam', Date.now() - 1_800_001);
    // The visit goes on, so the end of the one before stays.
    for (let times = 1; times <= 2; times++) expect(isNew(await inbox.get('/inbox', 'sam'))).toEqual([false, true]);
    // The first visit of all.
    expect(isNew(await inbox.get('/inbox', 'bo'))).toEqual([false, false]);
    const newSince: number[] = [];
    for (const minute of [0, 31, 60, 91]) newSince.push(await visits.visit('pat', minute * 60_000));
    expect(newSince).toEqual([0, 0, 0, 60 * 60_000]);
  });

  it('shows five of those that need a decision, each once, with a link to all', async () => {
    const ids = await inbox.series(DECISIONS + 1);
    const text = await inbox.get('/inbox', 'sam');
    const shown = ids.map((id) => text.split(`href="/inbox/${id}"`).length - 1);
    expect(shown).toEqual([...Array(DECISIONS).fill(1), 0]);
    const all = await inbox.get(linkOf(text, list.allOf({ count: ids.length })) ?? '');
    for (const id of ids) expect(all).toContain(`/inbox/${id}?back=`);
    expect(all).toContain(list.found({ filter: list.decision, count: ids.length }));
  });
});

describe('inbox > marking', () => {
  it('marks all that a list and its decisions can show, and no more', async () => {
    const ids = await Promise.all(Array.from({ length: PAGE_ROWS + DECISIONS + 1 }, () => inbox.held()));
    const { headers } = await inbox.post('/inbox/mark', ticked('done', ids));
    const at = /marked=(\d+)/.exec(String(headers['location']))?.[1] ?? '';
    expect(await inbox.statusesOf(...ids)).toEqual([...Array(ids.length - 1).fill('done'), 'quarantined']);
    await inbox.post('/inbox/undo', { at });
    expect(new Set(await inbox.statusesOf(...ids))).toEqual(new Set(['quarantined']));
  });

  it('takes many out of the list, which offers to undo it to the user alone', async () => {
    const ids = [await inbox.held(), await inbox.held(), await inbox.held()];
    const back = '/inbox?state=waiting';
    const { status, headers } = await inbox.post('/inbox/mark', ticked('spam', ids.slice(1), back));
    expect([status, headers['location']]).toEqual([303, expect.stringMatching(/^\/inbox\?state=waiting&marked=\d+$/)]);
    const after = await inbox.get(String(headers['location']));
    expect(after).toContain(list.marked.spam({ count: 2 }));
    expect(titleOf(after)).toBe(list.found({ filter: list.decision, count: 1 }));
    const at = /name="at" value="(\d+)"/.exec(after)?.[1] ?? '';
    await inbox.post('/inbox/undo', { at, back }, 'bo');
    expect(await inbox.statusesOf(...ids)).toEqual(['quarantined', 'spam', 'spam']);
    expect((await inbox.post('/inbox/undo', { at, back })).headers['location']).toBe(back);
    expect(await inbox.statusesOf(...ids)).toEqual(Array(3).fill('quarantined'));
  });

  it('is done once, and keeps the offer to undo > the user presses twice', async () => {
    const ids = [await inbox.held(), await inbox.held()];
    const first = await inbox.post('/inbox/mark', ticked('done', ids));
    const second = await inbox.post('/inbox/mark', ticked('done', ids));
    expect(second.headers['location']).toBe(first.headers['location']);
    expect(await inbox.eventsOf(ids[0] ?? '')).toHaveLength(1);
    expect((await inbox.post('/inbox/mark', ticked('done', ids), 'bo')).headers['location']).toBe('/inbox');
  });

  it('leads back to no other site', async () => {
    for (const back of ['//evil.example', 'https://evil.example/inbox', '/inbox?x=//e"', '/inboxes', '/inbox\\@e', '/'])
      for (const path of ['/inbox/mark', '/inbox/undo']) {
        const body = { as: 'done', id: 'KW-AAAA-AAAA-AAAA-AAAA', back };
        expect((await inbox.post(path, body)).headers['location']).toBe('/inbox');
      }
  });
});

describe('inbox > going through a list', () => {
  const back = '/inbox?state=waiting';
  const pageIn = (id: string) => `/inbox/${id}?${new URLSearchParams({ back })}`;
  const noticeOf = (text: string) => fieldsOf(/<form class="notice[^]*?<\/form>/.exec(text)?.[0] ?? '');

  it('shows up to twelve rows around a submission, with the newer and the older one', async () => {
    const ids = await inbox.series(20);
    for (const [at, first] of [
      [0, 0],
      [9, 3],
      [19, 8],
    ] as const) {
      const page = await inbox.get(pageIn(ids[at] ?? ''));
      const [, rows = ''] = new RegExp(`aria-label="${submission.neighbours}">([^]*?)</nav>`).exec(page) ?? [];
      const shown = Array.from(rows.matchAll(/href="\/inbox\/([\w-]+)[^"]*"( aria-current="page")?/g), ([, id, is]) => [
        id,
        is !== undefined,
      ]);
      expect(shown).toEqual(ids.slice(first, first + 12).map((id) => [id, id === ids[at]]));
      const ends = ['prev', 'next'].map((rel) => linkOf(page, rel));
      expect(ends).toEqual([ids[at - 1], ids[at + 1]].map((id) => id && pageIn(id)));
    }
  });

  it('leads to the next one, then to the list, which offer to undo > a submission is marked', async () => {
    const [first = '', second = ''] = await inbox.series(2);
    const marked = await inbox.press(first, 'mark', { as: 'done', back });
    expect(marked.headers['location']).toMatch(new RegExp(`^/inbox/${second}\\?back=[^&]*&marked=\\d+$`));
    const next = await inbox.get(String(marked.headers['location']));
    expect(says(next, list.marked.done({ count: 1 }), `>${submission.doneAndNext}<`)).toEqual([true, false]);
    const { headers } = await inbox.press(second, 'mark', { as: 'done', back });
    expect(headers['location']).toMatch(/^\/inbox\?state=waiting&marked=\d+$/);
    for (const page of [next, await inbox.get(String(headers['location']))])
      await inbox.post('/inbox/undo', noticeOf(page));
    expect(await inbox.statusesOf(first, second)).toEqual(['quarantined', 'quarantined']);
  });
});

describe('inbox > storage', () => {
  it('is answered by pages with status 503 and Retry-After > it is unavailable', async () => {
    const id = await inbox.heldApplication();
    const away = jest.spyOn(inbox.worker.get(Database), 'run');
    away.mockRejectedValue(new StorageUnavailableError('DATABASE_URL: ECONNREFUSED'));
    for (const path of ['/inbox', `/inbox/${id}`, `/inbox/${id}/resume`]) {
      const { status, headers, text } = await inbox.call(path);
      expect([status, headers['retry-after']]).toEqual([503, '30']);
      expect(headers['content-type']).toContain('text/html');
      expect(says(text, errors.unavailable, 'ECONNREFUSED')).toEqual([true, false]);
    }
    expect((await inbox.post(`/inbox/${id}/release`, { version: '0' })).status).toBe(503);
    away.mockRestore();
    expect(await stack.stateOf(id)).toBe('quarantined');
  });
});
