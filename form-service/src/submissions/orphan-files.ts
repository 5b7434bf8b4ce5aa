import { PAGE } from '../database/database.ts';
import { submissionIdOf, type ResumeFiles } from './resume-files.ts';
import type { SubmissionsRepository } from './submissions.repository.ts';

/** Minimum age of a file that is deleted as an orphan. A younger one may still get a submission, or be missed. */
export const ORPHAN_AGE_MS = 7 * 24 * 60 * 60_000;

/** Returns the keys of files that no submission names and that have a minimum age, and the number of all résumés. */
export async function findOrphans(
  files: ResumeFiles,
  submissions: SubmissionsRepository,
  olderThanMs: number,
): Promise<{ orphans: string[]; total: number }> {
  const orphans: string[] = [];
  const older: string[] = [];
  let total = 0;
  for await (const { key, modifiedAt } of files.list()) {
    total += 1;
    if (Date.now() - modifiedAt >= olderThanMs) older.push(key);
  }
  for (let at = 0; at < older.length; at += PAGE) {
    const page = older.slice(at, at + PAGE);
    const named = await submissions.resumeKeys(page.map(submissionIdOf));
    orphans.push(...page.filter((key) => !named.has(key)));
  }
  return { orphans, total };
}
