import { expect, jest } from '@jest/globals';
import { FORM_KINDS } from '../contract/forms.ts';
import { describeEachEngine } from '../../test/each-engine.ts';
import { newEnquiry, setColumns, storeEnquiry } from '../../test/submissions.ts';
import { SubmissionsRepository } from '../submissions/submissions.repository.ts';
import { SubmissionSearchRepository } from '../submissions/submission-search.repository.ts';
import { pageOf, searchOf } from './search.ts';

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
    for (const query of [{}, { q: 'ada' }, { topic: 'Web Development' }])
      // Several pages, one and a row, one, and less than one.
      for (const pageRows of [3, 6, 7, 8]) {
        const open = (page: number) =>
          pageOf(lists, searchOf({ forms: FORM_KINDS }, { ...query, page: `${page}` }), pageRows);
        const { pages, foundCount } = await open(1);
        expect([query, pageRows, pages, foundCount]).toEqual([query, pageRows, Math.ceil(7 / pageRows), 7]);
        const read: string[] = [];
        for (let page = 1; page <= pages; page++) read.push(...(await open(page)).found.map(({ id }) => id));
        expect([query, pageRows, read]).toEqual([query, pageRows, ids]);
        const beyond = await open(pages + 1);
        expect([beyond.search.page, beyond.found.at(-1)?.id]).toEqual([pages, ids.at(-1)]);
      }
  });

  engine.it('shows what is done or spam > nothing open has the text', async () => {
    const database = await engine.open();
    const submissions = new SubmissionsRepository(database);
    const lists = new SubmissionSearchRepository(database);
    for (const handled of ['done', 'spam', 'done'])
      await setColumns(database, await storeEnquiry({ submissions }, { name: 'Rui' }), { handled, handledAt: 1 });
    const open = async (query: object) => {
      const {
        search,
        foundCount,
        found,
        isWidened = false,
      } = await pageOf(lists, searchOf({ forms: FORM_KINDS }, { ...query }), 2);
      return [search.view, foundCount, found.length, isWidened];
    };
    expect(await open({ q: 'rui' })).toEqual(['all', 3, 2, true]);
    expect(await open({ q: 'rui', page: '2' })).toEqual(['all', 3, 1, true]);
    expect(await open({ q: 'nobody' })).toEqual(['open', 0, 0, false]);
    expect(await open({ q: 'rui', state: 'waiting' })).toEqual(['waiting', 0, 0, false]);
    expect(await open({ q: 'rui', state: 'all' })).toEqual(['all', 3, 2, false]);
    expect(await open({ topic: 'Web Development' })).toEqual(['open', 0, 0, false]);
    await storeEnquiry({ submissions }, { name: 'Rui' });
    expect(await open({ q: 'rui' })).toEqual(['open', 1, 1, false]);
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
    const searching = pageOf(lists, searchOf({ forms: FORM_KINDS }, { q: 'nobody has this name' })).finally(() => {
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
