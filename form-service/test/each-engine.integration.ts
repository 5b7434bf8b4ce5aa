import { expect } from '@jest/globals';
import { describeEachEngine } from './each-engine.ts';
import { storeEnquiry } from './submissions.ts';
import { SubmissionsRepository } from '../src/submissions/submissions.repository.ts';

/** Page size and number of rows that each test finds. */
const found: [pageRows: number, rows: number][] = [];

describeEachEngine('test on %s', ({ it, open }) => {
  it.each([1, 2])('finds neither rows nor smaller pages of an earlier one > %i', async () => {
    const database = await open();
    const { length } = await database.run((db) => db.selectFrom('submissions').select('id').execute());
    found.push([database.pageRows, length]);
    expect(found.at(-1)).toEqual([found[0]?.[0], 0]);
    database.pageRows = 3;
    await storeEnquiry({ submissions: new SubmissionsRepository(database) });
  });
});
