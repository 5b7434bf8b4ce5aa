import { formOf, nounOf } from '../contract/forms.ts';
import { dateText, listText, timeText, zoneText } from '../html/format.ts';
import { capitalized, excerptOf, inSentence, senderName, subjectOf, whyInBrief } from '../submissions/labels.ts';
import { notesOf } from '../submissions/notes.ts';
import { formsIn } from '../submissions/scope.ts';
import {
  labelsOf,
  statusOf,
  takerOf,
  type DayCounts,
  type Handled,
  type Submission,
} from '../submissions/submission.ts';
import { barsOf, daysOf, sumOf } from './recent-days.ts';
import { readPage, type Frame } from '../sign-in/page.ts';
import { statusView, timeView } from './page.ts';
import {
  COUNT_MAX,
  isNarrowed,
  isUnfiltered,
  PAGE_ROWS,
  PERIODS,
  positionText,
  REMINDERS,
  TOPICS,
  VIEWS,
  WAITING,
  type Listed,
  type Search,
} from './search.ts';
import { LOCALE } from '../contract/locale.ts';
import { serviceWords } from '../contract/service-words.ts';

const words = serviceWords('inbox').list;
const fillList = readPage('list', import.meta.url);

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
  /** Whether the user pressed a mark and had ticked no check box. */
  readonly isNothingChosen: boolean;
  /** Whether all check boxes are ticked. */
  readonly isSelected: boolean;
  /** Numbers of submissions that need a decision, in the order of `WAITING`. */
  readonly decisions: readonly number[];
  /** Labels that the list can be filtered by. */
  readonly labels: readonly string[];
  /** Numbers of the last days, if they are shown. */
  readonly days: readonly DayCounts[];
}

