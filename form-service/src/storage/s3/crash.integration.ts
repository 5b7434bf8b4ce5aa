import { buffer } from 'node:stream/consumers';
import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import { Logger } from '@nestjs/common';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { BYTES, STORIES, type Story } from '../../../test/crash-stories.ts';
import { ObjectGateway, objectGatewayMissing } from '../../../test/object-gateway.ts';
import { UnreliableNetwork } from '../../../test/unreliable-network.ts';
import { Holder } from '../holder.ts';
import { Bucket } from './bucket.ts';
import { readPlace } from './place.ts';
import { S3Store } from './s3-store.ts';

Logger.overrideLogger(false);

/** Later than the age from which anything may be swept. */
const LATER_MS = 2 * 3_600_000;
const SWEEPS = 6;

/** A dead process does not ask again. */
const NO_DOUBT_MS = 0;

const missing = objectGatewayMissing();

(missing ? describe.skip : describe)('object storage', () => {
  let gateway: ObjectGateway;
  let network: UnreliableNetwork;
  let runs = 0;
  beforeAll(async () => {
    gateway = await ObjectGateway.start();
    network = await UnreliableNetwork.start(gateway.endpoint);
  });
  afterAll(async () => {
    await network.stop();
    await gateway.stop();
  });

  it.each(Object.entries(STORIES))('loses and doubles nothing when a process dies before any request of %s', async (_name, storyOf) => {
    const cut = (from: number) => (index: number) => (index >= from ? 'cut' : 'pass');
    for (let from = 0, count = 1; from < count; from++) {
      await play(storyOf(), cut(from));
      count = network.count;
    }
  });

  it.each(Object.entries(STORIES))('notices no lost answer to any request of %s', async (_name, storyOf) => {
    for (let lost = 0, count = 1; lost < count; lost++) {
      expect(await play(storyOf(), (index) => (index === lost ? 'lose the answer' : 'pass'))).toBe('done');
      count = network.count - 1;
    }
  });

  /** Plays a story on a network that behaves like that, and looks at what is there two hours later. */
  async function play(story: Story, fateOf: Parameters<UnreliableNetwork['behave']>[0]): Promise<'done' | 'cut off'> {
    const settings = { ...gateway.settings(`run-${runs++}`), INSTANCE: 'here' };
    const before = S3Store.open(settings);
    await story.start(before);
    await before.close();
    const holder = new Holder('here');
    const mortal = S3Store.open({ ...settings, AWS_ENDPOINT_URL_S3: network.url }, holder, NO_DOUBT_MS);
    network.behave(() => 'pass');
    await mortal.checkWritable();
    network.behave(fateOf);
    const outcome = await story.act(mortal).then(
      () => 'done' as const,
      () => 'cut off' as const,
    );
    holder.close();
    await mortal.close();
    await expectWhole(settings, story, outcome);
    return outcome;
  }

  async function expectWhole(settings: Parameters<typeof S3Store.open>[0], { submission, whenCrashed, whenDone }: Story, outcome: 'done' | 'cut off'): Promise<void> {
    const store = S3Store.open(settings);
    const later = jest.spyOn(Bucket.prototype, 'now').mockImplementation(() => Date.now() + LATER_MS);
    for (let sweep = 0; sweep < SWEEPS; sweep++) await store.sweep();
    for await (const id of store.deliveredBefore(Date.now() + LATER_MS)) expect(id).toBe(submission.id);
    later.mockRestore();
    const found = await store.find(submission.id);
    expect(outcome === 'done' ? [whenDone] : whenCrashed).toContain(found?.state);
    if (found) expect(found.submission.fields).toEqual(submission.fields);
    const hasFile = found?.submission.form === 'application';
    if (hasFile) expect(await buffer(await store.openResume(submission.id))).toEqual(BYTES);
    await store.close();
    const kinds = (await keysBelow(settings.STORAGE_URL)).map((key) => key.split('/').slice(1, key.includes('/index/') ? 3 : 2).join('/'));
    const wanted = found ? ['records', `index/${found.state}`, ...(hasFile ? ['resumes'] : [])] : [];
    expect(kinds.toSorted()).toEqual(wanted.toSorted());
  }

  async function keysBelow(storageUrl: string): Promise<string[]> {
    const { bucket, prefix } = readPlace(storageUrl);
    const client = gateway.client();
    const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix }));
    client.destroy();
    return Contents.map(({ Key = '' }) => Key).filter((key) => key !== `${prefix}checks/writable`);
  }
});
