import { DAY_MS } from '../settings/durations.ts';
import { positionsOfSite } from '../submissions/recipients.ts';
import { formsIn, type Scope } from '../submissions/scope.ts';
import { fieldOf, FORMS, type FormKind } from '../contract/forms.ts';
import { STATUS_LABELS } from '../submissions/labels.ts';
import { searchTermsOf, topicKey } from '../submissions/search-terms.ts';
import {
  HANDLED,
  STATUSES,
  SUBMISSION_STATES,
  type ListFilter,
  type ListPosition,
  type Status,
  type Submission,
} from '../submissions/submission.ts';
import type { SubmissionSearchRepository } from '../submissions/submission-search.repository.ts';
import { serviceWords } from '../contract/service-words.ts';

const words = serviceWords('inbox').list;

/** A tab: a filter by status, by its name in the address. */
interface View {
  readonly label: string;
  readonly statuses: readonly Status[];
  /** Whether it has only what the user has taken. */
  readonly isMine?: boolean;
}

/** Statuses that need a decision. */
export const WAITING: readonly Status[] = ['quarantined', 'failed'];

/** The tabs. Open is everything that is not marked as done or spam. */
export const VIEWS: ReadonlyMap<string, View> = new Map([
  ['open', { label: words.openOnes, statuses: SUBMISSION_STATES }],
  ['mine', { label: words.mine, statuses: SUBMISSION_STATES, isMine: true }],
  ['waiting', { label: words.decision, statuses: WAITING }],
  ...HANDLED.map((status) => [status, { label: STATUS_LABELS[status], statuses: [status] }] as const),
  ['all', { label: words.all, statuses: STATUSES }],
]);

/** The filters by time, in days; 0 is no limit. */
export const PERIODS = [0, 7, 30] as const;

/** The topics that a list can be filtered by, such as services and positions, for each form that has a topic. */
export const TOPICS: ReadonlyMap<FormKind, readonly string[]> = new Map(
  FORMS.flatMap(({ kind, place }) => {
    const topic = fieldOf(kind, 'topic');
    // Visitors type a position. The site's positions open the form in the dialog.
    const typed = place === 'dialog' ? (positionsOfSite() ?? []) : [];
    return topic ? [[kind, topic.options ?? typed] as const] : [];
  }),
);

/** Search text, filters and page of a list. */
export interface Search {
  readonly scope: Scope;
  /** Name of the user. */
  readonly user: string;
  /** Name of a {@link View}. */
  readonly view: string;
  readonly text: string;
  readonly topic: string;
  readonly label: string;
  readonly days: (typeof PERIODS)[number];
  /** Counts from 1. */
  readonly page: number;
}

/** A page of a list. */
export interface Listed {
  readonly search: Search;
  /** The first of those that need a decision, on the first page without a filter. */
  readonly waiting: readonly Submission[];
  readonly waitingCount: number;
  /** The first of those whose reminder is due, on the same page. */
  readonly reminded: readonly Submission[];
  readonly found: readonly Submission[];
  /** Length of the list; more than {@link COUNT_MAX} if it is longer. */
  readonly foundCount: number;
  readonly pages: number;
}

export const PAGE_ROWS = 50;
/** Number of submissions that are counted and have a page. More would take too long; the CSV has all. */
export const COUNT_MAX = 10_000;
/** Number of submissions that the first page shows under "Needs a decision". */
export const DECISIONS = 5;
/** Number of submissions that the first page shows under "Reminders". */
const REMINDERS = 10;

/** The search that the address of a list asks for. */
export function searchOf(scope: Scope, query: Readonly<Record<string, unknown>>, user: string): Search {
  const { q, state, topic, label, days, page } = query;
  return {
    scope,
    user,
    view: VIEWS.has(String(state)) ? String(state) : 'open',
    text: typeof q === 'string' ? q.trim().slice(0, 200) : '',
    topic:
      formsIn(scope)
        .flatMap((form) => TOPICS.get(form) ?? [])
        .find((one) => one === topic) ?? '',
    label: typeof label === 'string' && !/\p{Cc}/u.test(label) ? label.slice(0, 200) : '',
    days: PERIODS.find((one) => String(one) === days) ?? 0,
    page: /^[1-9]\d{0,5}$/.test(String(page)) ? Number(page) : 1,
  };
}

/** Whether a filter is chosen in addition to the tab. */
export const isNarrowed = ({ topic, label, days }: Search): boolean => topic !== '' || label !== '' || days > 0;

/** Whether submissions must be read to find those of the list, because no index has what is searched for. */
const isScanned = ({ text, label }: Search): boolean => text !== '' || label !== '';

