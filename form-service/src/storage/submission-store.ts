import type { Readable } from 'node:stream';
import type { Submission, SubmissionState } from './submission.ts';

/** The submission as found, and where. */
export interface StoredSubmission {
  readonly state: SubmissionState;
  readonly submission: Submission;
}

/** Outcome of {@link SubmissionStore.accept}. */
export type AcceptOutcome =
  /** Stored now, for the first time. */
  | { readonly kind: 'stored' }
  /** A submission with this id exists already, whatever its state. */
  | { readonly kind: 'exists'; readonly existing: StoredSubmission };

/** A pending submission as listed. */
export interface Waiting {
  readonly id: string;
  /** Since when, in milliseconds since the epoch; undefined where only its record tells. */
  readonly since: number | undefined;
}

/** The store cannot keep anything now (disk full, read-only, away). Nothing was kept; the visitor may try again. */
export class StorageUnavailableError extends Error {
  override readonly name = 'StorageUnavailableError';
}

/** The submission is not in the state that a change was meant for: it was erased, or another process moved it. */
export class SubmissionMovedError extends Error {
  override readonly name = 'SubmissionMovedError';
}

/**
 * Durable home of submissions, and the only truth about them: Redis can be lost at any time. Every method that changes
 * something has made the change durable when its promise resolves, and a crash in between leaves the old or the new
 * state, never half of one. Several processes use one store at once.
 */
export abstract class SubmissionStore {
  /** How often it is worth listing what waits, in milliseconds: looking into a folder costs nothing, object storage bills each look. */
  abstract readonly lookEveryMs: number;

  /** How many times as long a walk through many records rests as it works, so that deliveries on the same disk notice nothing. */
  abstract readonly restFactor: number;

  /** A path on this machine's own disk to stream an upload to; `accept` takes the file over, `discardUpload` removes it. */
  abstract createUploadPath(): Promise<string>;

  abstract discardUpload(path: string): Promise<void>;

  /**
   * Stores a new submission, in `pending` or `quarantined`, with the uploaded file if it has one. Exclusive: of two
   * calls with the same id one stores and the other finds. The uploaded file is taken over or discarded either way.
   *
   * @throws StorageUnavailableError and then nothing is kept, except where the storage took it and its answer was lost
   */
  abstract accept(submission: Submission, state: 'pending' | 'quarantined', uploadPath?: string): Promise<AcceptOutcome>;

  abstract find(id: string): Promise<StoredSubmission | undefined>;

  /**
   * Writes a new version of a submission and moves it from one state to another (or keeps it where it is).
   *
   * @throws SubmissionMovedError when it is not in `from`
   */
  abstract update(submission: Submission, from: SubmissionState, to: SubmissionState): Promise<void>;

  /** Ids in a state. `pending`, `failed` and `quarantined` are small; `delivered` is large and is streamed. */
  abstract ids(state: SubmissionState): AsyncIterable<string>;

  /** What `ids('pending')` lists, with the time where that costs nothing more. */
  abstract waiting(): AsyncIterable<Waiting>;

  /**
   * Ids of the submissions that may have been delivered before a time, in milliseconds since the epoch, and of few others:
   * what retention looks at.
   */
  abstract deliveredBefore(time: number): AsyncIterable<string>;

  abstract openResume(id: string): Promise<Readable>;

  /** Removes record and file; nothing happens when it is no longer in `from`. Claim it first if it may be in delivery. */
  abstract remove(id: string, from: SubmissionState): Promise<void>;

  /**
   * Takes the right to deliver a submission, so that two workers never send the same one at once, even when Redis was
   * wiped and both hold a job for it. A claim whose holder died lapses.
   *
   * @returns false when another holder has it
   */
  abstract claim(id: string): Promise<boolean>;

  abstract release(id: string): Promise<void>;

  /** Keeps one line that proves an erasure, beside the submissions and free of personal data. */
  abstract recordErasure(line: string): Promise<void>;

  /** Removes what a crash left: uploads without a submission, files without a record, lapsed claims. */
  abstract sweep(): Promise<void>;

  /** Free space for submissions in bytes, or undefined where the notion does not apply. */
  abstract freeBytes(): Promise<number | undefined>;

  /** @throws StorageUnavailableError when nothing can be written now */
  abstract checkWritable(): Promise<void>;

  /** Gives back every claim and handle; the store is not used afterwards. */
  abstract close(): Promise<void>;
}
