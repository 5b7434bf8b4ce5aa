import { describe, expect, it, jest } from '@jest/globals';
import { contactSubmission } from '../../test/submissions.ts';
import { until } from '../../test/until.ts';
import { StorageUnavailableError } from '../database/storage-unavailable.error.ts';
import { HealthService } from '../observability/health.service.ts';
import type { NotificationsRepository } from '../submissions/notifications.repository.ts';
import type { SubmissionsRepository } from '../submissions/submissions.repository.ts';
import type { Acknowledgement } from './acknowledgement.service.ts';
import { NotificationsService } from './notifications.service.ts';
import type { Webhook } from './webhook.service.ts';

/** A service with two due posts: the row of the first cannot be read, and the second is being sent until `answer`. */
function twoPosts() {
  let answer = () => {};
  const answered = new Promise<void>((resolve) => (answer = resolve));
  const seen = { acquired: 0, sending: 0, settled: [] as string[] };
  const notifications = {
    acquire: async () => {
      seen.acquired += 1;
      return ['first', 'second'].map((submissionId) => ({ submissionId, kind: 'webhook', attempts: 0 }));
    },
    settle: async ({ submissionId }: { submissionId: string }) => void seen.settled.push(submissionId),
  };
  const submissions = {
    find: async (id: string) => {
      if (id === 'first') throw new StorageUnavailableError('DATABASE_URL: SQLITE_BUSY');
      return contactSubmission();
    },
  };
  const webhook = {
    kind: 'webhook',
    isReady: true,
    inParallel: 2,
    afterMail: [],
    send: async () => {
      seen.sending += 1;
      await answered;
      return { state: 'delivered' };
    },
  };
  const health = new HealthService();
  const service = new NotificationsService(
    notifications as unknown as NotificationsRepository,
    submissions as unknown as SubmissionsRepository,
    { kind: 'acknowledgement', isReady: false, forget: async () => undefined } as unknown as Acknowledgement,
    webhook as unknown as Webhook,
    health,
  );
  return { service, health, seen, answer: () => answer() };
}

/** Resolves after all that can happen without an answer has happened. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 20));

describe('NotificationsService > a round of which one notification fails', () => {
  it('a shutdown waits for the others', async () => {
    const { service, seen, answer } = twoPosts();
    void service.postToWebhook();
    await until('the post', () => seen.sending === 1);
    await settled();
    service.onModuleDestroy();
    let isOver = false;
    const shutdown = service.beforeApplicationShutdown().then(() => (isOver = true));
    await settled();
    expect([isOver, seen.settled]).toEqual([false, []]);
    answer();
    await shutdown;
    expect(seen.settled).toEqual(['second']);
  });

  it('ends when all have ended, so that no more are sent at a time', async () => {
    const { service, seen, answer } = twoPosts();
    let isOver = false;
    const round = service.postToWebhook().then(() => (isOver = true));
    await until('the post', () => seen.sending === 1);
    await settled();
    expect(isOver).toBe(false);
    answer();
    await round;
    expect(seen).toEqual({ acquired: 1, sending: 1, settled: ['second'] });
  });
});

it('NotificationsService > clean-up of addresses > does not hide a stalled loop', async () => {
  const { service, health } = twoPosts();
  jest.useFakeTimers({ now: Date.now() + 30 * 60_000 });
  try {
    expect(health.stalledTasks).toContain('acknowledgement');
    await service.forgetAddresses();
    expect(health.stalledTasks).toContain('acknowledgement');
  } finally {
    jest.useRealTimers();
  }
});
