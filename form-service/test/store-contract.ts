import { writeFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { expect, it } from '@jest/globals';
import { Holder } from '../src/storage/holder.ts';
import { SubmissionMovedError, type SubmissionStore } from '../src/storage/submission-store.ts';
import { acceptApplication, applicationSubmission, contactSubmission } from './submissions.ts';

const ALL_AT_ONCE = 24;

/**
 * What every kind of store must do.
 *
 * @param open opens the one store of a test, as another process would; the caller closes it
 */
export function keepsTheContract(open: (holder?: Holder) => Promise<SubmissionStore>): void {
  it('stores one of many accepts of one id by several processes', async () => {
    const submission = contactSubmission();
    const stores = [await open(), await open(), await open(new Holder('elsewhere'))];
    const outcomes = await Promise.all(Array.from({ length: ALL_AT_ONCE }, (_, index) => stores[index % 3]?.accept(submission, 'pending')));
    expect(outcomes.filter((outcome) => outcome?.kind === 'stored')).toHaveLength(1);
    for (const outcome of outcomes) if (outcome?.kind === 'exists') expect(outcome.existing).toMatchObject({ state: 'pending', submission });
    expect(await all(stores[0]?.ids('pending'))).toEqual([submission.id]);
    for await (const { id } of stores[0]?.waiting() ?? []) expect(id).toBe(submission.id);
  });

  it('finds a submission in whatever state it is, and not what only looks like one', async () => {
    const store = await open();
    const submission = contactSubmission();
    await store.accept(submission, 'quarantined');
    expect(await store.accept({ ...submission, requestId: 'another' }, 'pending')).toMatchObject({ kind: 'exists', existing: { state: 'quarantined', submission } });
    expect(await all(store.ids('pending'))).toEqual([]);
    for (const [from, to] of [['quarantined', 'pending'], ['pending', 'pending'], ['pending', 'failed'], ['failed', 'pending'], ['pending', 'delivered']] as const) {
      const changed = { ...submission, delivery: { attempts: 1, lastError: `${from} to ${to}` } };
      await store.update(changed, from, to);
      expect(await store.find(submission.id)).toMatchObject({ state: to, submission: changed });
      expect(await all(store.ids(to))).toEqual([submission.id]);
      if (from !== to) expect(await all(store.ids(from))).toEqual([]);
    }
    expect(await store.find('../../etc/passwd')).toBeUndefined();
  });

  it('refuses to change what another process moved or erased', async () => {
    const store = await open();
    const submission = contactSubmission();
    await store.accept(submission, 'pending');
    await store.update(submission, 'pending', 'delivered');
    await expect(store.update(submission, 'pending', 'failed')).rejects.toThrow(SubmissionMovedError);
    await store.remove(submission.id, 'pending');
    expect((await store.find(submission.id))?.state).toBe('delivered');
    await store.remove(submission.id, 'delivered');
    await expect(store.update(submission, 'delivered', 'delivered')).rejects.toThrow(SubmissionMovedError);
    expect(await store.find(submission.id)).toBeUndefined();
    expect(await all(store.ids('delivered'))).toEqual([]);
  });

  it('keeps the first file when another comes under the same id', async () => {
    const store = await open();
    const submission = await acceptApplication(store, Buffer.from('first'));
    const upload = await store.createUploadPath();
    await writeFile(upload, 'other');
    const other = { ...applicationSubmission(Buffer.from('other')), id: submission.id };
    expect((await store.accept(other, 'pending', upload)).kind).toBe('exists');
    expect(String(await buffer(await store.openResume(submission.id)))).toBe('first');
    await expect(writeFile(upload, '', { flag: 'r+' })).rejects.toThrow('ENOENT');
  });

  it('keeps the bytes of a file through every state, and removes them with the record', async () => {
    const store = await open();
    const bytes = Buffer.alloc(3 * 1024 * 1024, 'the bytes of a file ');
    const submission = await acceptApplication(store, bytes);
    await store.update(submission, 'pending', 'failed');
    await store.update(submission, 'failed', 'pending');
    expect((await buffer(await store.openResume(submission.id))).equals(bytes)).toBe(true);
    await store.remove(submission.id, 'pending');
    await expect(store.openResume(submission.id)).rejects.toThrow(RangeError);
    expect((await store.accept(contactSubmission({}, { id: submission.id }), 'pending')).kind).toBe('stored');
  });

  it('lets one holder claim, until it releases or is dead', async () => {
    const store = await open();
    const { id } = contactSubmission();
    const holder = new Holder('here');
    const mortal = await open(holder);
    expect(await mortal.claim(id)).toBe(true);
    expect(await mortal.claim(id)).toBe(false);
    expect(await store.claim(id)).toBe(false);
    await store.release(id);
    expect(await store.claim(id)).toBe(false);
    await mortal.release(id);
    expect(await store.claim(id)).toBe(true);
    await store.release(id);
    await mortal.claim(id);
    holder.close();
    expect(await store.claim(id)).toBe(true);
  });

  it('gives a claim to one of many who ask, also when its holder is dead', async () => {
    const { id } = contactSubmission();
    const stores = await Promise.all(Array.from({ length: ALL_AT_ONCE }, () => open()));
    const askAll = async () => (await Promise.all(stores.map((one) => one.claim(id)))).filter(Boolean).length;
    const holder = new Holder('here');
    await (await open(holder)).claim(id);
    expect(await askAll()).toBe(0);
    holder.close();
    expect(await askAll()).toBe(1);
  });

  it('shows retention what was delivered before a time', async () => {
    const store = await open();
    const delivered = (deliveredAt: string) => contactSubmission({}, { receivedAt: deliveredAt, delivery: { attempts: 0, deliveredAt } });
    const [old, young] = [delivered('2026-01-02T03:04:05.678Z'), delivered('2026-03-04T05:06:07.890Z')];
    for (const submission of [old, young]) {
      await store.accept(submission, 'pending');
      await store.update(submission, 'pending', 'delivered');
    }
    expect(await all(store.deliveredBefore(Date.parse('2026-01-03T01:00:00Z')))).toContain(old.id);
    expect((await all(store.deliveredBefore(Date.parse('2026-04-01')))).toSorted()).toEqual([old.id, young.id].toSorted());
    expect((await all(store.ids('delivered'))).toSorted()).toEqual([old.id, young.id].toSorted());
  });

  it('can be written, and keeps the proof of an erasure', async () => {
    const store = await open();
    await store.checkWritable();
    await store.recordErasure('{"event":"erased"}');
    await store.sweep();
  });
}

export async function all(ids: AsyncIterable<string> | undefined): Promise<string[]> {
  const found: string[] = [];
  if (ids) for await (const id of ids) found.push(id);
  return found;
}
