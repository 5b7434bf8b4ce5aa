import { searchTermsOf } from '../submissions/search-terms.ts';
import { statusOf, type ListFilter, type Submission } from '../submissions/submission.ts';
import type { SubmissionSearchRepository } from '../submissions/submission-search.repository.ts';
import { listAddress } from './list-page.ts';
import {
  COUNT_MAX,
  DECISIONS,
  filterOf,
  isScanned,
  isUnfiltered,
  PAGE_ROWS,
  placesOf,
  WAITING,
  type Search,
} from './search.ts';

/** The list that a submission is in. Without a filter there are two: what needs a decision, and the rest. */
function listOf(search: Search, { state }: Submission): ListFilter {
  const filter = filterOf(search);
  if (!isUnfiltered(search)) return filter;
  const isWaiting = WAITING.includes(state);
  return { ...filter, statuses: filter.statuses.filter((one) => WAITING.includes(one) === isWaiting) };
}

/** Returns the references of the next newer and the next older submission of a list. */
export const neighboursIn = (repository: SubmissionSearchRepository, search: Search, submission: Submission) =>
  repository.neighbours(listOf(search, submission), submission, searchTermsOf(search.text));

/** Returns the address of a submission's row in a list, on its page; of the next row if it is no longer in the list. */
export async function rowAddress(
  repository: SubmissionSearchRepository,
  search: Search,
  submission: Submission,
): Promise<string> {
  const list = listOf(search, submission);
  const before = { ...list, after: submission };
  const newer = isScanned(search)
    ? (await placesOf(repository, search, before, COUNT_MAX)).length
    : await repository.count(before, COUNT_MAX);
  // The first page has only the first of those that need a decision.
  const isDecision = isUnfiltered(search) && WAITING.includes(submission.state);
  const view = isDecision && newer >= DECISIONS ? 'waiting' : search.view;
  const page = isDecision && newer < DECISIONS ? 1 : Math.floor(newer / PAGE_ROWS) + 1;
  const neighbours = await neighboursIn(repository, search, submission);
  const row = list.statuses.includes(statusOf(submission)) ? submission.id : (neighbours.older ?? neighbours.newer);
  return `${listAddress({ ...search, view, page })}${row === undefined ? '' : `#${row}`}`;
}
