import { readdir, readFile, lutimes, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { Logger } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { acceptApplication, applicationSubmission, contactSubmission } from '../../test/submissions.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { FolderStore } from './folder-store.ts';
import { Holder } from './holder.ts';
import { SubmissionMovedError } from './submission-store.ts';

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

  it('keeps records and files readable by their owner alone', async () => {
    const { id } = await acceptApplication(store, Buffer.from('x'));
    const { mode: record } = await import('node:fs').then((fs) => fs.statSync(store.layout.record('pending', id)));
    expect(record & 0o777).toBe(0o600);
  });

  it('stores one of many accepts of one id by several processes', async () => {
    const submission = contactSubmission();
    const stores = [store, await open(), await open(new Holder('elsewhere'))];
    const outcomes = await Promise.all(Array.from({ length: 21 }, (_, index) => stores[index % 3]?.accept(submission, 'pending')));
    expect(outcomes.filter((outcome) => outcome?.kind === 'stored')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome?.kind === 'exists')).toHaveLength(20);
  });

  it('finds a submission in whatever state it is, and not what only looks like one', async () => {
    const submission = contactSubmission();
    await store.accept(submission, 'quarantined');
    expect(await store.accept(submission, 'pending')).toMatchObject({ kind: 'exists', existing: { state: 'quarantined' } });
    for (const [from, to] of [['quarantined', 'pending'], ['pending', 'failed'], ['failed', 'pending'], ['pending', 'delivered']] as const) {
      await store.update(submission, from, to);
      expect((await store.find(submission.id))?.state).toBe(to);
    }
    expect(await store.find('../../etc/passwd')).toBeUndefined();
    expect(await all(store.ids('delivered'))).toEqual([submission.id]);
    expect(await all(store.ids('pending'))).toEqual([]);
  });

  it('refuses to change what another process moved or erased', async () => {
    const submission = contactSubmission();
    await store.accept(submission, 'pending');
    await store.update(submission, 'pending', 'delivered');
    await expect(store.update(submission, 'pending', 'failed')).rejects.toThrow(SubmissionMovedError);
    await store.remove(submission.id, 'delivered');
    await expect(store.update(submission, 'delivered', 'delivered')).rejects.toThrow(SubmissionMovedError);
    expect(await store.find(submission.id)).toBeUndefined();
  });

  it('keeps the first file when another comes under the same id', async () => {
    const submission = await acceptApplication(store, Buffer.from('first'));
    const upload = await store.createUploadPath();
    await writeFile(upload, 'other');
    const other = { ...applicationSubmission(Buffer.from('other')), id: submission.id };
    expect((await store.accept(other, 'pending', upload)).kind).toBe('exists');
    expect(String(await buffer(await store.openResume(submission.id)))).toBe('first');
    expect(await readdir(join(root, 'incoming'))).toEqual([]);
  });

  it('lets one holder claim, until it releases or is dead', async () => {
    const { id } = contactSubmission();
    const holder = new Holder('here');
    const mortal = await open(holder);
    expect(await mortal.claim(id)).toBe(true);
    expect(await mortal.claim(id)).toBe(false);
    expect(await store.claim(id)).toBe(false);
    await mortal.release(id);
    expect(await store.claim(id)).toBe(true);
    await store.release(id);
    await mortal.claim(id);
    holder.close();
    expect(await store.claim(id)).toBe(true);
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

async function all(ids: AsyncIterable<string>): Promise<string[]> {
  const found: string[] = [];
  for await (const id of ids) found.push(id);
  return found;
}
