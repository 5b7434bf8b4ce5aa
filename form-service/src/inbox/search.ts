import { DAY_MS } from '../config/durations.ts';
import { mailboxesOf, ownInboxOf, positionsOfSite, type RecipientSettings } from '../submissions/recipients.ts';
import { formsOf, type InboxUser } from '../config/inbox-users.ts';
import { fieldOf, FORM_KINDS, FORMS, type FormKind } from '../contract/forms.ts';
import { STATUS_LABELS } from '../submissions/labels.ts';
import { searchTermsOf, topicLine } from '../submissions/search-terms.ts';
import {
  STATUSES,
  SUBMISSION_STATES,
  type ListFilter,
  type ListPosition,
  type Scope,
  type Status,
  type Submission,
} from '../submissions/submission.ts';
import type { SubmissionSearchRepository } from '../submissions/submission-search.repository.ts';

/**
 * Returns which submissions a user may see: those of the role's forms, and those handed over to a mailbox of these. The
 * inbox of a form is that of its role. Another mailbox of both forms opens nothing, because a submission gets there without
 * leaving its department.
 */
export function scopeOf({ role }: Pick<InboxUser, 'role'>, settings: RecipientSettings): Scope {
  const forms = formsOf(role);
  const others = FORM_KINDS.filter((form) => !forms.includes(form));
  const mailboxes = (of: readonly FormKind[]) => of.flatMap((form) => mailboxesOf(form, settings));
  const inboxes = (of: readonly FormKind[]) => of.map((form) => ownInboxOf(form, settings));
  const isOwn = (one: string) =>
    inboxes(forms).includes(one) ? !inboxes(others).includes(one) : !mailboxes(others).includes(one);
  return { forms, mailboxes: mailboxes(forms).filter(isOwn) };
}

/** A filter by status, by its name in the address. */
interface View {
  readonly label: string;
  readonly statuses: readonly Status[];
}

/** Statuses that need a decision. */
export const WAITING: readonly Status[] = ['quarantined', 'failed'];

/** The filters by status. Open is everything that is not marked as done or spam. */
export const VIEWS: ReadonlyMap<string, View> = new Map([
  ['open', { label: 'Open', statuses: SUBMISSION_STATES }],
  ['waiting', { label: 'Needs a decision', statuses: WAITING }],
  ...STATUSES.map((status) => [status, { label: STATUS_LABELS[status], statuses: [status] }] as const),
  ['all', { label: 'All', statuses: STATUSES }],
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
  /** Name of a {@link View}. */
  readonly view: string;
  readonly text: string;
  readonly topic: string;
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
  readonly found: readonly Submission[];
  readonly foundCount: number;
  readonly pages: number;
}

export const PAGE_ROWS = 50;
/** Number of submissions that the first page shows under "Needs a decision". */
export const DECISIONS = 5;

/** The search that the address of a list asks for. */
export function searchOf(scope: Scope, query: Readonly<Record<string, unknown>>): Search {
  const { q, state, topic, days, page } = query;
  return {
    scope,
    view: VIEWS.has(String(state)) ? String(state) : 'open',
    text: typeof q === 'string' ? q.trim().slice(0, 200) : '',
    topic: scope.forms.flatMap((form) => TOPICS.get(form) ?? []).find((one) => one === topic) ?? '',
    days: PERIODS.find((one) => String(one) === days) ?? 0,
    page: /^[1-9]\d{0,5}$/.test(String(page)) ? Number(page) : 1,
  };
}

/** Whether a filter is chosen. */
export const isNarrowed = ({ view, topic, days }: Search): boolean => view !== 'open' || topic !== '' || days > 0;

/** Whether this is the list that a visit begins with. */
export const isUnfiltered = (search: Search): boolean => search.text === '' && !isNarrowed(search);

/**
 * A page of a list; the last one if there are fewer. Without a filter, the first page begins with what needs a
 * decision, and the list has the rest.
 */
export async function pageOf(
  repository: SubmissionSearchRepository,
  search: Search,
  pageRows = PAGE_ROWS,
): Promise<Listed> {
  const waitingList = { ...search.scope, statuses: WAITING };
  const waitingCount = await repository.count(waitingList);
  const filter = filterOf(search);
  const rest = { ...filter, statuses: filter.statuses.filter((status) => !WAITING.includes(status)) };
  const { count, read } = await listOf(repository, search, isUnfiltered(search) ? rest : filter, pageRows);
  const pages = Math.max(1, Math.ceil(count / pageRows));
  const page = Math.min(search.page, pages);
  const hasDecisions = isUnfiltered(search) && page === 1 && waitingCount > 0;
  return {
    search: { ...search, page },
    waiting: hasDecisions ? await repository.newest(waitingList, DECISIONS) : [],
    waitingCount,
    found: await read((page - 1) * pageRows),
    foundCount: count,
    pages,
  };
}

/** Everything that a search finds, the newest first. */
export async function* searchIn(repository: SubmissionSearchRepository, search: Search): AsyncGenerator<Submission> {
  const filter = filterOf(search);
  if (hasText(search)) {
    const places = await placesOf(repository, search, filter);
    for (let at = 0; at < places.length; at += repository.pageRows)
      yield* await repository.findAll(places.slice(at, at + repository.pageRows).map(({ id }) => id));
    return;
  }
  for (let before: ListPosition | undefined, isMore = true; isMore;) {
    const rows: readonly Submission[] = await repository.newest(filter, repository.pageRows, { before });
    yield* rows;
    before = rows.at(-1);
    isMore = rows.length === repository.pageRows;
  }
}

/** Positions of what a search finds, received until a time, except in these statuses, the newest first. */
export async function placesUntil(
  repository: SubmissionSearchRepository,
  search: Search,
  except: readonly Status[],
  until: number,
): Promise<readonly ListPosition[]> {
  const filter = filterOf(search);
  const statuses = filter.statuses.filter((status) => !except.includes(status));
  const places = statuses.length > 0 ? await placesOf(repository, search, { ...filter, statuses }) : [];
  return places.filter(({ receivedAt }) => receivedAt <= until);
}

const hasText = ({ text, topic }: Search) => text !== '' || topic !== '';

function filterOf({ scope, view, days }: Search): ListFilter {
  const statuses = VIEWS.get(view)?.statuses ?? STATUSES;
  return { ...scope, statuses, since: days === 0 ? 0 : Date.now() - days * DAY_MS };
}

/** The length of a list, and how a page of it is read. Without a text the indexes have both. */
async function listOf(repository: SubmissionSearchRepository, search: Search, filter: ListFilter, pageRows: number) {
  if (!hasText(search)) {
    const read = (offset: number) => repository.newest(filter, pageRows, { offset });
    return { count: await repository.count(filter), read };
  }
  const places = await placesOf(repository, search, filter);
  const read = (offset: number) => repository.findAll(places.slice(offset, offset + pageRows).map(({ id }) => id));
  return { count: places.length, read };
}

async function placesOf(
  repository: SubmissionSearchRepository,
  { text, topic }: Search,
  filter: ListFilter,
): Promise<readonly ListPosition[]> {
  const places: ListPosition[] = [];
  for await (const place of repository.positions(filter, topic && topicLine(topic), searchTermsOf(text)))
    places.push(place);
  return places;
}
