import { opendir } from 'node:fs/promises';
import { Logger } from '@nestjs/common';
import type { Disk } from './disk.ts';
import type { FolderLayout } from './folder-layout.ts';
import type { AcceptState } from './journal-entry.ts';
import type { Journal } from './journal.ts';
import { isSubmissionId } from './submission-id.ts';
import { DamagedRecordError, isStrongerThan, NewerRecordError, readRecord, STATES_BY_STRENGTH, writeRecord } from './submission-record.ts';
import { StorageUnavailableError, SubmissionMovedError, type AcceptOutcome, type StoredSubmission } from './submission-store.ts';
import type { Submission, SubmissionState } from './submission.ts';

const OTHER_STATES = {
  pending: STATES_BY_STRENGTH.filter((state) => state !== 'pending'),
  quarantined: STATES_BY_STRENGTH.filter((state) => state !== 'quarantined'),
} as const satisfies Record<AcceptState, readonly SubmissionState[]>;

/**
 * The records of the store: one file each, in the folder of its state. A record that changes its state is in the new
 * folder before it leaves the old one; what a crash leaves in two counts as being in the stronger.
 */
export class RecordFolders {
  private readonly log = new Logger('RecordFolders');
  private readonly newer = new Set<string>();

  constructor(
    private readonly disk: Disk,
    private readonly layout: FolderLayout,
    private readonly journal: Journal,
    private readonly draftPath: () => string,
  ) {}

  /**
   * Exclusive: of two calls with one id the second finds the first one's record.
   *
   * Nearly every id is new, so one that waits is put down first and looked for elsewhere then. Where it is there, that
   * record holds, being the stronger one, and ours is left for the caller to tidy. One that is set aside would outrank
   * the record that waits, so it is only put down where there is none.
   */
  async add(submission: Submission, state: AcceptState): Promise<AcceptOutcome> {
    const { id } = submission;
    if (state === 'quarantined' && this.isIn(STATES_BY_STRENGTH, id)) return this.existing(id);
    const record = writeRecord(submission);
    const path = this.layout.record(state, id);
    if (!this.disk.publish(this.draftPath(), path, record)) return this.existing(id);
    if (this.isIn(OTHER_STATES[state], id)) {
      if (state === 'quarantined') await this.disk.unlink(path);
      return this.existing(id);
    }
    try {
      await this.journal.append(state, record, path);
    } catch (error) {
      // When it is not there any more, a worker has moved it on, and made that durable.
      if (await this.disk.unlink(path)) throw error;
    }
    return { kind: 'stored' };
  }

  /** Writes a record again that a journal holds and no folder. */
  async restore(submission: Submission, state: AcceptState): Promise<void> {
    const { id } = submission;
    if (this.isIn(STATES_BY_STRENGTH, id) && (await this.find(id))) return;
    this.disk.publish(this.draftPath(), this.layout.record(state, id), writeRecord(submission));
  }

  async find(id: string): Promise<StoredSubmission | undefined> {
    // A record can move between the looks at two folders; then the second round finds it.
    return isSubmissionId(id) ? ((await this.look(id)) ?? (await this.look(id))) : undefined;
  }

  isIn(states: readonly SubmissionState[], id: string): boolean {
    return states.some((state) => this.disk.has(this.layout.record(state, id)));
  }

  async *ids(state: SubmissionState): AsyncGenerator<string> {
    for (const folder of this.layout.foldersOf(state)) {
      for await (const { name } of await opendir(folder)) {
        const id = name.slice(0, -'.json'.length);
        if (name.endsWith('.json') && isSubmissionId(id)) yield id;
      }
    }
  }

  /** @throws SubmissionMovedError */
  async move(submission: Submission, from: SubmissionState, to: SubmissionState): Promise<void> {
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

  /** Removes a record from every folder, weakest first: a crash never leaves an older one that would come back to life. */
  async remove(id: string): Promise<void> {
    for (const state of STATES_BY_STRENGTH) {
      if (await this.disk.unlink(this.layout.record(state, id))) await this.disk.syncFolder(this.layout.folderOf(state, id));
    }
  }

  /** Removes a record from the folders weaker than the one that holds. */
  async removeWeaker(id: string, held: SubmissionState): Promise<void> {
    for (const state of STATES_BY_STRENGTH) if (isStrongerThan(held, state)) await this.disk.unlink(this.layout.record(state, id));
  }

  /** What is answered for a repeat is as durable as what was answered for the first send. */
  private async existing(id: string): Promise<AcceptOutcome> {
    const existing = await this.find(id);
    if (!existing) throw new StorageUnavailableError('storage: a record moved or was damaged while it was looked up');
    await this.disk.syncFile(this.layout.record(existing.state, id));
    await this.disk.syncFolder(this.layout.folderOf(existing.state, id));
    return { kind: 'exists', existing };
  }

  private async look(id: string): Promise<StoredSubmission | undefined> {
    let found: StoredSubmission | undefined;
    for (const state of STATES_BY_STRENGTH) {
      const path = this.layout.record(state, id);
      const text = this.disk.has(path) ? await this.disk.read(path) : undefined;
      if (text === undefined) continue;
      try {
        found = { state, submission: readRecord(id, text) };
      } catch (error) {
        if (!(error instanceof DamagedRecordError)) throw error;
        if (error instanceof NewerRecordError) {
          // It holds, so a weaker one that could be read does not.
          found = undefined;
          this.reportNewer(id, error.message);
          continue;
        }
        await this.disk.rename(path, this.layout.damagedRecord(state, id));
        this.log.error({ event: 'damaged record set aside', reference: id, state, why: error.message });
      }
    }
    return found;
  }

  private reportNewer(id: string, why: string): void {
    if (!this.newer.has(id)) this.log.error({ event: 'record cannot be read and is left alone', reference: id, why });
    this.newer.add(id);
  }
}
