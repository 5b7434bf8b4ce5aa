import { beforeEach, expect } from '@jest/globals';
import { FORM_KINDS } from '../contract/forms.ts';
import { describeEachEngine } from '../../test/each-engine.ts';
import { storeEnquiry } from '../../test/submissions.ts';
import type { Database } from '../database/database.ts';
import { SubmissionsRepository } from '../submissions/submissions.repository.ts';
import { NotificationsRepository } from './notifications.repository.ts';

describeEachEngine('NotificationsRepository > %s', (engine) => {
  const { it } = engine;
  let database: Database;
  let submissions: SubmissionsRepository;
  let notifications: NotificationsRepository;
  let others: NotificationsRepository;

  beforeEach(async () => {
    database = await engine.open();
    submissions = new SubmissionsRepository(database);
    [notifications, others] = [new NotificationsRepository(database), new NotificationsRepository(await engine.open())];
  });

  const store = () => storeEnquiry({ submissions }, {}, { notifications: ['webhook'] });
  const set = (columns: Record<string, number | string>, id?: string) =>
    database.run((db) => {
      const update = db.updateTable('notifications').set(columns as never);
      return (id === undefined ? update : update.where('submissionId', '=', id)).execute();
    });

  it('acquire > leases each notification to one of two workers', async () => {
    const ids = await Promise.all(Array.from({ length: 30 }, store));
    const leased = await Promise.all(
      Array.from({ length: 10 }, (_, at) => [notifications, others][at % 2]?.acquire('webhook', [], 5)),
    );
    const references = leased.flatMap((some = []) => some.map(({ submissionId }) => submissionId));
    expect(new Set(references).size).toBe(references.length);
    const rest = (await notifications.acquire('webhook', [], 50)).map(({ submissionId }) => submissionId);
    expect([...references, ...rest].toSorted()).toEqual(ids.toSorted());
  });

  it('acquire > waits until the mail has ended, and for a release > afterMail', async () => {
    for (const state of ['delivered', 'failed', 'quarantined'] as const) {
      const id = await store();
      const leased = async () =>
        (await notifications.acquire('webhook', FORM_KINDS, 5)).map(({ submissionId }) => submissionId);
      expect([state, await leased()]).toEqual([state, []]);
      const lease = await submissions.acquire(id);
      if (lease) await submissions.endLease(lease, { state, attempts: 1 });
      expect([state, await leased()]).toEqual([state, state === 'quarantined' ? [] : [id]]);
    }
  });

  it('settle > writes nothing > another worker has taken over the lease', async () => {
    const id = await store();
    const [frozen] = await notifications.acquire('webhook', [], 5);
    await set({ leaseUntil: 1 });
    const [next] = await others.acquire('webhook', [], 5);
    if (!frozen || !next) throw new Error('There was no lease.');
    await notifications.settle(frozen, { state: 'failed', attempts: 1, lastError: '500' });
    expect(await notifications.of(id)).toMatchObject([{ state: 'pending', attempts: 0, lastError: null }]);
    await others.settle(next, { state: 'delivered', attempts: 1, lastError: null });
    expect(await notifications.of(id)).toMatchObject([{ state: 'delivered', attempts: 1, leaseToken: null }]);
  });

  it('givenUp > counts all, and returns those of the last hour', async () => {
    const ids: string[] = [];
    const failedSince = async (...hours: number[]) => {
      for (const ago of hours) {
        ids.push(await store());
        await set({ state: 'failed', stateSince: Date.now() - ago * 3_600_000 }, ids.at(-1));
      }
    };
    await failedSince(1.1, 0.9);
    await store();
    // An acknowledgement that failed is no dead letter.
    await database.run((db) =>
      db
        .insertInto('notifications')
        .values({ submissionId: ids[1] ?? '', kind: 'acknowledgement', stateSince: 1 })
        .execute(),
    );
    expect(await notifications.countFailedPosts()).toBe(2);
    expect(await notifications.givenUpWithin(3_600_000)).toEqual([ids[1]]);
    database.pageRows = 2;
    await failedSince(0.1, 0.2);
    expect(await notifications.givenUpWithin(3_600_000)).toEqual(ids.slice(2));
  });
});
