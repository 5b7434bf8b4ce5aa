import { formOf, nounOf } from '../contract/forms.ts';
import { LOCALE } from '../contract/locale.ts';
import { serviceWords } from '../contract/service-words.ts';
import { ageText, dateText, listText, timeText, zoneText } from '../html/format.ts';
import { readPage, type Frame } from '../sign-in/page.ts';
import { beginningOf, capitalized, excerptOf, senderName, STATUS_LABELS, subjectOf } from '../submissions/labels.ts';
import { notesOf, labelsOf, statusOf, type Handled, type Status, type Submission } from '../submissions/submission.ts';
import { formsIn } from '../submissions/scope.ts';
import { COUNT_MAX, isNarrowed, isUnfiltered, PAGE_ROWS, PERIODS, TOPICS, VIEWS } from './search.ts';
import type { Listed, Search } from './search.ts';

const words = serviceWords('inbox').list;
const fillList = readPage('list', import.meta.url);

/** Values that a list shows in addition to its submissions. */
interface ListOptions {
  readonly timeZone: string;
  /** End of the user's visit before this one. */
  readonly newSince: number;
  /** Numbers of submissions in tabs, by their names in the address. */
  readonly counts: ReadonlyMap<string, number>;
  readonly marked: Marks | undefined;
  /** Whether all check boxes are ticked. */
  readonly isSelected: boolean;
  /** Labels that the list can be filtered by. */
  readonly labels: readonly string[];
}

/** The list of submissions, as `pages/list.html` has it. */
export function listPage(frame: Frame, content: Listed, options: ListOptions): string {
  const { search, waiting, waitingCount, reminded, found, foundCount, pages } = content;
  const { timeZone, newSince, marked, isSelected, counts } = options;
  const { page, text, view } = search;
  const isStart = isUnfiltered(search);
  const isFiltered = text !== '' || isNarrowed(search);
  const address = listAddress(search);
  const shown = [...waiting, ...found];
  const total = isStart ? waitingCount + foundCount : foundCount;
  const count = countText(total);
  const heading = isStart ? words.open({ count }) : words.found({ count, filter: filterText(search) });
  const viewOf = (submission: Submission) => {
    const { id, state, receivedAt, handled } = submission;
    return {
      ...rowView(submission, search, timeZone),
      anchor: id,
      isNew: receivedAt > newSince && handled === null,
      isMarkable: state !== 'pending' && { isSelected },
    };
  };
  const tabs = [...VIEWS].map(([name, { label }]) => {
    // A count of everything next to a part of it would mislead.
    const count = isFiltered ? undefined : counts.get(name);
    const tab = listAddress({ ...search, view: name, page: 1 });
    return { label, address: tab, count: count !== undefined && countText(count), isCurrent: name === view };
  });
  const lists = [
    {
      anchor: 'reminded',
      heading: words.reminders,
      // A row of a reminder is in another list, too.
      rows: reminded.map((one) => ({ ...viewOf(one), anchor: false, isMarkable: false })),
    },
    {
      anchor: 'waiting',
      heading: words.decision,
      all: waitingCount > waiting.length && {
        address: listAddress({ ...search, view: 'waiting', page: 1 }),
        text: words.allOf({ count: countText(waitingCount) }),
      },
      rows: waiting.map(viewOf),
    },
  ].filter(({ rows }) => rows.length > 0);
  return fillList(frame, {
    title: heading,
    text,
    view,
    ...filtersOf(search, options.labels),
    tabs,
    isStart,
    isFiltered,
    isNarrowed: isNarrowed(search),
    unfiltered: listAddress({ ...search, text: '', topic: '', label: '', days: 0, page: 1 }),
    csv: total > 0 && listAddress(search, '/inbox/export.csv'),
    marked: marksView(marked),
    back: address,
    select: shown.length > 1 && {
      address: isSelected ? address : withParameter(address, 'select', 'all'),
      text: isSelected ? words.selectNone : words.selectAll,
    },
    canMark: shown.some(({ state }) => state !== 'pending'),
    lists: [
      ...lists,
      {
        anchor: 'found',
        heading: lists.length > 0 && words.newestFirst,
        rows: found.map(viewOf),
        empty: found.length === 0 && emptyText(isStart, waiting.length > 0),
      },
    ].map((list) => ({ all: false, empty: false, ...list, isFilled: list.rows.length > 0 })),
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

/** Submissions that the user has just marked, in milliseconds since the epoch. */
export interface Marks {
  readonly handled: Handled;
  readonly count: number;
  readonly at: number;
}

/** The view of what was marked, which the next page offers to undo. */
export const marksView = (marks: Marks | undefined) =>
  marks && { ...marks, sentence: words.marked[marks.handled]({ count: marks.count }) };

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
function filterText({ text, view, topic, label, days }: Search): string {
  const parts = [text && words.text({ text }), topic, label, VIEWS.get(view)?.label, days > 0 && periodText(days)];
  return parts.filter(Boolean).join(', ');
}

/** The view of a status: its words and its colours. */
export const statusView = (status: Status) => ({
  status: STATUS_LABELS[status],
  badge: status === 'failed' ? 'border-error text-error' : 'border-edge text-ink',
});

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

const periodText = (days: number) => (days === 0 ? words.anyTime : words.lastDays({ count: days }));

const topicWord = (form: string): string => formOf(form)?.words.topic ?? words.topic;

function emptyText(isStart: boolean, hasWaiting: boolean): string {
  if (!isStart) return words.nothingFits;
  return hasWaiting ? words.nothingElse : words.nothingOpen;
}

/** Signs of submissions with and without a file, as paths in a square of 24 units. */
export const SHEET = 'M6 3h8l4 4v14H6zM14 3v4h4M9 12h6M9 16h6';
const ENVELOPE = 'M3 6h18v12H3zM3 7l9 6 9-6';

/** A submission in a list. The status is shown if it is neither the usual one nor that of the tab. */
export function rowView(submission: Submission, search: Search, timeZone: string) {
  const { id, form, resume, receivedAt, remindAt, takenBy } = submission;
  const status = statusOf(submission);
  const note = notesOf(submission).at(-1)?.text ?? '';
  return {
    id,
    page: pageAddress(id, listAddress(search)),
    noun: capitalized(nounOf(form)),
    sign: resume ? SHEET : ENVELOPE,
    name: senderName(submission),
    subject: subjectOf(submission),
    note: beginningOf(note),
    beginning: note === '' ? excerptOf(submission) : '',
    status: status !== 'delivered' && status !== search.view && statusView(status),
    labels: labelsOf(submission),
    reminder: remindAt !== null && { day: timeText(remindAt, timeZone, 'date'), iso: dateText(remindAt, timeZone) },
    holder: takenBy !== null && { taker: takenBy, initials: initialsOf(takenBy) },
    received: { ...timeView(receivedAt, timeZone), age: ageText(receivedAt, timeZone) },
  };
}

/** Returns two letters of a user's name: `AL` for `ada.lovelace@example.org`, `JO` for `jonas`. */
function initialsOf(name: string): string {
  const [first = '', second] = name.replace(/@.*/, '').split(/[^\p{L}\p{N}]+/u);
  return (second ? `${first.slice(0, 1)}${second.slice(0, 1)}` : first.slice(0, 2)).toLocaleUpperCase(LOCALE);
}
