import type { InboxUser, Role } from '../config/inbox-users.ts';
import { SUBMISSION_STATES, type FormKind, type Submission, type SubmissionState } from '../submissions/submission.ts';
import type { HourCount, SubmissionsRepository } from '../submissions/submissions.repository.ts';
import { senderName } from '../submissions/words.ts';
import { CHART_MS } from './chart.ts';

const ROLES: Readonly<Record<Role, readonly FormKind[]>> = {
  sales: ['contact'],
  hr: ['application'],
  all: ['contact', 'application'],
};

/** Which forms' submissions a user sees. */
export const formsOf = ({ role }: InboxUser): readonly FormKind[] => ROLES[role];

/** What a person looks for. */
export interface Search {
  readonly forms: readonly FormKind[];
  readonly state: SubmissionState | undefined;
  readonly text: string;
}

/** A page of what was found. */
export interface Listed {
  readonly search: Search;
  /** What waits for a person, on the first page without a search. */
  readonly waiting: readonly Submission[];
  readonly waitingCount: number;
  readonly found: readonly Submission[];
  /** Where the next page begins, if there is one. */
  readonly next: string | undefined;
  /** What was received lately, where that is shown. */
  readonly hours: readonly HourCount[];
}

const PAGE_ROWS = 50;
/** A search looks at so many rows at a time. */
const SCANNED_ROWS = 500;
const WAITING: readonly SubmissionState[] = ['quarantined', 'failed'];

/** The search that an address of the list asks for. */
export function searchOf(user: InboxUser, state: unknown, text: unknown): Search {
  return {
    forms: formsOf(user),
    state: SUBMISSION_STATES.find((one) => one === state),
    text: typeof text === 'string' ? text.slice(0, 200) : '',
  };
}

/** A page of what fits. The first one of all begins with what waits for a person. */
export async function pageOf(submissions: SubmissionsRepository, search: Search, after?: string): Promise<Listed> {
  const { forms } = search;
  const isFirst = search.state === undefined && search.text === '' && after === undefined;
  const waitingCount = await submissions.count(forms, WAITING);
  const waiting = isFirst ? await submissions.newest(forms, WAITING, PAGE_ROWS) : [];
  const hours = isFirst ? await submissions.countsByHour(forms, Date.now() - CHART_MS) : [];
  const shown = new Set(waiting.map(({ id }) => id));
  const found: Submission[] = [];
  for await (const one of searchIn(submissions, search, after)) {
    if (shown.has(one.id)) continue;
    const last = found.at(-1);
    if (found.length === PAGE_ROWS && last)
      return { search, waiting, waitingCount, found, next: `${last.receivedAt}.${last.id}`, hours };
    found.push(one);
  }
  return { search, waiting, waitingCount, found, next: undefined, hours };
}

/** Everything that fits, the newest first. @param after where the page before ended */
export async function* searchIn(
  submissions: SubmissionsRepository,
  { forms, state, text }: Search,
  after?: string,
): AsyncGenerator<Submission> {
  const wanted = folded(text);
  const limit = wanted === '' ? PAGE_ROWS : SCANNED_ROWS;
  let last = placeFrom(after);
  for (;;) {
    const rows = await submissions.newest(forms, state ? [state] : SUBMISSION_STATES, limit, last);
    for (const one of rows) if (wanted === '' || fits(one, wanted)) yield one;
    last = rows.at(-1);
    if (rows.length < limit) return;
  }
}

/** The last submission of a page, from the address of the next one. */
function placeFrom(text = ''): Pick<Submission, 'receivedAt' | 'id'> | undefined {
  const [, receivedAt, id] = /^(\d{1,15})\.(KW-[0-9A-Z-]{19})$/.exec(text) ?? [];
  return receivedAt && id ? { receivedAt: Number(receivedAt), id } : undefined;
}

/** Text in which people find what they look for: without case, accents and direction marks. */
function folded(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}]/gu, '')
    .toLowerCase()
    .trim();
}

function fits(submission: Submission, wanted: string): boolean {
  return [senderName(submission), submission.fields.email, submission.id].some((text) => folded(text).includes(wanted));
}
