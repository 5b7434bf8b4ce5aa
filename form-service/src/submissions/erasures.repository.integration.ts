import { beforeEach, expect } from '@jest/globals';
import { describeEachEngine } from '../../test/each-engine.ts';
import { leaseOf, storeEnquiry } from '../../test/submissions.ts';
import type { Database } from '../database/database.ts';
import { ErasuresRepository } from './erasures.repository.ts';
import { SubmissionsRepository } from './submissions.repository.ts';

describeEachEngine('ErasuresRepository > %s', (engine) => {
  const { it } = engine;
  let database: Database;
  let submissions: SubmissionsRepository;
  let erasures: ErasuresRepository;

  beforeEach(async () => {
    database = await engine.open();
    submissions = new SubmissionsRepository(database);
    erasures = new ErasuresRepository(database);
  });

  it('erase > writes a tombstone, and skips a leased submission', async () => {
    const [id, leased] = [await storeEnquiry({ submissions }), await storeEnquiry({ submissions })];
    const lease = await leaseOf(submissions, leased);
    expect(await erasures.erase([id, leased])).toEqual([id]);
    expect(await submissions.find(id)).toBeUndefined();
    const tombstones = await database.run((db) => db.selectFrom('erasures').selectAll().execute());
    expect(tombstones).toEqual([{ id, erasedAt: expect.any(Number) }]);
    await submissions.endLease(lease);
    expect(await erasures.erase([leased])).toHaveLength(1);
  });

  it('erase > erases the notifications of a submission', async () => {
    const id = await storeEnquiry({ submissions });
    const notification = { submissionId: id, kind: 'webhook' as const, stateSince: 1 };
    await database.run((db) => db.insertInto('followUps').values(notification).execute());
    await erasures.erase([id]);
    expect(await database.run((db) => db.selectFrom('followUps').selectAll().execute())).toEqual([]);
  });
});
