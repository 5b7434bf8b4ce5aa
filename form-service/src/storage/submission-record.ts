import { isSubmissionId } from './submission-id.ts';
import type { Submission, SubmissionState } from './submission.ts';

/** The version of the records that this program writes; it reads older ones too. */
const VERSION = 1;

/** A stored record that is not a submission of a version this program knows. */
export class DamagedRecordError extends Error {
  override readonly name: string = 'DamagedRecordError';
}

/** A record of a later version, met after a step back to this one. It is whole, and stays as and where it is. */
export class NewerRecordError extends DamagedRecordError {
  override readonly name = 'NewerRecordError';
}

export function writeRecord(submission: Submission): string {
  return JSON.stringify(submission);
}

/**
 * @param id the id that the record's place says it has, where it has one
 * @throws DamagedRecordError, of which a {@link NewerRecordError} is one
 */
export function readRecord(id: string | undefined, text: string): Submission {
  let record: unknown;
  try {
    record = JSON.parse(text);
  } catch {
    throw new DamagedRecordError('not JSON');
  }
  if (isObject(record) && Number(record['version']) > VERSION) throw new NewerRecordError(`of version ${record['version']}`);
  if (!isSubmission(record)) throw new DamagedRecordError('not a submission');
  if (!isSubmissionId(record.id) || (id !== undefined && record.id !== id)) throw new DamagedRecordError('another id');
  return record;
}

/** States from the weakest to the strongest: where a crash left a record in two states, the stronger one holds. */
export const STATES_BY_STRENGTH = ['pending', 'quarantined', 'failed', 'delivered'] as const satisfies readonly SubmissionState[];

/** Whether the first of two states holds where a record is in both. */
export function isStrongerThan(state: SubmissionState, other: SubmissionState): boolean {
  return STATES_BY_STRENGTH.indexOf(state) > STATES_BY_STRENGTH.indexOf(other);
}

function isSubmission(record: unknown): record is Submission {
  if (!isObject(record) || record['version'] !== VERSION || typeof record['id'] !== 'string') return false;
  if (typeof record['receivedAt'] !== 'string' || typeof record['contentDigest'] !== 'string') return false;
  if (!isObject(record['fields']) || !isObject(record['delivery'])) return false;
  if (record['form'] === 'contact') return true;
  return record['form'] === 'application' && isObject(record['resume']) && typeof record['resume']['sha256'] === 'string';
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
