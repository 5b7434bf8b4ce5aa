import { HttpError } from '../http/http-error.ts';
import { startOfDay, timeText } from '../html/format.ts';
import { inSentence } from '../submissions/labels.ts';
import { HANDLED, type Handled } from '../submissions/submission.ts';
import type { SubmissionSearchRepository } from '../submissions/submission-search.repository.ts';
import { messagePage, readPage, type Frame } from '../sign-in/page.ts';
import { filterText, listAddress, parametersOf } from './list-page.ts';
import { markableIn, type Search } from './search.ts';
import { serviceWords } from '../contract/service-words.ts';

const words = serviceWords('inbox');

/** Number of submissions that one action marks at most. */
export const BULK_MAX = 10_000;

const fillMarkAll = readPage('mark-all', import.meta.url);

/** All submissions of a list that were received until a time, to be marked at once. */
export interface Bulk {
  readonly search: Search;
  readonly as: Handled;
  /** Time at which the page with the question was shown, in milliseconds since the epoch. What arrives later stays. */
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

/** Returns the references to mark, and one more if the list is longer. @throws HttpError 400 if the date is none */
export function chosenBy(
  repository: SubmissionSearchRepository,
  { search, as, at, before }: Bulk,
  timeZone: string,
): Promise<string[]> {
  const until = before === '' ? at : Math.min(at, startOfDay(before, timeZone) - 1);
  if (Number.isNaN(until)) throw new HttpError('malformed', words.errors.date);
  return markableIn(repository, search, as, until, BULK_MAX + 1);
}

/** The question before all of them are marked. */
export function markAllPage(frame: Frame, bulk: Bulk, chosen: readonly string[], timeZone: string): string {
  const { search, as, at, before } = bulk;
  if (chosen.length === 0) return messagePage(frame, words.markAll.nothing);
  const back = listAddress({ ...search, page: 1 });
  const question = { count: Math.min(chosen.length, BULK_MAX), status: inSentence(as) };
  const fields = [...parametersOf(back), ['as', as], ['at', String(at)], ['before', before]];
  return fillMarkAll(frame, {
    title: words.markAll.title(question),
    marks: words.markAll.marks({
      filter: filterText(search),
      before: before && ` ${words.markAll.before({ day: timeText(startOfDay(before, timeZone), timeZone, 'day') })}`,
      newest: chosen.length > BULK_MAX ? words.markAll.newest({ count: BULK_MAX }) : '',
    }),
    yes: words.markAll.yes(question),
    fields: fields.map(([name, value]) => ({ name, value })),
    back,
  });
}