/** Whether this is the list that a visit begins with. */
export const isUnfiltered = (search: Search): boolean =>
  search.view === 'open' && search.text === '' && !isNarrowed(search);

/** Counts what the tabs of open submissions have, without text and other filters. */
export async function countTabs(
  repository: SubmissionSearchRepository,
  { scope, user }: Search,
): Promise<ReadonlyMap<string, number>> {
  const counted = [...VIEWS].filter(([, { statuses }]) =>
    statuses.every((status) => !HANDLED.some((one) => one === status)),
  );
  const counts = counted.map(async ([view, { statuses, isMine }]) => {
    const filter = { ...scope, statuses, takenBy: isMine ? user : undefined };
    return [view, await repository.count(filter, COUNT_MAX + 1)] as const;
  });
  return new Map(await Promise.all(counts));
}

/**
 * A page of a list; the last one if there are fewer. Without a filter, the first page begins with what needs a decision, and
 * the list has the rest.
 */
export async function pageOf(
  repository: SubmissionSearchRepository,
  search: Search,
  pageRows = PAGE_ROWS,
  countMax = COUNT_MAX,
): Promise<Listed> {
  const waitingList = { ...search.scope, statuses: WAITING };
  const waitingCount = await repository.count(waitingList, countMax + 1);
  const filter = filterOf(search);
  const rest = { ...filter, statuses: filter.statuses.filter((status) => !WAITING.includes(status)) };
  const { count, read } = await listOf(repository, search, isUnfiltered(search) ? rest : filter, countMax + 1);
  const pages = Math.max(1, Math.ceil(Math.min(count, countMax) / pageRows));
  const page = Math.min(search.page, pages);
  const isStart = isUnfiltered(search) && page === 1;
  return {
    search: { ...search, page },
    waiting: isStart && waitingCount > 0 ? await repository.newest(waitingList, DECISIONS) : [],
    waitingCount,
    reminded: isStart ? await repository.reminded(search.scope, REMINDERS) : [],
    found: await read((page - 1) * pageRows, pageRows),
    foundCount: count,
    pages,
  };
}

/** Number of rows of a list that the page of a submission shows. */
const NEIGHBOURS = 12;

/** Returns the part of a list's page around a submission, which may have left the list; then its beginning. */
export function neighboursOf({ waiting, found }: Listed, id: string) {
  const all = [...waiting, ...found];
  const at = all.findIndex((one) => one.id === id);
  const from = Math.max(0, Math.min(at - NEIGHBOURS / 2, all.length - NEIGHBOURS));
  const rows = all.slice(from, from + NEIGHBOURS);
  const [newer, older] = at < 0 ? [] : [all[at - 1], all[at + 1]];
  return { rows, newer, older };
}

/** Everything that a search finds when it begins, the newest first. */
export async function* searchIn(repository: SubmissionSearchRepository, search: Search): AsyncGenerator<Submission> {
  const ids = (await placesOf(repository, search, filterOf(search))).map(({ id }) => id);
  for (let at = 0; at < ids.length; at += repository.pageRows)
    yield* await repository.findAll(ids.slice(at, at + repository.pageRows));
}

function filterOf({ scope, user, view, topic, label, days }: Search): ListFilter {
  const { statuses = STATUSES, isMine = false } = VIEWS.get(view) ?? {};
  return {
    ...scope,
    statuses,
    since: days === 0 ? 0 : Date.now() - days * DAY_MS,
    topic: topic === '' ? undefined : topicKey(topic),
    takenBy: isMine ? user : undefined,
    label: label === '' ? undefined : label,
  };
}

/** The length of a list up to a limit, and how a page of it is read. The indexes have both, unless it must be scanned. */
async function listOf(repository: SubmissionSearchRepository, search: Search, filter: ListFilter, limit: number) {
  if (!isScanned(search)) {
    const read = (offset: number, rows: number) => repository.newest(filter, rows, offset);
    return { count: await repository.count(filter, limit), read };
  }
  const places = await placesOf(repository, search, filter, limit);
  const read = (offset: number, rows: number) =>
    repository.findAll(places.slice(offset, offset + rows).map(({ id }) => id));
  return { count: places.length, read };
}

async function placesOf(
  repository: SubmissionSearchRepository,
  { text }: Search,
  filter: ListFilter,
  limit = Infinity,
): Promise<readonly ListPosition[]> {
  const places: ListPosition[] = [];
  for await (const place of repository.positions(filter, searchTermsOf(text))) if (places.push(place) >= limit) break;
  return places;
}
