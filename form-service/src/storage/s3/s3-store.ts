import { tmpdir } from 'node:os';
import type { Readable } from 'node:stream';
import type { StorageSettings } from '../../config/env.ts';
import { Holder } from '../holder.ts';
import type { AcceptState } from '../journal-entry.ts';
import { isSubmissionId } from '../submission-id.ts';
import { SubmissionStore, type AcceptOutcome, type StoredSubmission, type Waiting } from '../submission-store.ts';
import type { Submission, SubmissionState } from '../submission.ts';
import { Bucket } from './bucket.ts';
import { Claims } from './claims.ts';
import { ConditionalWrites, DOUBT_MS } from './conditional-writes.ts';
import { keys, readMarker } from './keys.ts';
import { readPlace } from './place.ts';
import { Records } from './records.ts';
import { clientFor } from './s3-client.ts';
import { S3Sweep } from './s3-sweep.ts';
import { Uploads } from './uploads.ts';
import { WriteCheck } from './write-check.ts';

const DAY_MS = 24 * 60 * 60_000;

/** Shorter than what counts as overdue, so that no alarm rings for a marker that a crash left; in milliseconds. */
const BELIEVED_MS = 4 * 60_000;

/**
 * The store as a bucket of object storage that several machines share; docs/decisions/0011-object-storage.md says how its
 * steps lose and double nothing.
 */
export class S3Store extends SubmissionStore {
  override readonly lookEveryMs = 10_000;
  override readonly restFactor = 0;
  private readonly records: Records;
  private readonly claims: Claims;
  private readonly sweeper: S3Sweep;
  private readonly uploads: Uploads;
  private readonly writeCheck: WriteCheck;

  private constructor(
    private readonly bucket: Bucket,
    private readonly holder: Holder,
    uploadFolder: string,
    doubtMs: number,
  ) {
    super();
    const writes = new ConditionalWrites(bucket, doubtMs);
    this.records = new Records(bucket, writes);
    this.claims = new Claims(bucket, writes, holder);
    this.sweeper = new S3Sweep(bucket, this.records, this.claims);
    this.uploads = new Uploads(uploadFolder, holder);
    this.writeCheck = new WriteCheck(bucket, writes);
  }

  /** Asks nothing of the server yet: while it is away a process starts and says that it is not ready. */
  static open(settings: StorageSettings, holder = new Holder(settings.INSTANCE), doubtMs = DOUBT_MS): S3Store {
    const place = readPlace(settings.STORAGE_URL);
    return new S3Store(new Bucket(clientFor(settings, place), place), holder, settings.UPLOAD_DIR ?? tmpdir(), doubtMs);
  }

  override createUploadPath(): Promise<string> {
    return this.uploads.create();
  }

  override discardUpload(path: string): Promise<void> {
    return this.uploads.discard(path);
  }

  override async accept(submission: Submission, state: AcceptState, uploadPath?: string): Promise<AcceptOutcome> {
    if (!uploadPath) return this.writeCheck.watch(this.records.add(submission, state));
    try {
      if (submission.form !== 'application') throw new RangeError('only an application has a file');
      const { size, sha256 } = submission.resume;
      return await this.writeCheck.watch(this.records.add(submission, state, { path: uploadPath, size, sha256 }));
    } finally {
      await this.uploads.discard(uploadPath);
    }
  }

  override find(id: string): Promise<StoredSubmission | undefined> {
    return this.records.find(id);
  }

  override update(submission: Submission, from: SubmissionState, to: SubmissionState): Promise<void> {
    return this.writeCheck.watch(this.records.move(submission, from, to));
  }

  override ids(state: SubmissionState): AsyncIterable<string> {
    return this.idsBelow(keys.markers(state));
  }

  /** A young marker is believed: it nearly always lists its record, and a long backlog is not read whenever a worker starts. */
  override async *waiting(): AsyncGenerator<Waiting> {
    for await (const { key, modifiedAt } of this.bucket.list(keys.markers('pending'))) {
      const id = readMarker(key)?.id;
      if (id !== undefined) yield { id, since: this.bucket.now() - modifiedAt < BELIEVED_MS ? modifiedAt : undefined };
    }
  }

  /** Looks only at days up to then, and on the last of them at what was delivered early enough. Markers that list nothing are removed on the way. */
  override async *deliveredBefore(time: number): AsyncGenerator<string> {
    for (const day of await this.bucket.folders(keys.markers('delivered'))) {
      if (!(Date.parse(day) < time)) continue;
      const isOver = Date.parse(day) + DAY_MS <= time;
      for await (const listed of this.bucket.list(keys.markers('delivered', day))) {
        if (!isOver && listed.modifiedAt >= time) continue;
        const marker = readMarker(listed.key);
        if (marker && (await this.sweeper.isTrue(listed))) yield marker.id;
      }
    }
  }

  override async openResume(id: string): Promise<Readable> {
    const resume = (await this.records.find(id))?.resume;
    const bytes = resume && (await this.bucket.open(resume));
    if (!bytes) throw new RangeError('no résumé under this id');
    return bytes;
  }

  override remove(id: string, from: SubmissionState): Promise<void> {
    return this.records.remove(id, from);
  }

  override claim(id: string): Promise<boolean> {
    return isSubmissionId(id) ? this.claims.take(id) : Promise.resolve(false);
  }

  override release(id: string): Promise<void> {
    return this.claims.release(id);
  }

  override async recordErasure(line: string): Promise<void> {
    await this.bucket.put(keys.erasure(new Date()), `${line}\n`);
  }

  override sweep(): Promise<void> {
    return this.sweeper.run();
  }

  override freeBytes(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  override checkWritable(): Promise<void> {
    return this.writeCheck.check();
  }

  override async close(): Promise<void> {
    await this.claims.close();
    await this.uploads.close();
    this.holder.close();
    this.bucket.close();
  }

  private async *idsBelow(prefix: string): AsyncGenerator<string> {
    let previous: string | undefined;
    for await (const { key } of this.bucket.list(prefix)) {
      const id = readMarker(key)?.id;
      if (id !== undefined && id !== previous) yield id;
      previous = id;
    }
  }
}
