import { Logger } from '@nestjs/common';
import { isSubmissionId } from '../submission-id.ts';
import { DamagedRecordError } from '../submission-record.ts';
import { StorageUnavailableError, SubmissionMovedError, type AcceptOutcome, type StoredSubmission } from '../submission-store.ts';
import type { Submission, SubmissionState } from '../submission.ts';
import type { Bucket, UploadFile } from './bucket.ts';
import type { ConditionalWrites } from './conditional-writes.ts';
import { readEnvelope, writeEnvelope, type Envelope, type Tombstone } from './envelope.ts';
import { keys, newNonce } from './keys.ts';

/** A record as found, in the version that a change must replace. */
interface Version<Content> {
  readonly content: Content;
  readonly etag: string;
  readonly modifiedAt: number;
}

export type Held = Version<Envelope> | Version<Tombstone>;

/** A tombstone that was looked at so long ago may be gone, and a new submission in its place; in milliseconds. */
const FRESH_MS = 5_000;

/**
 * The records: one object each, changed only by conditional writes. Before a record enters a state there is a marker that
 * lists it there, and the marker goes after the record has left: so whatever dies, a record is never without its marker.
 */
export class Records {
  private readonly log = new Logger('Records');
  /** Versions of damaged records that were reported. */
  private readonly reported = new Set<string>();

  constructor(
    private readonly bucket: Bucket,
    private readonly writes: ConditionalWrites,
  ) {}

  /** Exclusive: of two calls with one id the second finds the first one's record. */
  async add(submission: Submission, state: SubmissionState, file?: UploadFile): Promise<AcceptOutcome> {
    const { id } = submission;
    const nonce = newNonce();
    const marker = keys.marker(state, id, nonce);
    const resume = file && keys.resume(id, nonce);
    await this.bucket.put(marker);
    if (resume) await this.bucket.upload(resume, file);
    const text = writeEnvelope({ state, marker, ...(resume && { resume }), submission });
    if ((await this.writes.create(keys.record(id), text)) !== undefined) return { kind: 'stored' };
    await this.removeQuietly(...(resume ? [resume] : []), marker);
    const existing = await this.find(id);
    if (!existing) throw new StorageUnavailableError('storage: a record under this id is being removed, or is of another version');
    return { kind: 'exists', existing };
  }

  async find(id: string): Promise<(StoredSubmission & Pick<Envelope, 'resume'>) | undefined> {
    const held = await this.read(id);
    return held && !isErased(held) ? held.content : undefined;
  }

  /** The record with its version; undefined also where it cannot be read, which is reported once. */
  async read(id: string): Promise<Held | undefined> {
    const found = isSubmissionId(id) ? await this.bucket.get(keys.record(id)) : undefined;
    if (!found) return undefined;
    const { text, etag, modifiedAt } = found;
    try {
      return { content: readEnvelope(id, text), etag, modifiedAt } as Held;
    } catch (error) {
      if (!(error instanceof DamagedRecordError)) throw error;
      if (!this.reported.has(etag)) this.log.error({ event: 'record cannot be read and is left alone', reference: id, why: error.message });
      this.reported.add(etag);
      return undefined;
    }
  }

  /** @throws SubmissionMovedError */
  async move(submission: Submission, from: SubmissionState, to: SubmissionState): Promise<void> {
    const { id } = submission;
    for (;;) {
      const held = await this.read(id);
      if (!held || isErased(held) || held.content.state !== from) throw new SubmissionMovedError(`${id} is not ${from}`);
      const marker = from === to ? held.content.marker : keys.marker(to, id, newNonce(), to === 'delivered' ? dayOf(submission) : undefined);
      if (await this.change(id, held, { ...held.content, state: to, marker, submission })) return;
    }
  }

  /** Removes what is in a state, in steps that a sweep takes up where they were cut off; nothing happens when it is not in it. */
  async remove(id: string, from: SubmissionState): Promise<void> {
    for (;;) {
      const held = await this.read(id);
      if (!held || isErased(held) || held.content.state !== from) return;
      const { marker, resume } = held.content;
      const tombstone: Tombstone = { state: 'erased', marker: keys.marker('erased', id, newNonce()), leftovers: resume ? [resume, marker] : [marker] };
      if (await this.change(id, held, tombstone)) return this.bury(id);
    }
  }

  /** Ends the removal of a record that is marked as erased. */
  async bury(id: string): Promise<void> {
    const seenAt = performance.now();
    const held = await this.read(id);
    if (!held || !isErased(held)) return;
    for (const key of held.content.leftovers) await this.bucket.remove(key);
    if (performance.now() - seenAt > FRESH_MS) return this.bury(id);
    await this.bucket.remove(keys.record(id));
    await this.bucket.remove(held.content.marker);
  }

  /** False when the record is not the one that was read any more. */
  private async change(id: string, held: Held, content: Envelope | Tombstone): Promise<boolean> {
    const before = held.content.marker;
    if (content.marker !== before) await this.bucket.put(content.marker);
    const isChanged = (await this.writes.replace(keys.record(id), writeEnvelope(content), held.etag)) !== undefined;
    if (content.marker !== before) await this.removeQuietly(isChanged ? before : content.marker);
    return isChanged;
  }

  /** What stays for once is swept later. */
  private async removeQuietly(...unneeded: string[]): Promise<void> {
    await Promise.allSettled(unneeded.map((key) => this.bucket.remove(key)));
  }
}

export function isErased(held: Held): held is Version<Tombstone> {
  return held.content.state === 'erased';
}

/** Day of the delivery, in UTC. */
function dayOf({ delivery, receivedAt }: Submission): string {
  return (delivery.deliveredAt ?? receivedAt).slice(0, 10);
}

