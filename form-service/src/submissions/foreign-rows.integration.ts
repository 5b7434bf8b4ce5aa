import { beforeEach, expect } from '@jest/globals';
import { sql } from 'kysely';
import { describeEachEngine } from '../../test/each-engine.ts';
import { storeEnquiry } from '../../test/submissions.ts';
import type { Database } from '../database/database.ts';
import { DigestsRepository } from '../outbox/digests.repository.ts';
import { HandlingRepository } from './handling.repository.ts';
import { NotificationsRepository } from '../outbox/notifications.repository.ts';
import { SubmissionsRepository } from './submissions.repository.ts';

/** Tables with rows of a submission, recipient or user, and the column that names it. */
const OWNERS = {
  submissions: 'id',
  notifications: 'submission_id',
  acknowledgements: 'submission_id',
  erasures: 'id',
  digests: 'recipient',
  inbox_visits: 'name',
};

/** Leases the posts of both rows at once, under the same token. */
async function posts(database: Database, own: string) {
  const notifications = new NotificationsRepository(database);
  const post = (await notifications.acquire('webhook', [], 5)).find(({ submissionId }) => submissionId === own);
  await database.rows(sql`UPDATE notifications SET lease_until = ${Date.now() + 1_000}`);
  if (!post) throw new Error('There is no post.');
  return { notifications, post };
}

/** Prepares both rows, and returns the change of one. Those of staff are tested over HTTP, and by their plans. */
type Prepare = (database: Database, own: string, foreign: string) => Promise<() => Promise<unknown>>;

const CHANGES: Readonly<Record<string, Prepare>> = {
  acquire: async (database, own) => () => new SubmissionsRepository(database).acquire(own),
  erase: async (database, own) => () => new SubmissionsRepository(database).erase([own]),
  async requeuePosts(database, own) {
    await database.rows(sql`UPDATE notifications SET state = 'failed'`);
    return () => new NotificationsRepository(database).requeuePosts(['pending'], [own]);
  },
  async 'renew of a post'(database, own) {
    const { notifications, post } = await posts(database, own);
    return () => notifications.renew(post);
  },
  async 'settle of a post'(database, own) {
    const { notifications, post } = await posts(database, own);
    return () => notifications.settle(post, { state: 'failed', attempts: 1, lastError: 'x' });
  },
  'acquire of a digest': async (database, own) => () => new DigestsRepository(database).acquire(own, 1),
  async 'settle of a digest'(database, own, foreign) {
    const digests = new DigestsRepository(database);
    const [[lease]] = [await digests.acquire(own, 1), await digests.acquire(foreign, 1)];
    if (!lease) throw new Error('There is no lease.');
    return () => digests.settle(lease, { until: 7, attempts: 1, pauseMs: 7 });
  },
  visit: async (database, own) => () => new HandlingRepository(database).visit(own, 9),
};

describeEachEngine('Changes > %s > leave the row of somebody else alone', (engine) => {
  let database: Database;
  let ids: string[];

  beforeEach(async () => {
    database = await engine.open();
    const submissions = new SubmissionsRepository(database);
    const notifications = ['webhook', 'acknowledgement'] as const;
    ids = await Promise.all([1, 2].map(() => storeEnquiry({ submissions }, {}, { notifications })));
    for (const id of ids) {
      await database.rows(sql`INSERT INTO acknowledgements (mailbox, submission_id, sent_at) VALUES (${id}, ${id}, 1)`);
      await database.rows(sql`INSERT INTO digests (recipient, until) VALUES (${id}, 1)`);
      await database.rows(sql`INSERT INTO inbox_visits (name, new_since, last_at) VALUES (${id}, 1, 1)`);
    }
  });

  const rowsOf = (id: string) =>
    Promise.all(
      Object.entries(OWNERS).map(([table, column]) =>
        database.rows(sql`SELECT * FROM ${sql.table(table)} WHERE ${sql.ref(column)} = ${id} ORDER BY 1, 2`),
      ),
    );

  engine.it.each(Object.entries(CHANGES))('%s', async (_name, prepare) => {
    const [own = '', foreign = ''] = ids;
    const change = await prepare(database, own, foreign);
    const [before, foreignBefore] = [await rowsOf(own), await rowsOf(foreign)];
    await change();
    expect(await rowsOf(foreign)).toEqual(foreignBefore);
    expect(await rowsOf(own)).not.toEqual(before);
  });
});