/** The list of submissions, as `pages/list.html` has it. */
export function listPage(frame: Frame, content: Listed, options: ListOptions): string {
  const { search, waiting, waitingCount, reminded, found, foundCount, pages, next, isWidened = false } = content;
  const { timeZone, newSince, newCount, marked, isEnd, isNothingChosen, isSelected, decisions, labels, days } = options;
  const isFiltered = !isUnfiltered(search);
  const { page, before } = search;
  const forms = formsIn(search.scope);
  const withTopic = forms.filter((form) => TOPICS.has(form));
  const address = listAddress(search);
  const shown = [...waiting, ...found];
  const total = isFiltered ? foundCount : waitingCount + foundCount;
  const headingOf = (values: { readonly count: string; readonly filter: string }) => {
    if (page > 1) return (isFiltered ? words.foundOnPage : words.openOnPage)({ ...values, page, pages });
    return (isFiltered ? words.found : words.open)(values);
  };
  const heading = headingOf({ count: countText(total), filter: filterText(search) });
  const bulk = (as: Handled) => withParameter(listAddress(search, '/inbox/mark-all'), 'as', as);
  const rows = (submissions: readonly Submission[]) => ({
    isFilled: submissions.length > 0,
    rows: submissions.slice(0, submissions === reminded ? REMINDERS : undefined).map((one) => ({
      ...rowView(one, timeZone),
      page: pageAddress(one.id, address),
      // A row of a reminder is in another list, too.
      anchor: submissions !== reminded && one.id,
      isNew: one.receivedAt > newSince && one.handled === null,
      thing: (forms.length > 1 || !forms.includes(one.form)) && nounOf(one.form),
      isMarkable: submissions !== reminded && one.state !== 'pending' && { isSelected },
    })),
  });
  const remindedList = {
    anchor: 'reminded',
    heading: reminded.length > REMINDERS ? words.firstReminders({ count: REMINDERS }) : words.reminders,
    parts: [],
    empty: false,
  };
  const waitingList = {
    anchor: 'waiting',
    heading: words.decision,
    parts: WAITING.flatMap((view, index) => {
      const count = decisions[index] ?? 0;
      const text = words.ofStatus({ count: countText(count), status: inSentence(view) });
      return count > 0 ? [{ address: listAddress({ ...search, view, before: undefined, page: 1 }), text }] : [];
    }),
    empty: false,
  };
  const otherList = {
    anchor: 'found',
    heading: !isFiltered && words.newestFirst,
    parts: [],
    empty: found.length === 0 && emptyText(isFiltered, waiting.length > 0),
  };
  return fillList(frame, {
    title: isNothingChosen ? words.nothingChosenTitle({ heading }) : heading,
    heading,
    text: search.text,
    hasLabels: labels.length > 0 && {
      labels: [...new Set([...labels, search.label])]
        .filter((label) => label !== '')
        .map((value) => ({ value, isChosen: value === search.label })),
    },
    views: [...VIEWS].map(([value, { label }]) => ({ value, label, isChosen: value === search.view })),
    periods: PERIODS.map((days) => ({
      value: days,
      label: capitalized(periodText(days)),
      isChosen: days === search.days,
    })),
    topicLabel: listText(withTopic.map(topicWord), 'disjunction'),
    topics: withTopic.map((form) => ({
      group: words.topics({ topic: topicWord(form) }),
      options: TOPICS.get(form)?.map((value) => ({ value, isChosen: value === search.topic })),
    })),
    isFiltered,
    isNarrowed: isNarrowed(search),
    newText: !isFiltered && newCount > 0 && newText(newCount, newSince, timeZone),
    isWidened,
    // A text search may be meant for submissions that are done or spam.
    everywhere:
      search.text !== '' &&
      search.view !== 'all' &&
      listAddress({ ...search, view: 'all', before: undefined, page: 1 }),
    csv: total > 0 && listAddress(search, '/inbox/export.csv'),
    marked: marked && { ...marked, isEnd, status: inSentence(marked.handled) },
    back: address,
    select: shown.length > 1 && {
      address: isSelected ? address : withParameter(address, 'select', 'all'),
      text: isSelected ? words.selectNone : words.selectAll,
    },
    // From its beginning, because what is marked is the whole filter.
    everything: isSelected &&
      before === undefined &&
      total > shown.length && { count: countText(total), done: bulk('done'), spam: bulk('spam') },
    canMark: shown.some(({ state }) => state !== 'pending'),
    isNothingChosen,
    lists: [
      ...(reminded.length > 0 ? [{ ...remindedList, ...rows(reminded) }] : []),
      ...(waiting.length > 0 ? [{ ...waitingList, ...rows(waiting) }] : []),
      { ...otherList, ...rows(found) },
    ],
    zone: zoneText(timeZone),
    newer: page > 1 && listAddress({ ...search, page: page - 1 }),
    newest: before !== undefined && listAddress({ ...search, before: undefined, page: 1 }),
    older: next
      ? listAddress({ ...search, before: next, page: 1 })
      : page < pages && listAddress({ ...search, page: page + 1 }),
    clearing:
      page === pages && found.length > 0 && search.view !== 'done' && search.view !== 'spam' && clearing(search),
    today: dateText(Date.now(), timeZone),
    recent: days.length > 0 && { ...sumOf(days), bars: barsOf(days), days: daysOf(days, timeZone) },
    range:
      pages > 1 &&
      words.range({
        from: (page - 1) * PAGE_ROWS + 1,
        to: (page - 1) * PAGE_ROWS + found.length,
        count: countText(foundCount),
      }),
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

/** A number of submissions, which are counted up to a limit. */
export const countText = (count: number): string =>
  count > COUNT_MAX ? words.moreThan({ count: COUNT_MAX.toLocaleString(LOCALE) }) : `${count}`;

/** The form that marks older submissions of a list. In the open list they are those whose mail was delivered. */
function clearing(search: Search) {
  const meant = search.view === 'open' ? { ...search, view: 'delivered' } : search;
  const address = listAddress({ ...meant, before: undefined, page: 1 });
  const filters = Array.from(new URL(address, 'http://inbox').searchParams);
  return {
    filters: filters.map(([name, value]) => ({ name, value })),
    what: search.view === 'open' ? words.everythingDelivered : words.everythingFiltered,
  };
}

function newText(count: number, since: number, timeZone: string): string {
  return words.newSince({ count: countText(count), time: timeView(since, timeZone).words });
}

/** Describes the filters of a list. */
export function filterText({ text, view, topic, label, days }: Search): string {
  const parts = [text && words.text({ text }), topic, label, VIEWS.get(view)?.label, days > 0 && periodText(days)];
  return parts.filter(Boolean).join(', ');
}

const periodText = (days: number) => (days === 0 ? words.anyTime : words.lastDays({ count: days }));

export const topicWord = (form: string): string => formOf(form)?.words.topic ?? words.topic;

function emptyText(isFiltered: boolean, hasWaiting: boolean): string {
  if (isFiltered) return words.nothingFits;
  return hasWaiting ? words.nothingElse : words.nothingOpen;
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

/** Marks that colleagues share on a row: who has it, labels and the reminder. */
function sharedView(submission: Submission, timeZone: string) {
  const { remindAt } = submission;
  const [holder, labels] = [takerOf(submission)?.by, labelsOf(submission)];
  const reminder = remindAt !== null && { day: timeText(remindAt, timeZone, 'day'), iso: dateText(remindAt, timeZone) };
  return (holder || labels.length > 0 || reminder) && { holder, labels, reminder };
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
  shared: sharedView(submission, timeZone),
  note: clip(notesOf(submission).at(-1)?.text ?? '', 200),
});
