import { historyOf, type DatedEvent, type Submission } from './submission.ts';

/** Maximum length of a note, in characters. */
export const NOTE_MAX_CHARS = 500;

/** Maximum length of a history that gets another note, in characters: some 150 notes of the maximum length. */
export const NOTED_HISTORY_MAX_CHARS = 100_000;

/** A note of staff for colleagues. */
export interface Note {
  /** Time in ISO 8601. */
  readonly at: string;
  /** User, if known. */
  readonly by?: string | undefined;
  readonly text: string;
}

/** Columns that notes are read from. */
type Noted = Pick<Submission, 'history' | 'note' | 'notedInHistory' | 'receivedAt'>;

/** Returns all notes of a submission, oldest first. */
export function notesOf(submission: Noted): Note[] {
  const written = historyOf(submission).flatMap(({ event, at, by, text }) =>
    event === 'note' && text !== undefined ? [{ at, by, text }] : [],
  );
  const uncopied = uncopiedNote(submission);
  return uncopied ? [...written, uncopied].toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at)) : written;
}

/** Returns the note of version 0.4 that is not in the history yet. */
export function uncopiedNote(submission: Noted): Note | undefined {
  const { note: text, notedInHistory, receivedAt } = submission;
  if (text === '' || text === notedInHistory) return undefined;
  const { at, by } = historyOf(submission).findLast(isWithoutText) ?? { at: new Date(receivedAt).toISOString() };
  return { at, by, text };
}

/** Whether an event is a change of the note by version 0.4, whose history has no texts. */
export const isWithoutText = ({ event, text }: DatedEvent): boolean => event === 'note' && text === undefined;
