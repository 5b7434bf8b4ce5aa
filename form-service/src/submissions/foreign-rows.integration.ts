import { beforeEach, expect } from '@jest/globals';
import { describeEachEngine } from '../../test/each-engine.ts';
import { storeEnquiry } from '../../test/submissions.ts';
import type { Database } from '../database/database.ts';
import { DigestsRepository } from '../outbox/digests.repository.ts';
import { HandlingRepository } from './handling.repository.ts';
import { NotificationsRepository } from '../outbox/notifications.repository.ts';
import { SubmissionsRepository } from './submissions.repository.ts';

/** A change of one submission, recipient or user. */
type Change = readonly [name: string, change: (database: Database, own: string) => Promise<unknown>];

/** Leases the posts of both rows at once, under the same token. */
async function posts(database: Database, own: string) {
  const notifications = new NotificationsRepository(database);
  const post = (await notifications.acquire('webhook', [], 5)).find(({ submissionId }) => submissionId === own);
  await database.run((db) =>
    db
      .updateTable('notifications')
      .set({ leaseUntil: Date.now() + 1_000 })
      .execute(),
  );
  if (!post) throw new Error('There is no post.');
  return { notifications, post };
}

/** Each change, after `prepare`, which may touch both rows. Those of staff are tested over HTTP, and by their plans. */
const CHANGES: readonly (readonly [...Change, prepare?: Change[1]])[] = [
  ['acquire', (database, own) => new SubmissionsRepository(database).acquire(own)],
  ['erase', (database, own) => new SubmissionsRepository(database).erase([own])],
  [
    'requeuePosts',
    (database, own) => new NotificationsRepository(database).requeuePosts(['pending'], [own]),
    (database) => database.run((db) => db.updateTable('notifications').set({ state: 'failed' }).execute()),
  ],
  ['acquire of a digest', (database, own) => new DigestsRepository(database).acquire(own, 1)],
  ['visit', (database, own) => new HandlingRepository(database).visit(own, 9)],
];

describeEachEngine('Changes > %s > leave the row of somebody else alone', (engine) => {
  let database: Database;
  let own: string;
  let foreign: string;

  beforeEach(async () => {
    database = await engine.open();
    const submissions = new SubmissionsRepository(database);
    const notifications = ['webhook', 'acknowledgement'] as const;
    [own, foreign] = [
      await storeEnquiry({ submissions }, {}, { notifications }),
      await storeEnquiry({ submissions }, {}, { notifications }),
    ];
    for (const id of [own, foreign])
      await database.run(async (db) => {
        await db.insertInto('acknowledgements').values({ mailbox: id, submissionId: id, sentAt: 1 }).execute();
        await db.insertInto('digests').values({ recipient: id, until: 1 }).execute();
        await db.insertInto('inboxVisits').values({ name: id, newSince: 1, lastAt: 1 }).execute();
      });
  });

  /** Reads all rows that belong to one submission, recipient or user. */
  const rowsOf = (id: string) =>
    database.run(async (db) => [
      await db.selectFrom('submissions').selectAll().where('id', '=', id).execute(),
      await db.selectFrom('notifications').selectAll().where('submissionId', '=', id).orderBy('kind').execute(),
      await db.selectFrom('acknowledgements').selectAll().where('submissionId', '=', id).execute(),
      await db.selectFrom('erasures').selectAll().where('id', '=', id).execute(),
      await db.selectFrom('digests').selectAll().where('recipient', '=', id).execute(),
      await db.selectFrom('inboxVisits').selectAll().where('name', '=', id).execute(),
    ]);

  async function changesOwnOnly(change: () => Promise<unknown>): Promise<void> {
    const [before, foreignBefore] = [await rowsOf(own), await rowsOf(foreign)];
    await change();
    expect(await rowsOf(foreign)).toEqual(foreignBefore);
    expect(await rowsOf(own)).not.toEqual(before);
  }

  engine.it.each(CHANGES)('%s', async (_name, ...[change, prepare]) => {
    await prepare?.(database, own);
    await changesOwnOnly(() => change(database, own));
  });

  engine.it.each(['renew', 'settle'] as const)('%s of a post > both have the same lease token', async (method) => {
    const { notifications, post } = await posts(database, own);
    await changesOwnOnly(() => notifications[method](post, { state: 'failed', attempts: 1, lastError: 'x' }));
  });

  engine.it('settle of a digest', async () => {
    const digests = new DigestsRepository(database);
    const [[lease]] = [await digests.acquire(own, 1), await digests.acquire(foreign, 1)];
    if (!lease) throw new Error('There is no lease.');
    await changesOwnOnly(() => digests.settle(lease, { until: 7, attempts: 1, pauseMs: 7 }));
  });
});
