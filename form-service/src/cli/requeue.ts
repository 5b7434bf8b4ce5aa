import { SubmissionMovedError, type SubmissionStore } from '../storage/submission-store.ts';
import type { Submission } from '../storage/submission.ts';
import { EXIT, OperatorError } from './operator-error.ts';
import { findByReference } from './selection.ts';
import type { Terminal } from './terminal.ts';

/** `resend <reference>`: tries a failed submission again. The worker finds it in the store within seconds. */
export async function resend(store: SubmissionStore, terminal: Terminal, reference: string): Promise<void> {
  const submission = await inState(store, reference, 'failed');
  await makePending(store, submission, 'failed');
  await terminal.printLine(`${submission.id} will be sent again.`);
}

/** `resend --all-failed` */
export async function resendAllFailed(store: SubmissionStore, terminal: Terminal): Promise<void> {
  let count = 0;
  for await (const id of store.ids('failed')) {
    const found = await store.find(id);
    if (found?.state !== 'failed') continue;
    await makePending(store, found.submission, 'failed');
    count++;
  }
  await terminal.printLine(`${count} ${count === 1 ? 'submission' : 'submissions'} will be sent again.`);
}

/** `release <reference>`: sends a submission that was set aside; it is not set aside a second time. */
export async function release(store: SubmissionStore, terminal: Terminal, reference: string): Promise<void> {
  const submission = await inState(store, reference, 'quarantined');
  const delivery = { ...submission.delivery, releasedAt: new Date().toISOString() };
  await makePending(store, { ...submission, delivery }, 'quarantined');
  await terminal.printLine(`${submission.id} is released and will be sent.`);
}

/** Attempts are counted anew. */
async function makePending(store: SubmissionStore, submission: Submission, from: 'failed' | 'quarantined'): Promise<void> {
  const { lastAttemptAt, lastError, releasedAt } = submission.delivery;
  const delivery = { attempts: 0, lastAttemptAt, lastError, releasedAt, requeuedAt: new Date().toISOString() };
  try {
    await store.update({ ...submission, delivery }, from, 'pending');
  } catch (error) {
    if (!(error instanceof SubmissionMovedError)) throw error;
    throw new OperatorError(`${submission.id} is no longer ${from}.`, EXIT.wrongState);
  }
}

async function inState(store: SubmissionStore, reference: string, wanted: 'failed' | 'quarantined'): Promise<Submission> {
  const { state, submission } = await findByReference(store, reference);
  if (state !== wanted) throw new OperatorError(`${submission.id} is ${state}, not ${wanted}.`, EXIT.wrongState);
  return submission;
}
