import { submissionIdOf, type ResumeFiles } from './resume-files.ts';
import type { SubmissionSearchRepository } from './submission-search.repository.ts';

/** Minimum age of a file that is deleted as an orphan. A younger one may still get a submission, or be missed. */
export const ORPHAN_AGE_MS = 7 * 24 * 60 * 60_000;

/** Returns the keys of files that no submission names and that have a minimum age, and the number of all résumés. */
export async function findOrphans(
  files: ResumeFiles,
  search: SubmissionSearchRepository,
  olderThanMs: number,
): Promise<{ orphans: string[]; total: number }> {
  const older: string[] = [];
  let total = 0;
  for await (const { key, modifiedAt } of files.list()) {
    total += 1;
    if (Date.now() - modifiedAt >= olderThanMs) older.push(key);
  }
  const named = await search.resumeKeys(older.map(submissionIdOf));
  return { orphans: older.filter((key) => !named.has(key)), total };
}
