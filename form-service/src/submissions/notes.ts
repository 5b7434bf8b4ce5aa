import { historyOf, type Submission } from './submission.ts';

/** Maximum length of a note, in characters. */
export const NOTE_MAX_CHARS = 500;

/** A note of staff for colleagues. */
export interface Note {
  /** Time in ISO 8601. */
  readonly at: string;
  /** User, if known. */
  readonly by?: string | undefined;
  readonly text: string;
}

/** Returns all notes of a submission, oldest first. */
export const notesOf = (submission: Pick<Submission, 'history'>): Note[] =>
  historyOf(submission).flatMap(({ event, at, by, text = '' }) => (event === 'note' ? [{ at, by, text }] : []));
