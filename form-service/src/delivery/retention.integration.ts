import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { Registry } from 'prom-client';
import { acceptApplication, contactSubmission } from '../../test/submissions.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { openStore } from '../storage/open-store.ts';
import type { SubmissionStore } from '../storage/submission-store.ts';
import type { Submission, SubmissionState } from '../storage/submission.ts';
import { DeliveryMetrics } from './delivery-metrics.ts';
import { Retention } from './retention.ts';
import { Sweeper } from './sweeper.ts';

const DAY_MS = 86_400_000;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let store: SubmissionStore;
let registry: Registry;
let retention: Retention;

beforeEach(async () => {
  Logger.overrideLogger(false);
  folder = await temporaryFolder();
  store = await openStore({ STORAGE_URL: `file:${folder.path}`, INSTANCE: 'test' });
  registry = new Registry();
  const metrics = new DeliveryMetrics(registry);
  retention = new Retention({ RETENTION_DAYS: 30 }, store, new Sweeper(metrics), metrics);
});

afterEach(async () => {
  await store.close();
  await folder.remove();
});

async function settle(submission: Submission, state: SubmissionState, daysAgo: number): Promise<string> {
  const at = new Date(Date.now() - daysAgo * DAY_MS).toISOString();
  await store.update({ ...submission, delivery: { attempts: 0, deliveredAt: at, failedAt: at } }, 'pending', state);
  return submission.id;
}

async function enquiry(): Promise<Submission> {
  const submission = contactSubmission();
  await store.accept(submission, 'pending');
  return submission;
}

const stateOf = async (id: string) => (await store.find(id))?.state;

describe('retention', () => {
  it('deletes record and file when their time is over, and nothing else', async () => {
    const old = await settle(await acceptApplication(store, randomBytes(1_000)), 'delivered', 31);
    const young = await settle(await enquiry(), 'delivered', 29);
    const failed = await settle(await enquiry(), 'failed', 400);
    await retention.run(new AbortController().signal);
    expect(await stateOf(old)).toBeUndefined();
    await expect(store.openResume(old)).rejects.toThrow();
    expect(await stateOf(young)).toBe('delivered');
    expect(await stateOf(failed)).toBe('failed');
    expect(await registry.metrics()).toContain('kitewright_submissions_deleted_by_retention_total 1');
  });

  it('ends at once when the worker ends', async () => {
    const old = await settle(await enquiry(), 'delivered', 31);
    await retention.run(AbortSignal.abort());
    expect(await stateOf(old)).toBe('delivered');
  });
});
