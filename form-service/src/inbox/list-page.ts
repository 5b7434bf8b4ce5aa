import { SUBMISSION_STATES, type Submission } from '../submissions/submission.ts';
import { beginningOf, senderName, STATE_WORDS, subjectOf, whyWaiting } from '../submissions/words.ts';
import { chartOf } from './chart.ts';
import type { Listed, Search } from './search.ts';
import { readPage, stateSlots, timeSlots, type Frame } from './page.ts';

const fillList = readPage('list');

/** The list of submissions, as `pages/list.html` has it. */
export function listPage(frame: Frame, content: Listed, timeZone: string): string {
  const { search, waiting, waitingCount, found, next, hours } = content;
  const isSearch = search.state !== undefined || search.text !== '';
  const decisions = { place: 'waiting', heading: 'Needs a decision', search: false, isSearch: false, empty: false };
  const everything = {
    place: 'found',
    heading: isSearch ? 'Found' : 'Newest first',
    search: { text: search.text, states: choicesOf(search) },
    isSearch,
    empty: found.length === 0 && emptyWords(isSearch, waiting.length > 0),
  };
  return fillList(frame, {
    title: waitingCount > 0 ? `${waitingCount} waiting for you` : 'Nothing waits for you',
    lists: [
      ...(waiting.length > 0 ? [{ ...decisions, ...rowsOf(waiting, timeZone) }] : []),
      { ...everything, ...rowsOf(found, timeZone) },
    ],
    older: next && addressOf('/inbox', { ...search, after: next }),
    chart: chartOf(hours, timeZone),
    csv: found.length + waiting.length > 0 && addressOf('/inbox/export.csv', search),
  });
}

function emptyWords(isSearch: boolean, isWaiting: boolean): string {
  if (isSearch) return 'Nothing fits. Try a part of the name, the e-mail address or the reference.';
  return isWaiting
    ? 'Nothing else is stored.'
    : 'What visitors send will appear here, and what needs a decision will stand on top.';
}

/** The address of a page with this search. */
function addressOf(path: string, { state, text, after }: Search & { readonly after?: string }): string {
  const query = new URLSearchParams({ ...(state && { state }), ...(text && { q: text }), ...(after && { after }) });
  return query.size > 0 ? `${path}?${query}` : path;
}

const choicesOf = (search: Search) => [
  { state: '', words: 'All', isChosen: search.state === undefined },
  ...SUBMISSION_STATES.map((state) => ({ state, words: STATE_WORDS[state], isChosen: state === search.state })),
];

const rowsOf = (submissions: readonly Submission[], timeZone: string) => ({
  isFilled: submissions.length > 0,
  rows: submissions.map((one) => ({
    id: one.id,
    name: senderName(one),
    ...stateSlots(one.state),
    received: timeSlots(one.receivedAt, timeZone),
    subject: subjectOf(one),
    why: whyWaiting(one),
    beginning: beginningOf(one),
  })),
});
