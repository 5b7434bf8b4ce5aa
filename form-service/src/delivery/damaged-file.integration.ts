import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { afterEach, expect, it, jest } from '@jest/globals';
import { register } from 'prom-client';
import { DeliveryStack } from '../../test/delivery-stack.ts';
import { SilentPeer } from '../../test/silent-peer.ts';
import { overwriteFile, storeApplication } from '../../test/submissions.ts';
import { until } from '../../test/until.ts';
import { StorageUnavailableError } from '../database/storage-unavailable.error.ts';
import { DamagedStoredFileError, FileStorage } from '../files/file-storage.ts';
import { Mailer } from '../mail/mailer.service.ts';
import { VirusScanner } from './virus-scanner.service.ts';

let stack: DeliveryStack;

afterEach(async () => {
  jest.restoreAllMocks();
  await stack.close();
  register.resetMetrics();
});

/** Larger than the chunks in which a file is read. */
const BYTES = randomBytes(300_000);
const DAMAGED = Buffer.concat([BYTES.subarray(1), BYTES.subarray(0, 1)]);

/** Resolves with a submission after its first failed attempt. */
const failedAttempt = (id: string) =>
  until('a failed attempt', async () => {
    const found = await stack.submissions.find(id);
    return found?.lastError ? found : undefined;
  });

it('damaged file > is not sent, and counts as an attempt until it is repaired', async () => {
  stack = await DeliveryStack.start();
  const id = await storeApplication(stack, BYTES);
  await overwriteFile(stack, id, DAMAGED);
  const worker = await stack.startWorker();
  const { attempts, history, lastError, state } = await failedAttempt(id);
  expect({ attempts, lastError, state }).toEqual({
    attempts: 1,
    lastError: 'RESUMES_URL: damaged file',
    state: 'pending',
  });
  expect(history).toContain('"code":"RESUMES_URL: damaged file"');
  expect(stack.mail.received).toEqual([]);
  expect(worker.get(Mailer, { strict: false }).outage).toBeUndefined();
  const failures = (await register.metrics()).match(/^kitewright_delivery_attempts_failed_total.* [1-9].*$/gm);
  expect(failures).toEqual([expect.stringContaining('{kind="unexpected"} ')]);

  await overwriteFile(stack, id, BYTES);
  await stack.deliveredAfterWaits(id);
  expect(stack.mail.received.map(({ attachments }) => attachments[0]?.content.equals(BYTES))).toEqual([true]);
});

it('damaged file > is the fault of the storage, not of the scanner', async () => {
  stack = await DeliveryStack.start();
  const id = await storeApplication(stack, BYTES);
  const resume = (await stack.submissions.find(id))?.resume;
  if (!resume) throw new Error('There is no résumé.');
  await overwriteFile(stack, id, DAMAGED);
  // A daemon that has no end of the file sends no verdict.
  const daemon = await SilentPeer.start();
  const scanner = new VirusScanner({ CLAMD_URL: `tcp://${daemon.address}` });
  await expect(scanner.scan(await stack.files.open(resume))).rejects.toThrow(DamagedStoredFileError);
  const late = await stack.files.open(resume);
  await new Promise((resolve) => setTimeout(resolve, 50));
  await expect(scanner.scan(late)).rejects.toThrow(DamagedStoredFileError);
  await daemon.stop();
});

async function* breaking() {
  yield BYTES;
  throw new StorageUnavailableError('RESUMES_URL: away');
}

it.each([
  ['at the begin', () => Promise.reject(new StorageUnavailableError('RESUMES_URL: away'))],
  ['in the middle', async () => Readable.from(breaking(), { objectMode: false })],
])('storage that fails > is named in place of the mail server, and counts no attempt > %s', async (_when, open) => {
  stack = await DeliveryStack.start();
  const worker = await stack.startWorker();
  const opened = jest.spyOn(worker.get(FileStorage, { strict: false }), 'open').mockImplementation(open);
  const id = await storeApplication(stack, BYTES);
  const { nextAttemptAt, ...found } = await failedAttempt(id);
  expect(found).toMatchObject({ state: 'pending', attempts: 0, lastError: 'RESUMES_URL: away' });
  expect(nextAttemptAt).toBeGreaterThan(Date.now());
  opened.mockRestore();
  await stack.deliveredAfterWaits(id);
  expect(stack.mail.received).toHaveLength(1);
});
