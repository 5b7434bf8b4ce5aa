import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { afterEach, expect, it, jest } from '@jest/globals';
import { register } from 'prom-client';
import { DeliveryStack } from '../../test/delivery-stack.ts';
import { newApplication, overwriteFile, setColumns, storeApplication } from '../../test/submissions.ts';
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
const other = Buffer.concat([BYTES.subarray(1), BYTES.subarray(0, 1)]);
const word = { ...newApplication(BYTES).resume, mediaType: 'application/msword' };

/** Resolves with a submission after its first failed attempt. */
const failedAttempt = (id: string) =>
  until('a failed attempt', async () => {
    const found = await stack.submissions.find(id);
    return found?.lastError ? found : undefined;
  });

it.each([
  ['a PDF is cut off', newApplication(BYTES).resume, BYTES.subarray(0, 3)],
  ['a Word file is cut off', word, BYTES.subarray(0, 290_000)],
  ['its bytes differ', word, other],
  ['it is longer', word, Buffer.concat([BYTES, BYTES])],
])('damaged file > is not sent, and counts as an attempt until it is repaired > %s', async (_, resume, bytes) => {
  stack = await DeliveryStack.start();
  const id = await storeApplication(stack, BYTES, { resume });
  await overwriteFile(stack, id, bytes);
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
  await setColumns(stack.database, id, { nextAttemptAt: 0 });
  await stack.delivered(id);
  expect(stack.mail.received.map(({ attachments }) => attachments[0]?.content.equals(BYTES))).toEqual([true]);
});

it.each([
  ['large', BYTES, other],
  ['small', Buffer.from('one'), Buffer.from('ono')],
])('damaged file > is the fault of the storage, not of the scanner > %s', async (_, bytes, damaged) => {
  stack = await DeliveryStack.start();
  const id = await storeApplication(stack, bytes);
  const resume = (await stack.submissions.find(id))?.resume;
  if (!resume) throw new Error('There is no résumé.');
  await overwriteFile(stack, id, damaged);
  // A daemon that has no end of the file sends no verdict.
  const daemon = createServer((socket) => socket.on('error', () => undefined).resume()).listen(0, '127.0.0.1');
  await once(daemon, 'listening');
  const { port } = daemon.address() as AddressInfo;
  const scanner = new VirusScanner({ CLAMD_URL: `tcp://127.0.0.1:${port}` });
  await expect(scanner.scan(await stack.files.open(resume))).rejects.toThrow(DamagedStoredFileError);
  const late = await stack.files.open(resume);
  await new Promise((resolve) => setTimeout(resolve, 50));
  await expect(scanner.scan(late)).rejects.toThrow(DamagedStoredFileError);
  daemon.close();
});

it('storage that fails in the middle > is named in place of the mail server', async () => {
  stack = await DeliveryStack.start();
  const worker = await stack.startWorker();
  async function* breaking() {
    yield BYTES;
    throw new StorageUnavailableError('RESUMES_URL: ECONNRESET');
  }
  const broken = async () => Readable.from(breaking(), { objectMode: false });
  jest.spyOn(worker.get(FileStorage, { strict: false }), 'open').mockImplementation(broken);
  const id = await storeApplication(stack, BYTES, { resume: word });
  expect(await failedAttempt(id)).toMatchObject({ attempts: 0, lastError: 'RESUMES_URL: ECONNRESET' });
  expect(stack.mail.received).toEqual([]);
});
