import { formOf, nounOf } from '../contract/forms.ts';
import { timeText, zoneText } from '../html/format.ts';
import { excerptOf, senderName, STATUS_LABELS, subjectOf, whyInBrief } from '../submissions/labels.ts';
import { notesOf } from '../submissions/notes.ts';
import { formsIn } from '../submissions/scope.ts';
import { labelsOf, statusOf, takerOf, type Handled, type Submission } from '../submissions/submission.ts';
import { dateText, readPage, statusView, timeView, type Frame } from './page.ts';
import {
  COUNT_MAX,
  isUnfiltered,
  PAGE_ROWS,
  PERIODS,
  positionText,
  TOPICS,
  VIEWS,
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
  /** Whether the list has nothing older than what the user has just marked. */
  readonly isEnd: boolean;
  /** Whether all check boxes are ticked. */
  readonly isSelected: boolean;
}

/** The list of submissions, as `pages/list.html` has it. */
export function listPage(frame: Frame, content: Listed, options: ListOptions): string {
  const { search, waiting, waitingCount, found, foundCount, pages, next, isWidened = false } = content;
  const { timeZone, newSince, newCount, marked, isEnd, isSelected } = options;
  const isFiltered = !isUnfiltered(search);
  const { page, before } = search;
  const forms = formsIn(search.scope);
  const ofPages = page > 1 ? `, page ${page} of ${pages}` : '';
  const withTopic = forms.filter((form) => TOPICS.has(form));
  const address = listAddress(search);
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
  const all = { ...search, view: 'waiting', before: undefined, page: 1 };
  const waitingList = {
    anchor: 'waiting',
    heading: 'Needs a decision',
    all: waitingCount > waiting.length && { address: listAddress(all), count: countText(waitingCount) },
    empty: false,
  };
  const otherList = {
    anchor: 'found',
    heading: !isFiltered && 'Newest first',
    all: false,
    empty: found.length === 0 && emptyText(isFiltered, waiting.length > 0),
  };
  return fillList(frame, {
    title: isFiltered
      ? `${filterText(search)}: ${countText(foundCount)} found${ofPages}`
      : `${waitingText(waitingCount)}${ofPages}`,
    text: search.text,
    views: [...VIEWS].map(([value, { label }]) => ({ value, label, isChosen: value === search.view })),
    periods: PERIODS.map((days) => ({ value: days, label: periodText(days), isChosen: days === search.days })),
    topicLabel: withTopic.map(topicWord).join(' or '),
    topics: withTopic.map((form) => ({
      group: `${topicWord(form)}s`,
      options: TOPICS.get(form)?.map((value) => ({ value, isChosen: value === search.topic })),
    })),
    isFiltered,
    hasHints: isFiltered || newCount > 0,
    newText: newCount > 0 && newText(newCount, newSince, timeZone),
    isWidened,
    // A text search may be meant for submissions that are done or spam.
    everywhere:
      search.text !== '' &&
      search.view !== 'all' &&
      listAddress({ ...search, view: 'all', before: undefined, page: 1 }),
    csv: foundCount + waitingCount > 0 && listAddress(search, '/inbox/export.csv'),
    marked: marked && { ...marked, isEnd, statusText: STATUS_LABELS[marked.handled].toLowerCase() },
    back: address,
    selectAll: !isSelected && [...waiting, ...found].length > 1 && withParameter(address, 'select', 'all'),
    canMark: [...waiting, ...found].some(({ state }) => state !== 'pending'),
    lists: [...(waiting.length > 0 ? [{ ...waitingList, ...rows(waiting) }] : []), { ...otherList, ...rows(found) }],
    zone: zoneText(timeZone),
    newer: page > 1 && listAddress({ ...search, page: page - 1 }),
    newest: before !== undefined && listAddress({ ...search, before: undefined, page: 1 }),
    older: next
      ? listAddress({ ...search, before: next, page: 1 })
      : page < pages && listAddress({ ...search, page: page + 1 }),
    range:
      pages > 1 &&
      `${(page - 1) * PAGE_ROWS + 1} to ${(page - 1) * PAGE_ROWS + found.length} of ${countText(foundCount)}`,
  });
}

/** The address of a list. Defaults are left out. */
export function listAddress({ view, text, topic, label, days, before, page }: Search, path = '/inbox'): string {
  const query = new URLSearchParams({
    ...(text && { q: text }),
    ...(view !== 'open' && { state: view }),
    ...(topic && { topic }),
    ...(label && { label }),
    ...(days > 0 && { days: String(days) }),
    ...(before && path === '/inbox' && { before: positionText(before) }),
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

const waitingText = (count: number) =>
  count === 0 ? 'Nothing needs a decision' : `${countText(count)} ${count === 1 ? 'needs' : 'need'} a decision`;

/** A number of submissions, which are counted up to a limit. */
const countText = (count: number): string =>
  count > COUNT_MAX ? `more than ${COUNT_MAX.toLocaleString('en')}` : `${count}`;

function newText(count: number, since: number, timeZone: string): string {
  return `${countText(count)} new since your visit on ${timeView(since, timeZone).words}`;
}

/** Describes the filters of a list. */
function filterText({ text, view, topic, label, days }: Search): string {
  const parts = [text && `“${text}”`, topic, label, VIEWS.get(view)?.label, days > 0 && periodText(days).toLowerCase()];
  return parts.filter(Boolean).join(', ');
}

const periodText = (days: number) => (days === 0 ? 'Any time' : `Last ${days} days`);

export const topicWord = (form: string): string => formOf(form)?.words.topic ?? 'topic';

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

/** Notes of colleagues on a row: who has it, labels and the reminder. */
function sharedView(submission: Submission, timeZone: string) {
  const { remindAt } = submission;
  const [holder, labels] = [takerOf(submission)?.by, labelsOf(submission)];
  const reminder = remindAt !== null && { day: timeText(remindAt, timeZone, 'day'), iso: dateText(remindAt, timeZone) };
  return (holder || labels.length > 0 || reminder) && { holder, labels, reminder };
}

const rowView = (submission: Submission, timeZone: string) => ({
  id: submission.id,
  name: clip(senderName(submission)),
  ...statusView(statusOf(submission)),
  received: timeView(submission.receivedAt, timeZone),
  subject: clip(subjectOf(submission)),
  why: submission.handled === null && whyInBrief(submission),
  beginning: clip(excerptOf(submission), 200),
  shared: sharedView(submission, timeZone),
  note: clip(notesOf(submission).at(-1)?.text ?? '', 200),
});
