import { formOf, nounOf } from '../contract/forms.ts';
import { LOCALE } from '../contract/locale.ts';
import { serviceWords } from '../contract/service-words.ts';
import { dateText, listText, timeText, zoneText } from '../html/format.ts';
import { messagePage, readPage, type Frame } from '../sign-in/page.ts';
import { beginningOf, capitalized, excerptOf, inSentence, STATUS_LABELS } from '../submissions/labels.ts';
import { senderName, subjectOf, whyWaiting } from '../submissions/labels.ts';
import { notesOf } from '../submissions/notes.ts';
import { formsIn } from '../submissions/scope.ts';
import { labelsOf, statusOf, type Handled, type Status, type Submission } from '../submissions/submission.ts';
import {
  COUNT_MAX,
  isNarrowed,
  isUnfiltered,
  PAGE_ROWS,
  PERIODS,
  REMINDERS,
  TOPICS,
  VIEWS,
  WAITING,
} from './search.ts';
import type { Listed, Search } from './search.ts';

const { list: words, markAll } = serviceWords('inbox');
const fillList = readPage('list', import.meta.url);
const fillMarkAll = readPage('mark-all', import.meta.url);

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
  /** Labels that the list can be filtered by. */
  readonly labels: readonly string[];
}

/** The list of submissions, as `pages/list.html` has it. */
export function listPage(frame: Frame, content: Listed, options: ListOptions): string {
  const { search, waiting, waitingCount, reminded, found, foundCount, pages } = content;
  const { timeZone, newSince, newCount, marked, isNothingChosen, isSelected } = options;
  const { page, text } = search;
  const isFiltered = !isUnfiltered(search);
  const address = listAddress(search);
  const shown = [...waiting, ...found];
  const total = isFiltered ? foundCount : waitingCount + foundCount;
  const count = countText(total);
  const heading = headingOf(search, { count, pages });
  const markAllAddress = (as: Handled) => withParameter(listAddress(search, '/inbox/mark-all'), 'as', as);
  const view = (submission: Submission) => rowView(submission, search, { timeZone, newSince, isSelected });
  const lists = [
    {
      anchor: 'reminded',
      heading: reminded.length > REMINDERS ? words.firstReminders({ count: REMINDERS }) : words.reminders,
      // A row of a reminder is in another list, too.
      rows: reminded.slice(0, REMINDERS).map((one) => ({ ...view(one), anchor: false, isMarkable: false })),
    },
    { anchor: 'waiting', heading: words.decision, parts: partsOf(search, options.decisions), rows: waiting.map(view) },
  ].filter(({ rows }) => rows.length > 0);
  return fillList(frame, {
    title: isNothingChosen ? words.nothingChosenTitle({ heading }) : heading,
    heading,
    text,
    ...filtersOf(search, options.labels),
    isFiltered,
    isNarrowed: isNarrowed(search),
    newText:
      !isFiltered &&
      newCount > 0 &&
      words.newSince({ count: countText(newCount), time: timeView(newSince, timeZone).words }),
    // A text search may be meant for submissions that are done or spam.
    everywhere: text !== '' && search.view !== 'all' && listAddress({ ...search, view: 'all', page: 1 }),
    csv: total > 0 && listAddress(search, '/inbox/export.csv'),
    marked: marked && { ...marked, sentence: words.marked[marked.handled]({ count: marked.count }) },
    back: address,
    select: shown.length > 1 && {
      address: isSelected ? address : withParameter(address, 'select', 'all'),
      text: isSelected ? words.selectNone : words.selectAll,
    },
    everything: isSelected &&
      total > shown.length && { count, done: markAllAddress('done'), spam: markAllAddress('spam') },
    canMark: shown.some(({ state }) => state !== 'pending'),
    isNothingChosen,
    lists: [
      ...lists,
      {
        anchor: 'found',
        heading: !isFiltered && words.newestFirst,
        rows: found.map(view),
        empty: found.length === 0 && emptyText(isFiltered, waiting.length > 0),
      },
    ].map((list) => ({ parts: [], empty: false, ...list, isFilled: list.rows.length > 0 })),
    zone: zoneText(timeZone),
    newer: page > 1 && listAddress({ ...search, page: page - 1 }),
    older: page < pages && listAddress({ ...search, page: page + 1 }),
    range:
      pages > 1 &&
      words.range({
        from: (page - 1) * PAGE_ROWS + 1,
        to: (page - 1) * PAGE_ROWS + found.length,
        count: countText(foundCount),
      }),
  });
}

/** The question before all submissions of a list are marked that had arrived at a time, in milliseconds since the epoch. */
export function markAllPage(frame: Frame, search: Search, as: Handled, at: number, count: number): string {
  if (count === 0) return messagePage(frame, markAll.nothing);
  const back = listAddress({ ...search, page: 1 });
  const filters = [...new URL(back, 'http://inbox').searchParams];
  return fillMarkAll(frame, {
    title: markAll.title[as]({ count }),
    marks: markAll.marks({ filter: filterText(search) }),
    yes: markAll.yes[as]({ count }),
    fields: [...filters, ['as', as], ['at', String(at)]].map(([name, value]) => ({ name, value })),
    back,
  });
}

