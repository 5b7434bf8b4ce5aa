import { expect, jest } from '@jest/globals';
import { FORM_KINDS } from '../contract/protocol.ts';
import { describeEachEngine } from '../../test/each-engine.ts';
import { newEnquiry, storeEnquiry } from '../../test/submissions.ts';
import { SubmissionsRepository } from '../submissions/submissions.repository.ts';
import { SubmissionListsRepository } from '../submissions/submission-lists.repository.ts';
import { pageOf, searchOf } from './search.ts';

const ROWS = 15_000;
const STATEMENTS_MIN = 6;

describeEachEngine('inbox > search > %s', (engine) => {
  engine.it('lets the renewal of a lease wait for one statement at most', async () => {
    const database = await engine.open();
    const submissions = new SubmissionsRepository(database);
    const lease = await submissions.acquire(await storeEnquiry({ submissions }));
    await Promise.all(Array.from({ length: ROWS }, () => submissions.insert(newEnquiry())));
    if (!lease) throw new Error('The submission cannot be leased.');

    const statements = jest.spyOn(database, 'run');
    const state = { isSearching: true };
    const searching = pageOf(
      new SubmissionListsRepository(database),
      searchOf({ forms: FORM_KINDS }, { q: 'nobody has this name' }),
    ).finally(() => {
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
    expect(waits.length).toBeGreaterThanOrEqual(STATEMENTS_MIN);
    // PostgreSQL has several connections, so a renewal does not wait at all.
    if (!engine.server) expect(Math.max(...waits)).toBeLessThanOrEqual(1);
  });
});
