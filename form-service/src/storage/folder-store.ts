import { randomInt } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { appendFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { Claims } from './claims.ts';
import { CrashRecovery } from './crash-recovery.ts';
import { Disk } from './disk.ts';
import { FolderLayout, SHARD_COUNT } from './folder-layout.ts';
import type { Holder } from './holder.ts';
import type { AcceptState } from './journal-entry.ts';
import { Journal } from './journal.ts';
import { RecordFolders } from './record-folders.ts';
import { isSubmissionId } from './submission-id.ts';
import { STATES_BY_STRENGTH } from './submission-record.ts';
import { StorageUnavailableError, SubmissionStore, type AcceptOutcome, type StoredSubmission, type Waiting } from './submission-store.ts';
import type { Submission, SubmissionState } from './submission.ts';

/** How long a change waits for another change of the same submission, in milliseconds. */
const CHANGE_WAIT_MS = 5_000;
const CHANGE_POLL_MS = 20;

/** Ending of the claim that a change of a submission takes, beside the plain one of its delivery. */
const CHANGE = '.change';

/**
 * The store as a folder on a local disk; {@link FolderLayout} says what lies where, docs/decisions/0003-store.md why a
 * crash at any step loses and doubles nothing.
 */
export class FolderStore extends SubmissionStore {
  override readonly lookEveryMs = 2_000;
  override readonly restFactor = 20;
  readonly layout: FolderLayout;
  private readonly claims: Claims;
  private readonly journal: Journal;
  private readonly records: RecordFolders;
  private readonly recovery: CrashRecovery;
  private drafts = 0;
  private sweeps = randomInt(SHARD_COUNT);

  private constructor(
    root: string,
    private readonly holder: Holder,
    private readonly disk: Disk,
  ) {
    super();
    this.layout = new FolderLayout(root);
    this.claims = new Claims(disk, this.layout.claims, holder);
    this.journal = new Journal(disk, this.layout.journal, holder.name);
    this.records = new RecordFolders(disk, this.layout, this.journal, () => this.draftPath());
    this.recovery = new CrashRecovery(disk, this.layout, holder, this.records, this.journal);
  }

  /** Opens the store, makes its folders where they are missing, and takes up what dead processes of this machine left. */
  static async open(root: string, holder: Holder, disk = new Disk()): Promise<FolderStore> {
    const store = new FolderStore(root, holder, disk);
    for (const folder of store.layout.all()) if (!disk.has(folder)) await disk.makeFolder(folder);
    await store.recover();
    return store;
  }

  override createUploadPath(): Promise<string> {
    return Promise.resolve(this.draftPath());
  }

  override async discardUpload(path: string): Promise<void> {
    await this.disk.unlink(path);
  }

  override async accept(submission: Submission, state: AcceptState, uploadPath?: string): Promise<AcceptOutcome> {
    if (!uploadPath) return this.addEnquiry(submission, state);
    try {
      return await this.changing(submission.id, () => this.addWithResume(submission, state, uploadPath));
    } finally {
      await this.disk.unlink(uploadPath);
    }
  }

  override find(id: string): Promise<StoredSubmission | undefined> {
    return this.records.find(id);
  }

  override async update(submission: Submission, from: SubmissionState, to: SubmissionState): Promise<void> {
    const move = () => this.records.move(submission, from, to);
    await (from !== to && to === 'pending' ? this.changing(submission.id, move) : move());
  }

  override ids(state: SubmissionState): AsyncIterable<string> {
    return this.records.ids(state);
  }

  override async *waiting(): AsyncGenerator<Waiting> {
    for await (const id of this.ids('pending')) yield { id, since: undefined };
  }

  /** When each was delivered stands in its record only: all of them are looked at, which a folder allows. */
  override deliveredBefore(): AsyncIterable<string> {
    return this.ids('delivered');
  }

  override async openResume(id: string): Promise<Readable> {
    const submission = (await this.find(id))?.submission;
    if (submission?.form !== 'application') throw new RangeError('no résumé under this id');
    return createReadStream(this.layout.resume(id, submission.resume.sha256));
  }

  override async remove(id: string, from: SubmissionState): Promise<void> {
    await this.changing(id, async () => {
      if ((await this.find(id))?.state !== from) return;
      await this.recovery.markErased(id);
      await this.records.remove(id);
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

  override async recordErasure(line: string): Promise<void> {
    await appendFile(this.layout.erasures, `${line}\n`, { mode: 0o600, flush: true });
  }

  /** Looks at one of the 256 folders of files each time, so that a sweep costs little however many there are. */
  override async sweep(): Promise<void> {
    await this.recover();
    for await (const id of this.records.ids('pending')) {
      if (this.records.isIn(['quarantined', 'failed', 'delivered'], id)) await this.changing(id, () => this.tidy(id));
    }
    for (const name of await readdir(this.layout.fileFolder(this.sweeps++ % SHARD_COUNT))) {
      const id = name.slice(0, name.indexOf('.'));
      if (isSubmissionId(id) && !this.records.isIn(STATES_BY_STRENGTH, id)) await this.changing(id, () => this.tidy(id));
    }
  }

  override freeBytes(): Promise<number> {
    return this.disk.freeBytes(this.layout.root);
  }

  override async checkWritable(): Promise<void> {
    const draft = this.draftPath();
    try {
      await this.disk.create(draft, 'x');
    } finally {
      await this.disk.unlink(draft);
    }
  }

  override async close(): Promise<void> {
    await this.journal.close();
    await this.claims.close();
    await this.disk.close();
    this.holder.close();
  }

  private draftPath(): string {
    return join(this.layout.incoming, `${this.holder.name}~${++this.drafts}`);
  }

  private async addEnquiry(submission: Submission, state: AcceptState): Promise<AcceptOutcome> {
    const outcome = await this.records.add(submission, state);
    if (outcome.kind === 'exists') await this.changing(submission.id, () => this.tidy(submission.id));
    return outcome;
  }

  /** The file is in place, and durable, before the record that names it. */
  private async addWithResume(submission: Submission, state: AcceptState, uploadPath: string): Promise<AcceptOutcome> {
    if (submission.form !== 'application') throw new RangeError('only an application has a file');
    const { id, resume } = submission;
    try {
      await this.disk.syncFile(uploadPath);
      if (!(await this.disk.rename(uploadPath, this.layout.resume(id, resume.sha256)))) throw new StorageUnavailableError('storage: the upload is gone');
      await this.disk.syncFolder(this.layout.resumeFolder(id));
      return await this.records.add(submission, state);
    } finally {
      await this.tidy(id);
    }
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
    // A record that only a later version can read names its file.
    if (!found && this.records.isIn(STATES_BY_STRENGTH, id)) return;
    if (found) await this.records.removeWeaker(id, found.state);
    const named = found?.submission.form === 'application' ? this.layout.resume(id, found.submission.resume.sha256) : undefined;
    for (const name of await readdir(this.layout.resumeFolder(id))) {
      const path = join(this.layout.resumeFolder(id), name);
      if (name.startsWith(`${id}.`) && path !== named) await this.disk.unlink(path);
    }
  }

  private async recover(): Promise<void> {
    await this.recovery.removeDrafts();
    await this.recovery.replayJournals();
    for (const name of await this.claims.lapsed()) {
      const id = name.slice(0, -CHANGE.length);
      if (name.endsWith(CHANGE) && isSubmissionId(id)) await this.changing(id, () => this.tidy(id));
      else await this.claims.drop(name);
    }
  }
}
