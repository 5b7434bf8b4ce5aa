import { createHash } from 'node:crypto';
import { HttpError } from '../http/http-error.ts';
import { startOfDay, timeText } from '../html/format.ts';
import { inSentence } from '../submissions/labels.ts';
import { HANDLED, type Handled } from '../submissions/submission.ts';
import type { SubmissionSearchRepository } from '../submissions/submission-search.repository.ts';
import { filterText, listAddress } from './list-page.ts';
import { messagePage, readPage, type Frame } from '../sign-in/page.ts';
import { placesUntil, type Search } from './search.ts';
import { serviceWords } from '../contract/service-words.ts';

const words = serviceWords('inbox');

/** Number of submissions that one action marks at most. */
const BULK_MAX = 10_000;

const fillMarkAll = readPage('mark-all', import.meta.url);

/** All submissions of a list that were there at a time, to be marked at once. */
export interface Bulk {
  readonly search: Search;
  readonly as: Handled;
  /** Time of the question, in milliseconds since the epoch. It becomes the time of the marks. */
  readonly at: number;
  /** Marks only what arrived before this date, in ISO 8601; empty without a limit. */
  readonly before: string;
}

/** Reads what to mark from the fields of a form. @throws HttpError 400 */
export function bulkOf(search: Search, fields: Readonly<Record<string, unknown>>, at: number): Bulk {
  const { before = '' } = fields;
  return { search, as: handledOf(fields['as']), at, before: String(before) };
}

/** @throws HttpError 400 */
export function handledOf(value: unknown): Handled {
  const handled = HANDLED.find((one) => one === value);
  if (!handled) throw new HttpError('malformed', words.errors.doneOrSpam);
  return handled;
}

/** References to mark, and their digest, by which a list that has changed since the question is noticed. */
export interface Chosen {
  readonly ids: readonly string[];
  readonly digest: string;
  /** Whether the list has more. */
  readonly isCut: boolean;
}

/** Finds the references to mark. @throws HttpError 400 if the date is none */
export async function chosenBy(
  repository: SubmissionSearchRepository,
  { search, as, at, before }: Bulk,
  timeZone: string,
  max = BULK_MAX,
): Promise<Chosen> {
  const until = before === '' ? at : Math.min(at, startOfDay(before, timeZone) - 1);
  if (Number.isNaN(until)) throw new HttpError('malformed', words.errors.date);
  const places = await placesUntil(repository, search, ['pending', as], until, max + 1);
  const ids = places.slice(0, max).map(({ id }) => id);
  const digest = createHash('sha256').update(ids.join()).digest('base64url');
  return { ids, digest, isCut: ids.length < places.length };
}

/** The question before all of them are marked. */
export function markAllPage(
  frame: Frame,
  { search, as, at, before }: Bulk,
  { ids, digest, isCut }: Chosen,
  { timeZone, isChanged }: { readonly timeZone: string; readonly isChanged: boolean },
): string {
  const back = listAddress({ ...search, page: 1 });
  if (ids.length === 0) return messagePage(frame, words.markAll.nothing);
  const question = { count: ids.length, status: inSentence(as) };
  const filters = Array.from(new URL(back, 'http://inbox').searchParams);
  const fields = [...filters, ['as', as], ['at', String(at)], ['before', before], ['of', digest]];
  return fillMarkAll(frame, {
    title: words.markAll.title(question),
    isChanged,
    marks: words.markAll.marks({
      filter: filterText(search),
      before: before && ` ${words.markAll.before({ day: timeText(startOfDay(before, timeZone), timeZone, 'day') })}`,
      newest: isCut ? words.markAll.newest({ count: ids.length }) : '',
    }),
    yes: words.markAll.yes(question),
    fields: fields.map(([name, value]) => ({ name, value })),
    back,
  });
}
