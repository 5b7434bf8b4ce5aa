import { tmpdir } from 'node:os';
import type { Readable } from 'node:stream';
import { S3Client } from '@aws-sdk/client-s3';
import type { StorageSettings } from '../../config/env.ts';
import { Holder } from '../holder.ts';
import type { AcceptState } from '../journal-entry.ts';
import { isSubmissionId } from '../submission-id.ts';
import { SubmissionStore, type AcceptOutcome, type StoredSubmission, type Waiting } from '../submission-store.ts';
import type { Submission, SubmissionState } from '../submission.ts';
import { Bucket, DOUBT_MS } from './bucket.ts';
import { Claims } from './claims.ts';
import { keys, readMarker } from './keys.ts';
import { readPlace, type Place } from './place.ts';
import { Records } from './records.ts';
import { S3Sweep } from './s3-sweep.ts';
import { Uploads } from './uploads.ts';
import { WriteCheck } from './write-check.ts';

/** With two tries at each request, a visitor is told within seconds that nothing can be stored now; in milliseconds. */
const CONNECT_TIMEOUT_MS = 1_000;
const REQUEST_TIMEOUT_MS = 2_500;
const TRIES = 2;

/** Means nothing to most servers, and is part of every signature. */
const DEFAULT_REGION = 'us-east-1';

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
  ) {
    super();
    this.records = new Records(bucket);
    this.claims = new Claims(bucket, holder);
    this.sweeper = new S3Sweep(bucket, this.records, this.claims);
    this.uploads = new Uploads(uploadFolder, holder);
    this.writeCheck = new WriteCheck(bucket);
  }

  /** Asks nothing of the server yet: while it is away a process starts and says that it is not ready. */
  static open(settings: StorageSettings, holder = new Holder(settings.INSTANCE), doubtMs = DOUBT_MS): S3Store {
    const place = readPlace(settings.STORAGE_URL);
    return new S3Store(new Bucket(clientFor(settings, place), place, doubtMs), holder, settings.UPLOAD_DIR ?? tmpdir());
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

  /** Looks only at days that were over by then. Markers that list nothing are removed on the way. */
  override async *deliveredBefore(time: number): AsyncGenerator<string> {
    for (const day of await this.bucket.folders(keys.markers('delivered'))) {
      if (!(Date.parse(day) < time)) continue;
      for await (const listed of this.bucket.list(keys.markers('delivered', day))) {
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

/** The SDK would write lines of its own among ours; what fails is reported by who asked for it. */
const SILENCE = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** Without keys in the settings the SDK looks where it always does: shared files, the role of the container or machine. */
function clientFor(settings: StorageSettings, { pathStyle }: Place): S3Client {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey, AWS_SESSION_TOKEN: sessionToken } = settings;
  const hasKeys = accessKeyId !== undefined && secretAccessKey !== undefined;
  return new S3Client({
    region: settings.AWS_REGION ?? DEFAULT_REGION,
    forcePathStyle: pathStyle,
    maxAttempts: TRIES,
    logger: SILENCE,
    requestHandler: { connectionTimeout: CONNECT_TIMEOUT_MS, requestTimeout: REQUEST_TIMEOUT_MS, throwOnRequestTimeout: true },
    // Servers other than AWS know no checksums in trailers; a résumé's digest is sent in a header.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    ...(settings.AWS_ENDPOINT_URL_S3 !== undefined && { endpoint: settings.AWS_ENDPOINT_URL_S3 }),
    ...(hasKeys && { credentials: { accessKeyId, secretAccessKey, ...(sessionToken !== undefined && { sessionToken }) } }),
  });
}
