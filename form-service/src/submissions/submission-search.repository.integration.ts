import { beforeEach, describe, expect } from '@jest/globals';
import { FORM_KINDS, type FormKind } from '../contract/forms.ts';
import { describeEachEngine } from '../../test/each-engine.ts';
import { age, leaseOf, newApplication, setColumns, storeEnquiry } from '../../test/submissions.ts';
import type { Database } from '../database/database.ts';
import { topicKey } from './search-terms.ts';
import { searchTermsOf } from './search-terms.ts';
import { STATUSES, type Selection } from './submission.ts';
import { SubmissionSearchRepository } from './submission-search.repository.ts';
import { SubmissionsRepository } from './submissions.repository.ts';
import { OTHER_SERVICE } from '../../test/services.ts';

/** Number of rows, and sizes of a page with which they fill several pages, one and a row, one, and less than one. */
const ROWS = 7;
const PAGES = [1, 3, ROWS - 1, ROWS, ROWS + 1];

describeEachEngine('SubmissionSearchRepository > %s', (engine) => {
  const { it } = engine;
  let database: Database;
  let submissions: SubmissionsRepository;
  let search: SubmissionSearchRepository;

  beforeEach(async () => {
    database = await engine.open();
    submissions = new SubmissionsRepository(database);
    search = new SubmissionSearchRepository(database);
  });

  const selected = async (selection: Selection) => {
    const ids: string[] = [];
    for await (const { id } of search.select(selection)) ids.push(id);
    return ids;
  };

  /** Stores {@link ROWS} enquiries that came at the same time. @returns their ids, sorted */
  const storeRows = async () => {
    const ids = await Promise.all(Array.from({ length: ROWS }, () => storeEnquiry({ submissions })));
    for (const id of ids) await setColumns(database, id, { receivedAt: 5, stateSince: 5 });
    return ids.toSorted();
  };

  it('select > yields each submission once > pages of any size', async () => {
    const [delivered = '', ...pending] = await storeRows();
    await submissions.endLease(await leaseOf(submissions, delivered), { state: 'delivered', attempts: 1 });
    const states = ['pending', 'delivered'] as const;
    for (const pageRows of PAGES) {
      database.pageRows = pageRows;
      const read = [await selected({ states }), await selected({ states: ['pending'] })];
      expect([pageRows, ...read]).toEqual([pageRows, [...pending, delivered], pending]);
      const own = await selected({ states, email: 'ada@visitor.example' });
      expect([pageRows, own]).toEqual([pageRows, [delivered, ...pending]]);
    }
    await storeEnquiry({ submissions });
    expect(await selected({ states: ['pending'], stateUntil: 5 })).toEqual(pending);
  });

  it('select > finds the submissions of a person > case, accents and domain differ', async () => {
    const sent = ['jose\u0301@m\u00FCller.example', 'jos\u00E9@xn--mller-kva.example', 'JOS\u00C9@M\u00DCLLER.example'];
    await storeEnquiry({ submissions }, { email: 'eve@visitor.example' });
    const ids: string[] = [];
    for (const email of sent) ids.push(await storeEnquiry({ submissions }, { email }));
    for (const email of sent)
      expect((await selected({ states: ['pending'], email })).toSorted()).toEqual(ids.toSorted());
  });

  describe('search', () => {
    const find = async (query: string, topic = '', forms: readonly FormKind[] = FORM_KINDS) => {
      const ids: string[] = [];
      const filter = { forms, statuses: STATUSES, topic: topic === '' ? undefined : topicKey(topic) };
      for await (const { id } of search.positions(filter, searchTermsOf(query))) ids.push(id);
      return ids;
    };

    it('finds every field, and topics whole', async () => {
      const fields = { name: 'Jörg Müßigbrodt', phone: '+49 (0) 151 23 45 67', service: OTHER_SERVICE };
      const enquiry = await storeEnquiry({ submissions }, { ...fields, message: 'Das Wort\r\nΟΔΟΣ, am 23.11.2026.' });
      const application = newApplication(Buffer.alloc(1));
      await submissions.insert(application);
      for (const query of ['mussig', '0151 234567', OTHER_SERVICE, 'οδος das', '23/11/2026', enquiry.toLowerCase()])
        expect([query, await find(query)]).toEqual([query, [enquiry]]);
      for (const query of ['android', 'resume ada.pdf', '2 years'])
        expect([query, await find(query)]).toEqual([query, [application.id]]);
      for (const query of [`android ${OTHER_SERVICE}`, '000000', 'name'])
        expect([query, await find(query)]).toEqual([query, []]);
      expect(await find('', OTHER_SERVICE.toLowerCase())).toEqual([enquiry]);
      expect(await find('', `${OTHER_SERVICE}s`)).toEqual([]);
    });

    it('finds each submission once > parts of any size', async () => {
      const ids = await storeRows();
      for (const searchedRows of PAGES) {
        search.searchedRows = searchedRows;
        expect([searchedRows, await find('ada')]).toEqual([searchedRows, ids.toReversed()]);
      }
    });
  });

  it('backlog > returns the number per state and the age of the oldest pending one', async () => {
    expect(await search.backlog()).toEqual({ pending: 0, failed: 0, quarantined: 0, oldestPendingMs: 0 });
    const [old, failed] = [await storeEnquiry({ submissions }), await storeEnquiry({ submissions })];
    await age(database, old, 600_000);
    await submissions.endLease(await leaseOf(submissions, failed), { state: 'failed', attempts: 1 });
    const counts = await search.backlog();
    expect(counts).toMatchObject({ pending: 1, failed: 1, quarantined: 0 });
    expect(counts.oldestPendingMs).toBeGreaterThanOrEqual(600_000);
    expect(await search.pendingLongerThan(300_000)).toEqual([old]);
  });

  it('pendingLongerThan > returns up to a page', async () => {
    database.pageRows = 3;
    await Promise.all(Array.from({ length: 4 }, () => storeEnquiry({ submissions })));
    await database.run((db) => db.updateTable('submissions').set({ stateSince: 1 }).execute());
    expect(await search.pendingLongerThan(1_000)).toHaveLength(3);
  });
});
