import { randomBytes } from 'node:crypto';
import { isSubmissionId } from '../submission-id.ts';
import type { SubmissionState } from '../submission.ts';

/** States of a record here: a submission's own, and that of one which is being removed. */
export type RecordState = SubmissionState | 'erased';

/**
 * What lies where, below the prefix:
 *
 * ```text
 * records/<id>                            the submission and its state: the only truth
 * index/<state>/<id>~<nonce>              empty; makes a state listable. Delivered ones: index/delivered/<YYYY-MM-DD>/...
 * resumes/<id>/<nonce>                    bytes of the file that a record names
 * claims/<id>                             who is delivering it
 * erasures/<time>~<nonce>                 lines of proof
 * checks/<nonce>                          whether the server keeps to conditions, and can be written
 * ```
 *
 * A nonce is new for each entry of a submission into a state, so that what belongs to an attempt that lost can be removed
 * without ever touching what belongs to the one that won.
 */
export const keys = {
  record: (id: string) => `records/${id}`,
  resume: (id: string, nonce: string) => `resumes/${id}/${nonce}`,
  claim: (name: string) => `claims/${name}`,
  claims: 'claims/',
  erasure: (time: Date) => `erasures/${time.toISOString()}~${newNonce()}`,
  check: () => `${keys.checks}${newNonce()}`,
  checks: 'checks/',

  /** @param day `YYYY-MM-DD` of the delivery, for delivered ones only */
  marker: (state: RecordState, id: string, nonce: string, day?: string) => `${keys.markers(state, day)}${id}~${nonce}`,
  markers: (state: RecordState, day?: string) => `index/${state}/${day === undefined ? '' : `${day}/`}`,
} as const;

export function newNonce(): string {
  return randomBytes(8).toString('hex');
}

/** The submission and the attempt that a marker is of, or undefined where a key is none. */
export function readMarker(key: string): { readonly id: string; readonly nonce: string } | undefined {
  const [id = '', nonce] = key.slice(key.lastIndexOf('/') + 1).split('~');
  return isSubmissionId(id) && nonce ? { id, nonce } : undefined;
}
