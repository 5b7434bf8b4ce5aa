import { formOf, nounOf } from '../contract/forms.ts';
import { zoneText } from '../html/format.ts';
import { excerptOf, senderName, STATUS_LABELS, subjectOf, whyInBrief } from '../submissions/labels.ts';
import { notesOf } from '../submissions/notes.ts';
import { statusOf, type DayCounts, type Handled, type Submission } from '../submissions/submission.ts';
import { barsOf, daysOf, sumOf } from './recent-days.ts';
import { readPage, statusView, timeView, type Frame } from './page.ts';
import {
  isNarrowed,
  isUnfiltered,
  PAGE_ROWS,
  PERIODS,
  TOPICS,
  VIEWS,
  WAITING,
  type Listed,
  type Search,
} from './search.ts';

const fillList = readPage('list');

/** Values that a list shows in addition to its submissions. */
interface ListOptions {
  readonly timeZone: string;
  /** End of the user's visit before this one. */
  readonly newSince: number;
  readonly newCount: number;
  /** Submissions that the user has just marked. */
  readonly marked: { readonly handled: Handled; readonly count: number; readonly at: number } | undefined;
  /** Whether the user pressed a mark and had ticked no check box. */
  readonly isNothingChosen: boolean;
  /** Whether all check boxes are ticked. */
  readonly isSelected: boolean;
  /** Numbers of submissions that need a decision, in the order of `WAITING`. */
  readonly decisions: readonly number[];
  /** Numbers of the last days, if they are shown. */
  readonly days: readonly DayCounts[];
}

/** The list of submissions, as `pages/list.html` has it. */
export function listPage(frame: Frame, content: Listed, options: ListOptions): string {
  const { search, waiting, waitingCount, found, foundCount, pages } = content;
  const { timeZone, newSince, newCount, marked, isNothingChosen, isSelected, decisions, days } = options;
  const isFiltered = !isUnfiltered(search);
  const {
    page,
    scope: { forms },
  } = search;
  const ofPages = page > 1 ? `, page ${page} of ${pages}` : '';
  const withTopic = forms.filter((form) => TOPICS.has(form));
  const address = listAddress(search);
  const shown = [...waiting, ...found];
  const total = isFiltered ? foundCount : waitingCount + foundCount;
  const heading = isFiltered ? `${filterText(search)}: ${foundCount} found${ofPages}` : `${total} open${ofPages}`;
  const bulk = (as: Handled) => withParameter(listAddress(search, '/inbox/mark-all'), 'as', as);
  const rows = (submissions: readonly Submission[]) => ({
    isFilled: submissions.length > 0,
    rows: submissions.map((one) => ({
      ...rowView(one, timeZone),
      page: pageAddress(one.id, address),
      isNew: one.receivedAt > newSince && one.handled === null,
      thing: (forms.length > 1 || !forms.includes(one.form)) && nounOf(one.form),
      isMarkable: one.state !== 'pending' && { isSelected },
    })),
  });
  const waitingList = {
    anchor: 'waiting',
    heading: 'Needs a decision',
    parts: WAITING.flatMap((view, index) => {
      const count = decisions[index] ?? 0;
      const words = `${count} ${STATUS_LABELS[view].toLowerCase()}`;
      return count > 0 ? [{ address: listAddress({ ...search, view, page: 1 }), words }] : [];
    }),
    empty: false,
  };
  const otherList = {
    anchor: 'found',
    heading: !isFiltered && 'Newest first',
    parts: [],
    empty: found.length === 0 && emptyText(isFiltered, waiting.length > 0),
  };
  return fillList(frame, {
    title: isNothingChosen ? `Error: nothing is chosen, ${heading}` : heading,
    heading,
    text: search.text,
    views: [...VIEWS].map(([value, { label }]) => ({ value, label, isChosen: value === search.view })),
    periods: PERIODS.map((days) => ({ value: days, label: periodText(days), isChosen: days === search.days })),
    topicLabel: withTopic.map(topicWord).join(' or '),
    topics: withTopic.map((form) => ({
      group: `${topicWord(form)}s`,
      options: TOPICS.get(form)?.map((value) => ({ value, isChosen: value === search.topic })),
    })),
    isFiltered,
    isNarrowed: isNarrowed(search),
    newText: !isFiltered && newCount > 0 && newText(newCount, newSince, timeZone),
    // A text search may be meant for submissions that are done or spam.
    everywhere: search.text !== '' && search.view !== 'all' && listAddress({ ...search, view: 'all', page: 1 }),
    csv: foundCount + waitingCount > 0 && listAddress(search, '/inbox/export.csv'),
    marked: marked && { ...marked, statusText: STATUS_LABELS[marked.handled].toLowerCase() },
    back: address,
    select: shown.length > 1 && {
      address: isSelected ? address : withParameter(address, 'select', 'all'),
      words: isSelected ? 'Select none' : 'Select all',
    },
    everything: isSelected && total > shown.length && { count: total, done: bulk('done'), spam: bulk('spam') },
    canMark: shown.some(({ state }) => state !== 'pending'),
    isNothingChosen,
    lists: [...(waiting.length > 0 ? [{ ...waitingList, ...rows(waiting) }] : []), { ...otherList, ...rows(found) }],
    zone: zoneText(timeZone),
    newer: page > 1 && listAddress({ ...search, page: page - 1 }),
    older: page < pages && listAddress({ ...search, page: page + 1 }),
    clearing:
      page === pages && found.length > 0 && search.view !== 'done' && search.view !== 'spam' && clearing(search),
    today: new Date().toISOString().slice(0, 10),
    recent: days.length > 0 && { ...sumOf(days), bars: barsOf(days), days: daysOf(days, timeZone) },
    range: pages > 1 && `${(page - 1) * PAGE_ROWS + 1} to ${(page - 1) * PAGE_ROWS + found.length} of ${foundCount}`,
  });
}