/** The address of a list. Defaults are left out. */
export function listAddress({ view, text, topic, label, days, page }: Search, path = '/inbox'): string {
  const query = new URLSearchParams({
    ...(text && { q: text }),
    ...(view !== 'open' && { state: view }),
    ...(topic && { topic }),
    ...(label && { label }),
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

/** Describes the filters of a list. */
export function filterText({ text, view, topic, label, days }: Search): string {
  const parts = [text && words.text({ text }), topic, label, VIEWS.get(view)?.label, days > 0 && periodText(days)];
  return parts.filter(Boolean).join(', ');
}

const BADGES: Readonly<Record<Status, string>> = {
  pending: 'border-edge text-ink',
  delivered: 'border-edge text-muted',
  failed: 'border-error text-error',
  quarantined: 'border-edge text-ink',
  done: 'border-edge text-muted',
  spam: 'border-edge text-muted',
};

/** The view of a status: its words and its colours. */
export const statusView = (status: Status) => ({ status: STATUS_LABELS[status], badge: BADGES[status] });

/** The view of a time: in words, without its zone, and in ISO 8601. */
export const timeView = (time: number, timeZone: string) => ({
  words: timeText(time, timeZone),
  iso: new Date(time).toISOString(),
});

/** The view of a day, such as that of a reminder. */
export const dayView = (time: number, timeZone: string) => ({
  day: timeText(time, timeZone, 'day'),
  iso: dateText(time, timeZone),
});

function headingOf(search: Search, { count, pages }: { readonly count: string; readonly pages: number }): string {
  const values = { count, filter: filterText(search), page: search.page, pages };
  if (isUnfiltered(search)) return search.page > 1 ? words.openOnPage(values) : words.open(values);
  return search.page > 1 ? words.foundOnPage(values) : words.found(values);
}

/** A number of submissions, which are counted up to a limit. */
const countText = (count: number): string =>
  count > COUNT_MAX ? words.moreThan({ count: COUNT_MAX.toLocaleString(LOCALE) }) : `${count}`;

/** The choices of the filters. */
function filtersOf(search: Search, labels: readonly string[]) {
  const choices = (values: readonly string[], chosen: string) =>
    values.map((value) => ({ value, isChosen: value === chosen }));
  const own = [...new Set([...labels, search.label])].filter((label) => label !== '');
  const withTopic = formsIn(search.scope).filter((form) => TOPICS.has(form));
  return {
    hasLabels: labels.length > 0 && { labels: choices(own, search.label) },
    views: [...VIEWS].map(([value, { label }]) => ({ value, label, isChosen: value === search.view })),
    periods: PERIODS.map((value) => ({
      value,
      label: capitalized(periodText(value)),
      isChosen: value === search.days,
    })),
    topicLabel: listText(withTopic.map(topicWord), 'disjunction'),
    topics: withTopic.map((form) => ({
      group: words.topics({ topic: topicWord(form) }),
      options: choices(TOPICS.get(form) ?? [], search.topic),
    })),
  };
}

/** Links to what needs a decision, by status. */
const partsOf = (search: Search, decisions: readonly number[]) =>
  WAITING.flatMap((view, index) => {
    const count = decisions[index] ?? 0;
    const text = words.ofStatus({ count: countText(count), status: inSentence(view) });
    return count > 0 ? [{ address: listAddress({ ...search, view, page: 1 }), text }] : [];
  });

const periodText = (days: number) => (days === 0 ? words.anyTime : words.lastDays({ count: days }));

const topicWord = (form: string): string => formOf(form)?.words.topic ?? words.topic;

function emptyText(isFiltered: boolean, hasWaiting: boolean): string {
  if (isFiltered) return words.nothingFits;
  return hasWaiting ? words.nothingElse : words.nothingOpen;
}

/** One row. The state is shown if it is not the usual one. */
function rowView(
  submission: Submission,
  search: Search,
  { timeZone, newSince, isSelected }: Pick<ListOptions, 'timeZone' | 'newSince' | 'isSelected'>,
) {
  const { id, form, state, handled, receivedAt, remindAt, takenBy } = submission;
  const [labels, forms] = [labelsOf(submission), formsIn(search.scope)];
  const reminder = remindAt !== null && dayView(remindAt, timeZone);
  const why = handled === null && whyWaiting(submission);
  const thing = (forms.length > 1 || !forms.includes(form)) && capitalized(nounOf(form));
  return {
    id,
    page: pageAddress(id, listAddress(search)),
    anchor: id,
    isNew: receivedAt > newSince && handled === null,
    thing,
    isAlone: !thing,
    isMarkable: state !== 'pending' && { isSelected },
    name: senderName(submission),
    ...(statusOf(submission) === 'delivered' ? { status: '', badge: '' } : statusView(statusOf(submission))),
    received: timeView(receivedAt, timeZone),
    subject: subjectOf(submission),
    why,
    isWide: !why,
    beginning: excerptOf(submission),
    // Marks that colleagues share: who has it, labels and the reminder.
    shared: (takenBy || labels.length > 0 || reminder) && { holder: takenBy, labels, reminder },
    note: beginningOf(notesOf(submission).at(-1)?.text ?? ''),
  };
}
