import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { register } from 'prom-client';
import { DeliveryStack } from '../../test/delivery-stack.ts';
import { age, storeEnquiry } from '../../test/submissions.ts';
import { until } from '../../test/until.ts';
import { StorageUnavailableError } from '../database/storage-unavailable.error.ts';
import { SubmissionsRepository } from '../submissions/submissions.repository.ts';
import { DeliveryProcessor } from './delivery.processor.ts';
import { DeliveryQueue } from './delivery.queue.ts';
import { Monitor } from '../health/monitor.service.ts';

let stack: DeliveryStack;

afterEach(async () => {
  await stack.close();
  register.resetMetrics();
});

const accept = () => storeEnquiry(stack);

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

describe('delivery failures > jobs', () => {
  it('are added again after a failure', async () => {
    stack = await DeliveryStack.start();
    const worker = await stack.startWorker();
    const acquiring = jest.spyOn(worker.get(SubmissionsRepository), 'acquire');
    acquiring.mockRejectedValueOnce(new StorageUnavailableError('DATABASE_URL: SQLITE_BUSY'));
    const id = await accept();
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
  it('raises an alert about a submission that is overdue', async () => {
    stack = await DeliveryStack.start();
    stack.mail.behaviour = { refuse: 'data', code: 451 };
    const worker = await stack.startWorker();
    const id = await accept();
    const alertAfter = async (minutes: number) => {
      await age(stack.database, id, minutes * 60_000);
      await worker.get(Monitor, { strict: false }).check();
      return (await register.metrics()).includes('kitewright_alerts_total{kind="submission-overdue"} 1\n');
    };
    expect([await alertAfter(4.5), await alertAfter(0.6)]).toEqual([false, true]);
    expect(await register.metrics()).toContain('kitewright_submissions_overdue 1\n');
    await until('a failed attempt', async () =>
      (await register.metrics()).includes('kitewright_delivery_attempts_failed_total{kind="refused"} 1\n'),
    );
  });
});
