import { writeFile } from 'node:fs/promises';
import type { SubmissionStore } from '../src/storage/submission-store.ts';
import type { Submission, SubmissionState } from '../src/storage/submission.ts';
import { applicationSubmission, contactSubmission } from './submissions.ts';

/** Of every file in the stories. */
export const BYTES = Buffer.from('the bytes of a file');

/** What a process was doing: the submission, the states it may be found in if the process died, and in which it must be otherwise. */
export interface Story {
  readonly submission: Submission;
  readonly start: (store: SubmissionStore) => Promise<void>;
  readonly act: (store: SubmissionStore) => Promise<unknown>;
  readonly whenCrashed: readonly (SubmissionState | undefined)[];
  readonly whenDone: SubmissionState | undefined;
}

const nothing = () => Promise.resolve();

function contactStory(from: SubmissionState, to: SubmissionState): Story {
  const submission = contactSubmission();
  return {
    submission,
    start: async (store) => {
      await store.accept(submission, 'pending');
      if (from !== 'pending') await store.update(submission, 'pending', from);
    },
    act: (store) => store.update({ ...submission, delivery: { attempts: 1 } }, from, to),
    whenCrashed: [from, to],
    whenDone: to,
  };
}

async function acceptWithFile(store: SubmissionStore, submission: Submission): Promise<unknown> {
  const upload = await store.createUploadPath();
  await writeFile(upload, BYTES);
  return store.accept(submission, 'pending', upload);
}

export const STORIES: Readonly<Record<string, () => Story>> = {
  'accepting an enquiry': () => {
    const submission = contactSubmission();
    return { submission, start: nothing, act: (store) => store.accept(submission, 'pending'), whenCrashed: [undefined, 'pending'], whenDone: 'pending' };
  },
  'accepting an enquiry again that is delivered': () => {
    const submission = contactSubmission();
    return {
      submission,
      start: async (store) => {
        await store.accept(submission, 'pending');
        await store.update(submission, 'pending', 'delivered');
      },
      act: (store) => store.accept(submission, 'pending'),
      whenCrashed: ['delivered'],
      whenDone: 'delivered',
    };
  },
  'accepting an application': () => {
    const submission = applicationSubmission(BYTES);
    return { submission, start: nothing, act: (store) => acceptWithFile(store, submission), whenCrashed: [undefined, 'pending'], whenDone: 'pending' };
  },
  'accepting an application again': () => {
    const submission = applicationSubmission(BYTES);
    const again = (store: SubmissionStore) => acceptWithFile(store, submission);
    return { submission, start: async (store) => void (await again(store)), act: again, whenCrashed: ['pending'], whenDone: 'pending' };
  },
  'marking it delivered': () => contactStory('pending', 'delivered'),
  'marking it failed': () => contactStory('pending', 'failed'),
  'counting an attempt': () => contactStory('pending', 'pending'),
  'sending a failed one again': () => contactStory('failed', 'pending'),
  'releasing one from quarantine': () => contactStory('quarantined', 'pending'),
  'erasing an application': () => {
    const submission = applicationSubmission(BYTES);
    return {
      submission,
      start: async (store) => void (await acceptWithFile(store, submission)),
      act: (store) => store.remove(submission.id, 'pending'),
      whenCrashed: [undefined, 'pending'],
      whenDone: undefined,
    };
  },
};
