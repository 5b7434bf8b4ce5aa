import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { BYTES, STORIES, type Story } from '../../test/crash-stories.ts';
import { CrashError, CrashingDisk } from '../../test/crashing-disk.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { FolderStore } from './folder-store.ts';
import { Holder } from './holder.ts';

Logger.overrideLogger(false);

describe('a crash before any step', () => {
  it.each(Object.keys(STORIES))('of %s loses and doubles nothing', async (name) => {
    let steps = 0;
    for (let crashBefore = 0; ; crashBefore++) {
      const outcome = await crashedAt(crashBefore, STORIES[name]);
      if (outcome === 'done') break;
      steps++;
    }
    expect(steps).toBeGreaterThan(0);
  });
});

/** Plays a story up to a step, lets the process die there, and looks at what the next start makes of it. */
async function crashedAt(crashBefore: number, storyOf: (() => Story) | undefined): Promise<'crashed' | 'done'> {
  if (!storyOf) throw new Error('no such story');
  const folder = await temporaryFolder();
  try {
    const story = storyOf();
    const before = await FolderStore.open(folder.path, new Holder('one'));
    await story.start(before);
    await before.close();
    const disk = new CrashingDisk();
    const holder = new Holder('one');
    const dying = await FolderStore.open(folder.path, holder, disk);
    disk.crashAfter(crashBefore);
    const outcome = await story.act(dying).then(
      () => 'done' as const,
      (error: unknown) => {
        if (error instanceof CrashError) return 'crashed' as const;
        throw error;
      },
    );
    disk.crashAfter(0);
    holder.close();
    await dying.close().catch(() => disk.close());
    await expectWhole(folder.path, story, outcome);
    return outcome;
  } finally {
    await folder.remove();
  }
}

async function expectWhole(root: string, { submission, whenCrashed, whenDone }: Story, outcome: 'crashed' | 'done'): Promise<void> {
  const store = await FolderStore.open(root, new Holder('one'));
  await store.sweep();
  const found = await store.find(submission.id);
  expect(outcome === 'done' ? [whenDone] : whenCrashed).toContain(found?.state);
  if (found) expect(found.submission.fields).toEqual(submission.fields);
  if (found?.submission.form === 'application') expect(await buffer(await store.openResume(submission.id))).toEqual(BYTES);
  await store.close();
  const hasFile = found?.submission.form === 'application';
  expect(await filesUnder(root, 'files')).toHaveLength(hasFile ? 1 : 0);
  expect([...(await filesUnder(root, 'incoming')), ...(await filesUnder(root, 'claims')), ...(await filesUnder(root, 'journal')), ...(await filesUnder(root, 'damaged'))]).toEqual([]);
  const records = await Promise.all(['pending', 'delivered', 'failed', 'quarantined'].map((state) => filesUnder(root, state)));
  expect(records.flat()).toHaveLength(found ? 1 : 0);
}

async function filesUnder(root: string, folder: string): Promise<string[]> {
  const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => !entry.isDirectory()).map(({ name }) => name);
}
