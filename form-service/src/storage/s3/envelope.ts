import { isSubmissionId } from '../submission-id.ts';
import { DamagedRecordError, readRecord } from '../submission-record.ts';
import { SUBMISSION_STATES, type Submission, type SubmissionState } from '../submission.ts';

/** A stored submission with its state and what belongs to it. */
export interface Envelope {
  readonly state: SubmissionState;
  /** The key that lists it in its state. */
  readonly marker: string;
  /** The key of its file's bytes. */
  readonly resume?: string;
  readonly submission: Submission;
}

/** What is left of a submission while it is being removed: nothing of the visitor, and what still has to go. */
export interface Tombstone {
  readonly state: 'erased';
  readonly marker: string;
  readonly leftovers: readonly string[];
}

export function writeEnvelope(envelope: Envelope | Tombstone): string {
  return JSON.stringify(envelope);
}

/** @throws DamagedRecordError also for a record of a newer version, which is left alone */
export function readEnvelope(id: string, text: string): Envelope | Tombstone {
  const { state, marker, resume, submission, leftovers } = parse(text);
  if (typeof marker !== 'string' || !isSubmissionId(id)) throw new DamagedRecordError('no marker');
  if (state === 'erased' && Array.isArray(leftovers)) return { state, marker, leftovers: leftovers.map(String) };
  if (!SUBMISSION_STATES.includes(state as SubmissionState)) throw new DamagedRecordError('no state');
  const read = readRecord(id, JSON.stringify(submission));
  return { state: state as SubmissionState, marker, submission: read, ...(typeof resume === 'string' && { resume }) };
}

function parse(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text)) as Record<string, unknown>;
  } catch {
    throw new DamagedRecordError('not JSON');
  }
}
