import { batches } from '../storage/batches.ts';
import type { StoredSubmission, SubmissionStore } from '../storage/submission-store.ts';
import { SUBMISSION_STATES, type Submission, type SubmissionState } from '../storage/submission.ts';
import { isSubmissionId } from '../storage/submission-id.ts';
import { EXIT, OperatorError } from './operator-error.ts';

/** States that wait for something: what an operator looks at first. */
export const OPEN_STATES = ['pending', 'failed', 'quarantined'] as const satisfies readonly SubmissionState[];

export const STATE_CHOICES = [...SUBMISSION_STATES, 'open', 'all'] as const;
export type StateChoice = (typeof STATE_CHOICES)[number];

export interface Selection {
  readonly state: StateChoice;
  /** Milliseconds. */
  readonly olderThan?: number;
}

/** The submissions that an operator asks for, some at a time, since the delivered ones are many. */
export async function* select(store: SubmissionStore, { state, olderThan = 0 }: Selection): AsyncIterable<StoredSubmission> {
  const latest = Date.now() - olderThan;
  for (const wanted of statesOf(state)) {
    for await (const ids of batches(store.ids(wanted))) {
      for (const found of await Promise.all(ids.map((id) => store.find(id)))) {
        if (found?.state === wanted && Date.parse(found.submission.receivedAt) <= latest) yield found;
      }
    }
  }
}

/** @throws OperatorError when there is no such submission */
export async function findByReference(store: SubmissionStore, reference: string): Promise<StoredSubmission> {
  const id = reference.trim().toUpperCase();
  const found = isSubmissionId(id) ? await store.find(id) : undefined;
  if (!found) throw new OperatorError(`No submission has the reference ${reference}.`, EXIT.notFound);
  return found;
}

/** E-mail addresses are compared as people mean them: whatever the case. */
export function isFrom(submission: Submission, email: string): boolean {
  return submission.fields.email.trim().toLowerCase() === email.trim().toLowerCase();
}

function statesOf(choice: StateChoice): readonly SubmissionState[] {
  if (choice === 'all') return SUBMISSION_STATES;
  return choice === 'open' ? OPEN_STATES : [choice];
}
