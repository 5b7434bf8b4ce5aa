import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Queue } from 'bullmq';
import { Registry } from 'prom-client';
import { DeliveryStack } from '../../test/delivery-stack.ts';
import { MailServer } from '../../test/mail-server.ts';
import { contactSubmission } from '../../test/submissions.ts';
import { until } from '../../test/until.ts';
import { Readiness } from '../health/readiness.ts';
import { StorageUnavailableError, SubmissionStore } from '../storage/submission-store.ts';
import { randomSubmissionId } from '../storage/submission-id.ts';
import { DELIVERY_QUEUE, deliveryJobOptions } from './delivery-job.ts';
import { DeliveryMonitor } from './delivery-monitor.ts';

let stack: DeliveryStack;

afterEach(() => stack.close());

const delivered = (id: string) => until(`${id} delivered`, async () => (await stack.stateOf(id)) === 'delivered');

async function accept(rest: Parameters<typeof contactSubmission>[1] = {}): Promise<string> {
  const submission = contactSubmission({}, rest);
  await stack.store.accept(submission, 'pending');
  return submission.id;
}

async function withQueue<T>(work: (queue: Queue) => Promise<T>): Promise<T> {
  const queue = new Queue(DELIVERY_QUEUE, { connection: { url: stack.redis.url } });
  try {
    return await work(queue);
  } finally {
    await queue.close();
  }
}

describe('trouble with the store', () => {
  it('after the mail is out is waited for, and the mail is not sent again', async () => {
    stack = await DeliveryStack.start();
    const worker = await stack.startWorker();
    const update = jest.spyOn(worker.get(SubmissionStore), 'update');
    for (let i = 0; i < 3; i++) update.mockRejectedValueOnce(new StorageUnavailableError('storage: ENOSPC'));
    await delivered(await accept());
    expect(stack.mail.received).toHaveLength(1);
    expect(update).toHaveBeenCalledTimes(4);
  });

  it('in one record stops none of the others', async () => {
    stack = await DeliveryStack.start();
    const folder = stack.settings.STORAGE_URL.slice('file:'.length);
    for (const content of ['', '{"version":1', 'null', '{"version":1,"id":"KW"}']) {
      await writeFile(join(folder, 'pending', `${randomSubmissionId()}.json`), content);
    }
    await stack.startWorker();
    await delivered(await accept());
  });
});

describe('trouble with jobs', () => {
  it('that ended wrongly is overcome by new ones', async () => {
    stack = await DeliveryStack.start();
    const id = await accept();
    await withQueue(async (queue) => {
      // A job under our id that is not ours fails for good and stands in the way.
      await queue.add('deliver', { id: 'KW-none-of-ours' }, deliveryJobOptions(id));
    });
    await stack.startWorker();
    await delivered(id);
    expect(stack.mail.received).toHaveLength(1);
  });

  it('for what is delivered, or does not exist, sends nothing', async () => {
    stack = await DeliveryStack.start();
    await stack.startWorker();
    const id = await accept();
    await delivered(id);
    const ghost = randomSubmissionId();
    await withQueue(async (queue) => {
      for (const one of [id, ghost]) {
        await until('the first job to be over', async () => (await queue.getJob(one)) === undefined);
        await queue.add('deliver', { id: one }, deliveryJobOptions(one));
        await until('the second job to be over', async () => (await queue.getJob(one)) === undefined);
      }
    });
    expect(stack.mail.received).toHaveLength(1);
  });
});

describe('trouble with our own account', () => {
  it('is no submission’s fault: it stays pending and the mail server counts as away', async () => {
    stack = await DeliveryStack.start();
    stack.mail.mood = { refuse: 'sender', code: 530 };
    const worker = await stack.startWorker();
    const id = await accept();
    await until('the refusal on record', async () => (await stack.store.find(id))?.submission.delivery.lastError?.includes('SMTP 530'));
    await until('the account to be missed', async () => (await worker.get(Readiness).report()).checks['mail server']?.status === 'down');
    expect(await stack.stateOf(id)).toBe('pending');
    expect(stack.mail.attempts).toBe(1);
  });
});

describe('the monitor', () => {
  it('tells of a submission that is pending for too long and of one that failed', async () => {
    stack = await DeliveryStack.start();
    stack.mail.mood = { refuse: 'data', code: 451 };
    const worker = await stack.startWorker();
    const id = await accept({ receivedAt: new Date(Date.now() - 6 * 60_000).toISOString() });
    await worker.get(DeliveryMonitor, { strict: false }).look();
    const metrics = () => worker.get(Registry).metrics();
    expect(await metrics()).toContain('kitewright_alerts_total{kind="submission-overdue"} 1');
    expect(await metrics()).toContain('kitewright_submissions_overdue 1\n');
    expect((await worker.get(Readiness).report()).checks['deliveries']).toEqual({ status: 'degraded', cause: 'submission overdue' });
    await until('a retry', async () => /kitewright_delivery_retries_total\{kind="temporary"\} [1-9]/.test(await metrics()));

    stack.mail.mood = { refuse: 'data', code: 550 };
    await until('failed', async () => (await stack.stateOf(id)) === 'failed');
    await until('the alert', async () => (await metrics()).includes('kitewright_alerts_total{kind="submission-failed"} 1\n'));
    await worker.get(DeliveryMonitor, { strict: false }).look();
    expect((await worker.get(Readiness).report()).checks['deliveries']).toEqual({ status: 'degraded', cause: '1 failed' });
  });

  it('says that the mail server is away', async () => {
    stack = await DeliveryStack.start({ mail: await MailServer.reserve() });
    const worker = await stack.startWorker();
    await accept();
    const check = async () => (await worker.get(Readiness).report()).checks['mail server'];
    await until('the mail server to be missed', async () => (await check())?.status === 'down');
    const monitor = worker.get(DeliveryMonitor, { strict: false });
    const alerts = async () => /kitewright_alerts_total\{kind="mail-server-away"\} (\d)/.exec(await worker.get(Registry).metrics())?.[1];
    await monitor.look();
    expect(await alerts()).toBe('0');
    await monitor.look(Date.now() + 3 * 60_000);
    expect(await alerts()).toBe('1');
    await stack.mail.start();
    await until('the mail server to be back', async () => (await check())?.status === 'ok');
  });

  it('tells a Redis that hangs from one that answers, though the connection stays', async () => {
    stack = await DeliveryStack.start();
    const worker = await stack.startWorker();
    const check = async () => (await worker.get(Readiness).report()).checks['redis'];
    await until('Redis', async () => (await check())?.status === 'ok');
    stack.redis.signal('SIGSTOP');
    try {
      expect(await check()).toEqual({ status: 'down', cause: 'connected, but does not answer' });
      expect(await worker.get(Registry).metrics()).toContain('kitewright_health_check_ok{check="redis"} 0\n');
    } finally {
      stack.redis.signal('SIGCONT');
    }
    await until('Redis again', async () => (await check())?.status === 'ok');
  });
});
