import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Writable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DeliveryStack } from '../../test/delivery-stack.ts';
import { RedisServer } from '../../test/redis-server.ts';
import { contactSubmission, sha256 } from '../../test/submissions.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { until } from '../../test/until.ts';
import { runCommand } from '../cli/program.ts';
import { FolderLayout } from '../storage/folder-layout.ts';
import { DELIVER_JOB, DELIVERY_QUEUE, deliveryJobOptions } from './delivery-job.ts';
import { DeliveryMetrics } from './delivery-metrics.ts';

Logger.overrideLogger(false);

/** What the first version left in its folder and in Redis. It is never made anew: it is what is out there. */
const LEFT = join(import.meta.dirname, '../../test/version-1');
const ENQUIRY = 'KW-EQC5-FDTS-92TS-M8HF';
const APPLICATION = 'KW-VWCF-JKE7-7WB3-20QZ';
const FAILED = 'KW-C3W1-KZ1P-7QVE-DQBE';
const QUARANTINED = 'KW-9WYC-G4CN-XTA7-8AWV';

type Kept = Readonly<Record<string, { hash?: Record<string, string>; string?: string; list?: string[]; zset?: [number, string] }>>;

describe('what another version left', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let redis: RedisServer;
  let stack: DeliveryStack;
  beforeEach(async () => {
    [folder, redis] = await Promise.all([temporaryFolder(), RedisServer.start()]);
  });
  afterEach(async () => {
    await stack.close();
    await folder.remove();
  });

  const start = async () => (stack = await DeliveryStack.start({ redis, settings: { STORAGE_URL: `file:${folder.path}` } }));
  const delivered = (id: string) => until(`${id} delivered`, async () => (await stack.stateOf(id)) === 'delivered');
  const operator = (...args: string[]) => {
    const nowhere = () => new Writable({ write: (_chunk, _encoding, done) => done() });
    return runCommand(args, { stdout: nowhere(), stderr: nowhere(), environment: stack.environment });
  };

  it('the first: its job, its pending, failed and quarantined submissions are delivered', async () => {
    await cp(join(LEFT, 'submissions'), folder.path, { recursive: true });
    await restoreQueue();
    await start();
    const worker = await stack.startWorker();
    await Promise.all([delivered(ENQUIRY), delivered(APPLICATION)]);
    // The application had no job; the enquiry's own was understood.
    expect((await worker.get(DeliveryMetrics).reenqueued.get()).values).toMatchObject([{ value: 1 }]);

    expect([await operator('resend', FAILED), await operator('release', QUARANTINED)]).toEqual([0, 0]);
    await Promise.all([delivered(FAILED), delivered(QUARANTINED)]);
    const { received } = stack.mail;
    const all = [ENQUIRY, APPLICATION, FAILED, QUARANTINED].map((id) => `<${id}@kitewright.example>`);
    expect(received.map(({ messageId }) => messageId).sort()).toEqual(all.sort());
    const application = received.find(({ attachments }) => attachments.length > 0);
    expect(application?.text).toContain('The document contains macros.');
    expect(sha256(application?.attachments[0]?.content ?? Buffer.alloc(0))).toMatch(/^a017cda2a97457a3/);
    expect(received.find(({ messageId }) => messageId?.includes(FAILED))?.text).toContain('Zażółć gęślą jaźń.');
  });

  it('a later one, after a step back: its records stay as and where they are, and nothing is mailed twice', async () => {
    await start();
    const [known, unknown, moved] = [contactSubmission(), contactSubmission(), contactSubmission()];
    for (const submission of [known, unknown, moved]) await stack.store.accept(submission, 'pending');
    // One that waits, and one that the later version has delivered without having come to remove the old record.
    const layout = new FolderLayout(folder.path);
    const paths = [layout.record('pending', unknown.id), layout.record('delivered', moved.id)];
    for (const path of paths) await writeFile(path, JSON.stringify({ version: 2, id: basename(path, '.json'), state: {} }));
    const file = layout.resume(unknown.id, sha256(Buffer.from('its file')));
    await writeFile(file, 'its file');

    await stack.startWorker();
    await delivered(known.id);
    for (let shards = 0; shards < 256; shards++) await stack.store.sweep();
    await pause(2_500);
    expect(stack.mail.received).toHaveLength(1);
    for (const path of paths) expect(await readFile(path, 'utf8')).toContain('"version":2');
    expect(await readFile(file, 'utf8')).toBe('its file');
    expect(await readdir(join(folder.path, 'damaged'))).toEqual([]);
  });

  it('a later one’s job, with more in it than a reference, is replaced by one of our own', async () => {
    await start();
    const submission = contactSubmission();
    await stack.store.accept(submission, 'pending');
    const queue = new Queue(DELIVERY_QUEUE, { connection: { url: redis.url } });
    await queue.add(DELIVER_JOB, { id: submission.id, more: true }, deliveryJobOptions(submission.id));
    await queue.close();
    await stack.startWorker();
    await delivered(submission.id);
    expect(stack.mail.received).toHaveLength(1);
  });

  async function restoreQueue(): Promise<void> {
    const client = new Redis(redis.url);
    const kept = JSON.parse(await readFile(join(LEFT, 'queue.json'), 'utf8')) as Kept;
    for (const [key, { hash, string, list, zset }] of Object.entries(kept)) {
      if (hash) await client.hset(key, hash);
      if (string) await client.set(key, string);
      if (list) await client.rpush(key, ...list);
      if (zset) await client.zadd(key, ...zset);
    }
    client.disconnect();
  }
});