/** The address of a list. Defaults are left out. */
export function listAddress({ view, text, topic, days, page }: Search, path = '/inbox'): string {
  const query = new URLSearchParams({
    ...(text && { q: text }),
    ...(view !== 'open' && { state: view }),
    ...(topic && { topic }),
    ...(days > 0 && { days: String(days) }),
    ...(page > 1 && path === '/inbox' && { page: String(page) }),
  });
  return query.size > 0 ? `${path}?${query}` : path;
}

/** The address of a submission's page, which leads back to this list. @param part what follows the reference */
export const pageAddress = (id: string, list: string, part = '') =>
  list === '/inbox' ? `/inbox/${id}${part}` : withParameter(`/inbox/${id}${part}`, 'back', list);

/** An address on this server with one more parameter. */
export function withParameter(address: string, name: string, value: string): string {
  const url = new URL(address, 'http://inbox');
  url.searchParams.set(name, value);
  return `${url.pathname}${url.search}`;
}

/** The form that marks older submissions of a list. In the open list they are those whose mail was delivered. */
function clearing(search: Search) {
  const meant = search.view === 'open' ? { ...search, view: 'delivered' } : search;
  const filters = Array.from(new URL(listAddress({ ...meant, page: 1 }), 'http://inbox').searchParams);
  return {
    filters: filters.map(([name, value]) => ({ name, value })),
    what: search.view === 'open' ? 'everything delivered' : 'everything of this filter',
  };
}

function newText(count: number, since: number, timeZone: string): string {
  return `${count} new since your visit on ${timeView(since, timeZone).words}`;
}

/** Describes the filters of a list. */
export function filterText({ text, view, topic, days }: Search): string {
  const parts = [text && `“${text}”`, topic, VIEWS.get(view)?.label, days > 0 && periodText(days).toLowerCase()];
  return parts.filter(Boolean).join(', ');
}

const periodText = (days: number) => (days === 0 ? 'Any time' : `Last ${days} days`);

const topicWord = (form: string): string => formOf(form)?.words.topic ?? 'topic';

function emptyText(isFiltered: boolean, hasWaiting: boolean): string {
  if (isFiltered) return 'Nothing fits. Try fewer or shorter words, or another filter.';
  return hasWaiting ? 'Nothing else is open.' : 'Nothing is open. What visitors send appears here.';
}

/** Cuts a text of a row to a number of bytes, so that pages are small in every script. Latin names always fit. */
function clip(text: string, maxBytes = 120): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return text;
  return `${bytes
    .subarray(0, maxBytes)
    .toString()
    .replace(/\uFFFD+$/, '')}…`;
}

/** The state is shown if it is not the usual one. */
const rowView = (submission: Submission, timeZone: string) => ({
  id: submission.id,
  name: clip(senderName(submission)),
  ...(statusOf(submission) === 'delivered' ? { status: '', badge: '' } : statusView(statusOf(submission))),
  received: timeView(submission.receivedAt, timeZone),
  subject: clip(subjectOf(submission)),
  why: submission.handled === null && whyInBrief(submission),
  isWide: submission.handled !== null || whyInBrief(submission) === '',
  beginning: clip(excerptOf(submission), 200),
  note: clip(notesOf(submission).at(-1)?.text ?? '', 200),
});
