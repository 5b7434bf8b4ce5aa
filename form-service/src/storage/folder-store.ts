import { randomInt } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { opendir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { Claims } from './claims.ts';
import { Disk } from './disk.ts';
import { FolderLayout, SHARD_COUNT } from './folder-layout.ts';
import { Holder } from './holder.ts';
import { isSubmissionId } from './submission-id.ts';
import { DamagedRecordError, isStrongerThan, readRecord, STATES_BY_STRENGTH, writeRecord } from './submission-record.ts';
import { StorageUnavailableError, SubmissionMovedError, SubmissionStore, type AcceptOutcome, type StoredSubmission } from './submission-store.ts';
import type { Submission, SubmissionState } from './submission.ts';

/** How long a change waits for another change of the same submission, in milliseconds. */
const CHANGE_WAIT_MS = 5_000;
const CHANGE_POLL_MS = 20;

/** Ending of the claim that a change of a submission takes, beside the plain one of its delivery. */
const CHANGE = '.change';

/** An upload takes minutes at most; an hour after its last byte nobody is writing it, in milliseconds. */
const DRAFT_LIFE_MS = 3_600_000;

/**
 * The store as a folder on a local disk; {@link FolderLayout} says what lies where, docs/decisions/0003-store.md why a
 * crash at any step loses and doubles nothing.
 */
export class FolderStore extends SubmissionStore {
  readonly layout: FolderLayout;
  private readonly log = new Logger('FolderStore');
  private readonly holder: Holder;
  private readonly claims: Claims;
  private drafts = 0;
  private sweeps = randomInt(SHARD_COUNT);

  private constructor(
    root: string,
    instance: string,
    private readonly disk: Disk,
  ) {
    super();
    this.layout = new FolderLayout(root);
    this.holder = new Holder(instance);
    this.claims = new Claims(disk, this.layout.claims, this.holder);
  }

  /** Opens the store, makes its folders where they are missing, and removes what dead processes of this machine left. */
  static async open(root: string, instance: string, disk = new Disk()): Promise<FolderStore> {
    const store = new FolderStore(root, instance, disk);
    for (const folder of store.layout.all()) await disk.makeFolder(folder);
    await store.removeDrafts();
    await store.tidyAfterCrashes();
    return store;
  }

  override async createUploadPath(): Promise<string> {
    return this.draftPath();
  }

  override async discardUpload(path: string): Promise<void> {
    await this.disk.unlink(path);
  }

  override async accept(submission: Submission, state: 'pending' | 'quarantined', uploadPath?: string): Promise<AcceptOutcome> {
    if (!uploadPath) return this.place(submission, state);
    try {
      return await this.changing(submission.id, () => this.placeWithResume(submission, state, uploadPath));
    } finally {
      await this.disk.unlink(uploadPath);
    }
  }

  override async find(id: string): Promise<StoredSubmission | undefined> {
    // A record that moves while it is looked for is in its new place before it leaves the old one: the second look finds it.
    return isSubmissionId(id) ? ((await this.look(id)) ?? (await this.look(id))) : undefined;
  }

  override async update(submission: Submission, from: SubmissionState, to: SubmissionState): Promise<void> {
    const move = () => this.move(submission, from, to);
    await (from !== to && to === 'pending' ? this.changing(submission.id, move) : move());
  }

  override async *ids(state: SubmissionState): AsyncIterable<string> {
    for (const folder of this.layout.foldersOf(state)) {
      for await (const { name } of await opendir(folder)) {
        const id = name.slice(0, -'.json'.length);
        if (name.endsWith('.json') && isSubmissionId(id)) yield id;
      }
    }
  }

  override async openResume(id: string): Promise<Readable> {
    const submission = (await this.find(id))?.submission;
    if (submission?.form !== 'application') throw new RangeError('no résumé under this id');
    return createReadStream(this.layout.resume(id, submission.resume.sha256));
  }

  override async remove(id: string, from: SubmissionState): Promise<void> {
    await this.changing(id, async () => {
      if ((await this.find(id))?.state !== from) return;
      // Weakest first: a crash leaves the record that holds, never an older one that would come back to life.
      for (const state of STATES_BY_STRENGTH) {
        if (await this.disk.unlink(this.layout.record(state, id))) await this.disk.syncFolder(this.layout.folderOf(state, id));
      }
      await this.tidy(id);
      await this.disk.syncFolder(this.layout.resumeFolder(id));
    });
  }

  override claim(id: string): Promise<boolean> {
    return isSubmissionId(id) ? this.claims.take(id) : Promise.resolve(false);
  }

  override release(id: string): Promise<void> {
    return this.claims.release(id);
  }

  /** Looks at one of the 256 folders of files each time, so that a sweep costs little however many there are. */
  override async sweep(): Promise<void> {
    await this.removeDrafts();
    await this.tidyAfterCrashes();
    for await (const id of this.ids('pending')) {
      if (this.isIn(['quarantined', 'failed', 'delivered'], id)) await this.changing(id, () => this.tidy(id));
    }
    for (const name of await readdir(this.layout.fileFolder(this.sweeps++ % SHARD_COUNT))) {
      const id = name.slice(0, name.indexOf('.'));
      if (isSubmissionId(id) && !this.isIn(STATES_BY_STRENGTH, id)) await this.changing(id, () => this.tidy(id));
    }
  }

  override freeBytes(): Promise<number> {
    return this.disk.freeBytes(this.layout.root);
  }

  override async checkWritable(): Promise<void> {
    const draft = this.draftPath();
    await this.disk.create(draft, 'x');
    await this.disk.unlink(draft);
  }

  override async close(): Promise<void> {
    await this.claims.close();
    await this.disk.close();
    this.holder.close();
  }

  private draftPath(): string {
    return join(this.layout.incoming, `${this.holder.name}~${++this.drafts}`);
  }

  /** The link is exclusive: of two calls with one id the second finds the first one's record. */
  private async place(submission: Submission, state: 'pending' | 'quarantined'): Promise<AcceptOutcome> {
    const { id } = submission;
    if (this.isIn(STATES_BY_STRENGTH, id)) return this.existing(id);
    const draft = this.draftPath();
    const target = this.layout.record(state, id);
    try {
      await this.disk.create(draft, writeRecord(submission));
      if (!(await this.disk.link(draft, target))) return await this.existing(id);
      // It may have been accepted elsewhere, and even delivered, since the first look: that record holds.
      if (this.isIn(STATES_BY_STRENGTH.filter((other) => other !== state), id)) {
        if (state === 'quarantined') await this.disk.unlink(target);
        return await this.existing(id);
      }
      await this.disk.syncFolder(this.layout.folderOf(state, id)).catch(async (error: unknown) => {
        await this.disk.unlink(target);
        throw error;
      });
      return { kind: 'stored' };
    } finally {
      await this.disk.unlink(draft);
    }
  }

  /** The file is in place, and durable, before the record that names it. */
  private async placeWithResume(submission: Submission, state: 'pending' | 'quarantined', uploadPath: string): Promise<AcceptOutcome> {
    if (submission.form !== 'application') throw new RangeError('only an application has a file');
    const { id, resume } = submission;
    try {
      await this.disk.syncFile(uploadPath);
      await this.disk.rename(uploadPath, this.layout.resume(id, resume.sha256));
      await this.disk.syncFolder(this.layout.resumeFolder(id));
      return await this.place(submission, state);
    } finally {
      await this.tidy(id);
    }
  }

  /** What is answered for a repeat is as durable as what was answered for the first send. */
  private async existing(id: string): Promise<AcceptOutcome> {
    const existing = await this.find(id);
    if (!existing) throw new StorageUnavailableError('storage: a record moved or was damaged while it was looked up');
    await this.disk.syncFolder(this.layout.folderOf(existing.state, id));
    return { kind: 'exists', existing };
  }

  private async move(submission: Submission, from: SubmissionState, to: SubmissionState): Promise<void> {
    const { id } = submission;
    const source = this.layout.record(from, id);
    if (!this.disk.has(source)) throw new SubmissionMovedError(`${id} is not ${from}`);
    const draft = this.draftPath();
    try {
      await this.disk.create(draft, writeRecord(submission));
      await this.disk.rename(draft, this.layout.record(to, id));
    } catch (error) {
      await this.disk.unlink(draft);
      throw error;
    }
    await this.disk.syncFolder(this.layout.folderOf(to, id));
    if (from === to) return;
    await this.disk.unlink(source);
    // Where the new state is the stronger one, a power cut that brings the old name back changes nothing.
    if (isStrongerThan(from, to)) await this.disk.syncFolder(this.layout.folderOf(from, id));
  }

  private async look(id: string): Promise<StoredSubmission | undefined> {
    let found: StoredSubmission | undefined;
    // Weakest first, the last one found holds: a record on its way from pending is caught in one place or the other.
    for (const state of STATES_BY_STRENGTH) {
      const path = this.layout.record(state, id);
      const text = this.disk.has(path) ? await this.disk.read(path) : undefined;
      if (text === undefined) continue;
      try {
        found = { state, submission: readRecord(id, text) };
      } catch (error) {
        if (!(error instanceof DamagedRecordError)) throw error;
        await this.disk.rename(path, this.layout.damagedRecord(state, id));
        this.log.error({ event: 'damaged record set aside', reference: id, state, why: error.message });
      }
    }
    return found;
  }

  private isIn(states: readonly SubmissionState[], id: string): boolean {
    return states.some((state) => this.disk.has(this.layout.record(state, id)));
  }

  /** One change of a submission at a time, in all processes; what a crash left of it, the next start tidies. */
  private async changing<T>(id: string, change: () => Promise<T>): Promise<T> {
    const claim = `${id}${CHANGE}`;
    const deadline = performance.now() + CHANGE_WAIT_MS;
    while (!(await this.claims.take(claim))) {
      if (performance.now() > deadline) throw new StorageUnavailableError('storage: another change of this submission does not end');
      await pause(CHANGE_POLL_MS);
    }
    try {
      return await change();
    } finally {
      await this.claims.release(claim);
    }
  }

  /** Of a record in two states the weaker goes; of files under its id those that no record names. Needs `changing`. */
  private async tidy(id: string): Promise<void> {
    const found = await this.find(id);
    const weaker = STATES_BY_STRENGTH.filter((state) => found && isStrongerThan(found.state, state));
    for (const state of weaker) await this.disk.unlink(this.layout.record(state, id));
    const named = found?.submission.form === 'application' ? this.layout.resume(id, found.submission.resume.sha256) : undefined;
    for (const name of await readdir(this.layout.resumeFolder(id))) {
      const path = join(this.layout.resumeFolder(id), name);
      if (name.startsWith(`${id}.`) && path !== named) await this.disk.unlink(path);
    }
  }

  private async tidyAfterCrashes(): Promise<void> {
    for (const name of await this.claims.lapsed()) {
      const id = name.slice(0, -CHANGE.length);
      if (name.endsWith(CHANGE) && isSubmissionId(id)) await this.changing(id, () => this.tidy(id));
      else await this.claims.drop(name);
    }
  }

  /** Uploads and half-written records of dead processes, and, of another machine's, those nobody can still be writing. */
  private async removeDrafts(): Promise<void> {
    for (const name of await readdir(this.layout.incoming)) {
      const path = join(this.layout.incoming, name);
      const holder = name.slice(0, name.lastIndexOf('~'));
      if (this.holder.knowsDead(holder) || (await ageOf(path)) > DRAFT_LIFE_MS) await this.disk.unlink(path);
    }
  }
}

/** Milliseconds since a file was last written; 0 when it is gone. */
async function ageOf(path: string): Promise<number> {
  return stat(path).then(
    (found) => Date.now() - found.mtimeMs,
    () => 0,
  );
}
