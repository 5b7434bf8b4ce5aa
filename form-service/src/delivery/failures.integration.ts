import { randomBytes } from 'node:crypto';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Queue } from 'bullmq';
import { register } from 'prom-client';
import { DeliveryStack } from '../../test/delivery-stack.ts';
import { age, setColumns, storeApplication, storeEnquiry, randomSubmissionId } from '../../test/submissions.ts';
import { until } from '../../test/until.ts';
import { HealthService } from '../health/health.service.ts';
import { StorageUnavailableError } from '../database/storage-unavailable.error.ts';
import { WAITS_MS } from '../outbox/leases.ts';
import { SubmissionsRepository } from '../submissions/submissions.repository.ts';
import { FileStorage } from '../files/file-storage.ts';
import { KEY_PREFIX } from '../redis/redis-client.ts';
import { DeliveryProcessor } from './delivery.processor.ts';
import { DELIVERY_QUEUE, DeliveryQueue } from './delivery.queue.ts';
import { Monitor } from '../health/monitor.service.ts';

let stack: DeliveryStack;

afterEach(async () => {
  await stack.close();
  register.resetMetrics();
});

const accept = () => storeEnquiry(stack);

async function withQueue<T>(work: (queue: Queue) => Promise<T>): Promise<T> {
  const queue = new Queue(DELIVERY_QUEUE, {
    connection: { url: stack.redis.url },
    prefix: KEY_PREFIX,
  });
  try {
    return await work(queue);
  } finally {
    await queue.close();
  }
}

describe('delivery failures > unavailable database', () => {
  it('causes no second mail > it cannot store the result', async () => {
    stack = await DeliveryStack.start();
    const worker = await stack.startWorker();
    const ending = jest.spyOn(worker.get(SubmissionsRepository), 'endLease');
    for (let i = 0; i < 3; i++) ending.mockRejectedValueOnce(new StorageUnavailableError('DATABASE_URL: SQLITE_FULL'));
    await stack.delivered(await accept());
    expect(stack.mail.received).toHaveLength(1);
    expect(ending).toHaveBeenCalledTimes(4);
  });
});

describe('delivery failures > lease', () => {});

describe('delivery failures > jobs', () => {
  it('are added again after a failure', async () => {
    stack = await DeliveryStack.start();
    const id = await accept();
    await withQueue(async (queue) => {
      // A job with our id that is not a delivery job fails permanently.
      await queue.add('deliver', { id: 'KW-none-of-ours' }, { jobId: id, removeOnFail: true });
    });
    await stack.startWorker();
    await stack.delivered(id);
    expect(stack.mail.received).toHaveLength(1);
  });

  it('send nothing > for a delivered or unknown submission', async () => {
    stack = await DeliveryStack.start();
    await stack.startWorker();
    const id = await accept();
    await stack.delivered(id);
    const ghost = randomSubmissionId();
    await withQueue(async (queue) => {
      for (const one of [id, ghost]) {
        await until('the first job to be over', async () => (await queue.getJob(one)) === undefined);
        await queue.add('deliver', { id: one }, { jobId: one, removeOnComplete: true });
        await until('the second job to be over', async () => (await queue.getJob(one)) === undefined);
      }
    });
    expect(stack.mail.received).toHaveLength(1);
  });
});

describe('delivery failures > unavailable file storage', () => {
  it('counts no attempt, and the application is sent once it is back', async () => {
    stack = await DeliveryStack.start();
    const worker = await stack.startWorker();
    const files = worker.get(FileStorage, { strict: false });
    const opened = jest
      .spyOn(files, 'open')
      .mockRejectedValue(new StorageUnavailableError('RESUMES_URL: ECONNREFUSED'));
    const id = await storeApplication(stack, randomBytes(1_000));
    const found = await until('a failed attempt', async () => {
      const one = await stack.submissions.find(id);
      return one?.lastError ? one : undefined;
    });
    expect(found).toMatchObject({ state: 'pending', attempts: 0, lastError: 'RESUMES_URL: ECONNREFUSED' });
    expect(found.nextAttemptAt).toBeGreaterThan(Date.now());
    opened.mockRestore();
    // Ends the pause.
    await stack.database.run((db) => db.updateTable('submissions').set({ nextAttemptAt: 0 }).execute());
    await stack.delivered(id);
    expect(stack.mail.received).toHaveLength(1);
  });
});

describe('delivery > back pressure', () => {
  it.each([
    [1, 4],
    [2, 0],
  ])('with %i waiting jobs, a limit of four adds %i of five due submissions', async (wait, expected) => {
    stack = await DeliveryStack.start();
    const worker = await stack.startWorker();
    const processor = worker.get(DeliveryProcessor, { strict: false });
    const queue = worker.get(DeliveryQueue, { strict: false });
    processor.dueMax = 4;
    jest.spyOn(queue, 'counts').mockResolvedValue({ wait });
    const added = jest.spyOn(queue, 'addAll').mockResolvedValue();
    for (let count = 0; count < 5; count++) await accept();
    added.mockClear();
    await processor.addDue();
    expect(added.mock.calls.at(-1)?.[0] ?? []).toHaveLength(expected);
  });
});

describe('delivery failures > monitor', () => {
  it('raises alerts about an overdue submission and a failed one', async () => {
    stack = await DeliveryStack.start();
    stack.mail.behaviour = { refuse: 'data', code: 451 };
    const worker = await stack.startWorker();
    const id = await accept();
    const metrics = () => register.metrics();
    await age(stack.database, id, 4.5 * 60_000);
    await worker.get(Monitor, { strict: false }).check();
    expect(await metrics()).not.toContain('kitewright_alerts_total{kind="submission-overdue"} 1');
    await age(stack.database, id, 0.6 * 60_000);
    await worker.get(Monitor, { strict: false }).check();
    expect(await metrics()).toContain('kitewright_alerts_total{kind="submission-overdue"} 1');
    expect(await metrics()).toContain('kitewright_submissions_overdue 1\n');
    await until('the health check to report it', async () => {
      const { deliveries } = (await worker.get(HealthService).report()).checks;
      return deliveries?.status === 'degraded' && deliveries.cause === '1 overdue';
    });
    await until('a failed attempt in the database', async () =>
      (await metrics()).includes('kitewright_delivery_attempts_failed_total{kind="refused"} 1\n'),
    );
    await setColumns(stack.database, id, { attempts: WAITS_MS.length, nextAttemptAt: 0 });
    await until('failed', async () => (await stack.stateOf(id)) === 'failed');
    await until('the alert', async () =>
      (await metrics()).includes('kitewright_alerts_total{kind="submission-failed"} 1\n'),
    );
    await until('the health check to report it', async () => {
      const { deliveries } = (await worker.get(HealthService).report()).checks;
      return deliveries?.status === 'degraded' && deliveries.cause === '1 failed';
    });
  });
});
