import { beforeEach, expect } from '@jest/globals';
import { FORM_KINDS } from '../contract/forms.ts';
import { describeEachEngine } from '../../test/each-engine.ts';
import { leaseOf, setColumns, storeEnquiry } from '../../test/submissions.ts';
import type { Database } from '../database/database.ts';
import { DigestsRepository } from '../outbox/digests.repository.ts';
import { InboxVisitsRepository } from '../inbox/inbox-visits.repository.ts';
import { ErasuresRepository } from './erasures.repository.ts';
import { HandlingRepository } from './handling.repository.ts';
import { NotificationsRepository } from '../outbox/notifications.repository.ts';
import { SubmissionsRepository } from './submissions.repository.ts';
import { ACTIONS } from './submission-actions.service.ts';

const SCOPE = { forms: FORM_KINDS };

/** A change of one submission, recipient or user: the columns of both rows before it, and what it does to the own one. */
type Change = readonly [
  name: string,
  before: Readonly<Record<string, unknown>>,
  change: (database: Database, own: string, foreign: string) => Promise<unknown>,
];

/** Leases both rows at once. Leases of a batch have the same token. */
async function leases(database: Database, own: string, foreign: string) {
  const submissions = new SubmissionsRepository(database);
  const [lease] = await Promise.all([own, foreign].map((id) => leaseOf(submissions, id)));
  await database.run((db) =>
    db
      .updateTable('submissions')
      .set({ leaseUntil: Date.now() + 1_000 })
      .execute(),
  );
  if (!lease) throw new Error('There is no lease.');
  return { submissions, lease };
}

/** Leases the posts of both rows at once. */
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

/** Each change, after `prepare`, which may touch both rows. */
const CHANGES: readonly (readonly [...Change, prepare?: Change[2]])[] = [
  ['acquire', {}, (database, own) => new SubmissionsRepository(database).acquire(own)],
  ['record', {}, (database, own) => new SubmissionsRepository(database).record(own, { event: 'downloaded' })],
  [
    'requeue',
    { state: 'failed' },
    (database, own) => new SubmissionsRepository(database).requeue([own], { from: ['failed'], event: 'sent again' }),
  ],
  [
    'mark',
    { state: 'failed' },
    (database, own) =>
      new HandlingRepository(database).mark([own], {
        from: ACTIONS.mark.from,
        scope: SCOPE,
        as: 'done',
        by: 'ada',
        at: 5,
      }),
  ],
  [
    'unmark of one submission',
    { state: 'failed', handled: 'done', handledAt: 5, handledBy: 'ada' },
    (database, own) => new HandlingRepository(database).unmark('ada', { id: own }),
  ],
  [
    "unmark of a user's marks at a time",
    { state: 'failed', handled: 'done', handledAt: 5, handledBy: 'ada' },
    (database) => new HandlingRepository(database).unmark('ada', { at: 5, scope: SCOPE }),
    (database, _own, foreign) => setColumns(database, foreign, { handledBy: 'bo' }),
  ],
  ['addNote', {}, (database, own) => new HandlingRepository(database).addNote(own, 'Called.', 'ada')],
  ['erase', {}, (database, own) => new SubmissionsRepository(database).erase([own])],
  ['fileRemoved', {}, (database, own) => new ErasuresRepository(database).fileRemoved(own)],
  [
    'complete of an erasure',
    {},
    (database, own) => new ErasuresRepository(database).complete([own]),
    (database) => database.run((db) => db.updateTable('erasureCleanUps').set({ fileKey: null }).execute()),
  ],
  [
    'requeuePosts',
    {},
    (database, own) => new NotificationsRepository(database).requeuePosts(['pending'], [own]),
    (database) => database.run((db) => db.updateTable('notifications').set({ state: 'failed' }).execute()),
  ],
  ['acquire of a digest', {}, (database, own) => new DigestsRepository(database).acquire(own, 1)],
  ['begin of a recipient', {}, (database, own) => new DigestsRepository(database).begin(`new-${own}`, 5)],
  ['visit', {}, (database, own) => new InboxVisitsRepository(database).visit(own, 9)],
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
        await db
          .insertInto('erasureCleanUps')
          .values({ id, fileKey: `aa/${id}`, since: 1 })
          .execute();
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
      await db.selectFrom('erasureCleanUps').selectAll().where('id', '=', id).execute(),
      await db
        .selectFrom('digests')
        .selectAll()
        .where('recipient', 'in', [id, `new-${id}`])
        .execute(),
      await db.selectFrom('inboxVisits').selectAll().where('name', '=', id).execute(),
    ]);

  async function changesOwnOnly(change: () => Promise<unknown>): Promise<void> {
    const [before, foreignBefore] = [await rowsOf(own), await rowsOf(foreign)];
    await change();
    expect(await rowsOf(foreign)).toEqual(foreignBefore);
    expect(await rowsOf(own)).not.toEqual(before);
  }

  engine.it.each(CHANGES.map(([name, ...rest]) => [name, rest] as const))('%s', async (_name, [columns, ...steps]) => {
    const [change, prepare] = steps;
    for (const id of [own, foreign]) if (Object.keys(columns).length > 0) await setColumns(database, id, columns);
    await prepare?.(database, own, foreign);
    await changesOwnOnly(() => change(database, own, foreign));
  });

  engine.it.each(['renew', 'endLease'] as const)('%s > both have the same lease token', async (method) => {
    const { submissions, lease } = await leases(database, own, foreign);
    await changesOwnOnly(() => submissions[method](lease));
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
