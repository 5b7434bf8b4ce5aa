import { html, type Html } from '../html.ts';
import type { Submission, SubmissionState } from '../submissions/submission.ts';
import { chart, type Day } from './chart.ts';
import { page, timeOf, type Frame } from './layout.ts';
import { beginningOf, senderName, STATE_WORDS, subjectOf, whyWaiting } from '../submissions/words.ts';

/** What a person looks for. */
export interface Search {
  readonly state: SubmissionState | undefined;
  readonly text: string;
}

export interface ListContent {
  readonly search: Search;
  /** What waits for a person, on the first page without a search. */
  readonly waiting: readonly Submission[];
  readonly waitingCount: number;
  readonly found: readonly Submission[];
  /** Where the next page begins, if there is one. */
  readonly next: string | undefined;
  readonly days: readonly Day[];
  readonly timeZone: string;
}

/** The list: what waits for a decision first, then everything, the newest first. */
export function listPage(frame: Omit<Frame, 'title'>, content: ListContent): string {
  const { search, waiting, waitingCount, found, next, timeZone } = content;
  const isSearch = search.state !== undefined || search.text !== '';
  const title = waitingCount > 0 ? `${waitingCount} waiting for you` : 'Nothing waits for you';
  return page(
    { ...frame, title },
    html`<h1 class="text-2xl">${title}</h1>
${
  waiting.length > 0 &&
  html`<section class="grid gap-3" aria-labelledby="waiting">
<h2 id="waiting" class="text-xl">Needs a decision</h2>
${rows(waiting, timeZone)}
</section>`
}
${searchForm(search)}
<section class="grid gap-3" aria-labelledby="found">
<div class="flex flex-wrap items-baseline justify-between gap-x-6"><h2 id="found" class="text-xl">${isSearch ? 'Found' : 'Newest first'}</h2>
${isSearch && html`<a class="py-1 text-sm underline" href="/inbox">Show everything</a>`}</div>
${found.length > 0 ? rows(found, timeZone) : html`<p class="text-muted">${emptyWords(isSearch, waiting.length > 0)}</p>`}
${next && html`<p><a class="button button-quiet" href="${address({ ...search, after: next })}">Older ones</a></p>`}
</section>
${content.days.some(({ delivered, heldBack, other }) => delivered + heldBack + other > 0) && chart(content.days)}
${found.length + waiting.length > 0 && html`<p class="text-sm"><a class="underline" href="${address(search, '/inbox/export.csv')}">Download this list as CSV</a></p>`}`,
  );
}

function emptyWords(isSearch: boolean, isWaiting: boolean): string {
  if (isSearch) return 'Nothing fits. Try a part of the name, the e-mail address or the reference.';
  return isWaiting
    ? 'Nothing else is stored.'
    : 'What visitors send will appear here, and what needs a decision will stand on top.';
}

/** The address of the list with this search. */
export function address(search: Search & { readonly after?: string }, path = '/inbox'): string {
  const query = new URLSearchParams();
  if (search.state) query.set('state', search.state);
  if (search.text) query.set('q', search.text);
  if (search.after) query.set('after', search.after);
  return query.size > 0 ? `${path}?${query}` : path;
}

function searchForm({ state, text }: Search): Html {
  const choice = ([value, words]: readonly [string, string]) =>
    html`<option value="${value}"${value === (state ?? '') && html` selected`}>${words}</option>`;
  return html`<form class="flex flex-wrap items-end gap-3" action="/inbox" role="search">
<div class="field min-w-56 flex-1"><label for="q">Name, e-mail address or reference</label>
<input id="q" name="q" type="search" value="${text}" dir="auto" autocomplete="off"></div>
<div class="field"><label for="state">State</label>
<select id="state" name="state">${[['', 'All'] as const, ...Object.entries(STATE_WORDS)].map(choice)}</select></div>
<button class="button">Search</button>
</form>`;
}

function rows(submissions: readonly Submission[], timeZone: string): Html {
  return html`<ul class="grid divide-y divide-line border-y border-line">
${submissions.map(
  (one) => html`<li>
<a class="grid gap-x-6 gap-y-1 py-3 no-underline hover:bg-surface md:grid-cols-[1fr_auto]" href="/inbox/${one.id}">
<b class="text-lg leading-snug"><bdi>${senderName(one)}</bdi></b>
<span class="flex items-baseline gap-3 text-sm md:justify-end">${stateBadge(one.state)}<span class="text-muted">${timeOf(one.receivedAt, timeZone)}</span></span>
<span class="text-sm text-muted md:col-span-2"><bdi>${subjectOf(one)}</bdi></span>
${lineOf(whyWaiting(one))}
${lineOf(beginningOf(one), 'line-clamp-2')}
</a></li>
`,
)}</ul>`;
}

const lineOf = (text: string, kind = '') =>
  text !== '' && html`<span class="text-sm md:col-span-2 ${kind}" dir="auto">${text}</span>`;

const BADGES: Readonly<Record<SubmissionState, string>> = {
  pending: 'border-edge',
  delivered: 'border-success text-success',
  failed: 'border-error text-error',
  quarantined: 'border-signal text-signal',
};

export function stateBadge(state: SubmissionState): Html {
  return html`<span class="rounded-full border px-2 py-0.5 text-sm font-semibold whitespace-nowrap ${BADGES[state]}">${STATE_WORDS[state]}</span>`;
}
