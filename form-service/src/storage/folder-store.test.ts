import { readdir, readFile, lutimes, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { all, keepsTheContract } from '../../test/store-contract.ts';
import { acceptApplication, applicationSubmission, contactSubmission } from '../../test/submissions.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { FolderStore } from './folder-store.ts';
import { Holder } from './holder.ts';

Logger.overrideLogger(false);

describe('FolderStore', () => {
  let root: string;
  let remove: () => Promise<void>;
  let store: FolderStore;
  const opened: FolderStore[] = [];
  const open = async (holder = new Holder('here')) => {
    const another = await FolderStore.open(root, holder);
    opened.push(another);
    return another;
  };
  beforeEach(async () => {
    ({ path: root, remove } = await temporaryFolder());
    store = await open();
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((one) => one.close()));
    await remove();
  });

  keepsTheContract(open);

  it('keeps records and files readable by their owner alone', async () => {
    const { id } = await acceptApplication(store, Buffer.from('x'));
    const { mode: record } = await import('node:fs').then((fs) => fs.statSync(store.layout.record('pending', id)));
    expect(record & 0o777).toBe(0o600);
  });

  it('lets a claim of another machine lapse by age alone, and gives it to one of many', async () => {
    const { id } = contactSubmission();
    const remote = new Holder('elsewhere');
    await (await open(remote)).claim(id);
    remote.close();
    expect(await store.claim(id)).toBe(false);
    const old = new Date(Date.now() - 130_000);
    await lutimes(join(root, 'claims', id), old, old);
    const stores = [store, await open(), await open()];
    const taken = await Promise.all(stores.map((one) => one.claim(id)));
    expect(taken.filter(Boolean)).toHaveLength(1);
  });

  it('brings back after a power cut what was accepted and not written back, and nothing erased', async () => {
    const [kept, erased, torn] = [contactSubmission(), contactSubmission(), contactSubmission()];
    const holder = new Holder('here');
    const mortal = await FolderStore.open(root, holder);
    for (const submission of [kept, erased, torn]) await mortal.accept(submission, 'pending');
    await store.remove(erased.id, 'pending');
    await truncate(mortal.layout.record('pending', torn.id));
    await truncate(mortal.layout.record('pending', kept.id));
    expect(await store.find(torn.id)).toBeUndefined();
    holder.close();
    const next = await open();
    expect((await next.find(kept.id))?.submission).toEqual(kept);
    expect((await next.find(torn.id))?.submission).toEqual(torn);
    expect(await next.find(erased.id)).toBeUndefined();
    await next.close();
    await mortal.close();
    expect(await readdir(join(root, 'journal'))).toEqual([]);
  });

  it('reads past lines of a journal that were cut', async () => {
    const submission = contactSubmission();
    await writeFile(join(root, 'journal', 'here~999999~00000000~1'), `{"state":"pend\n\n{"state":"pending","submission":${JSON.stringify(submission)}}\n{"state":"pending","submission":{"id":"x"}}\n{"stat`);
    expect((await (await open()).find(submission.id))?.submission).toEqual(submission);
  });

  it('sets a damaged record aside, says so once, and goes on', async () => {
    const { id } = contactSubmission();
    await writeFile(store.layout.record('pending', id), '{"version":1,');
    expect(await store.find(id)).toBeUndefined();
    expect(await readFile(store.layout.damagedRecord('pending', id), 'utf8')).toBe('{"version":1,');
    expect(await all(store.ids('pending'))).toEqual([]);
    await store.sweep();
  });

  it('removes a file that no record names', async () => {
    const { id } = applicationSubmission(Buffer.from('x'));
    const path = store.layout.resume(id, 'f'.repeat(64));
    await writeFile(path, 'x');
    for (let shard = 0; shard < 256; shard++) await store.sweep();
    expect(await readdir(store.layout.resumeFolder(id))).toEqual([]);
  });

  it('leaves the uploads of living processes alone and removes those of the dead', async () => {
    const holder = new Holder('here');
    const mortal = await open(holder);
    const [living, dying, remote] = [await store.createUploadPath(), await mortal.createUploadPath(), join(root, 'incoming', 'elsewhere~1~00000000~1')];
    for (const path of [living, dying, remote]) await writeFile(path, 'x');
    holder.close();
    await store.sweep();
    expect((await readdir(join(root, 'incoming'))).map((name) => join(root, 'incoming', name)).toSorted()).toEqual([living, remote].toSorted());
    const old = new Date(Date.now() - 2 * 3_600_000);
    await utimes(remote, old, old);
    await store.sweep();
    expect(await readdir(join(root, 'incoming'))).toHaveLength(1);
  });
});
