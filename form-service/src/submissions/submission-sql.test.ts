import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';

const SOURCES = new URL('..', import.meta.url);

/** SQL for the table `submissions`, as text or with Kysely's builder. */
const SQL = /\b(?:FROM|INTO|UPDATE|JOIN|TABLE)\s+submissions\b|(?:From|Into|Table|Join)\('submissions\b/;

/** Files that may contain it: one class for each verb, and two statements that join or replace more than one table. */
const ALLOWED = [
  'cli/restore.ts',
  'outbox/notifications.repository.ts',
  'submissions/handling.repository.ts',
  'submissions/submission-search.repository.ts',
  'submissions/submission-sql.ts',
  'submissions/submissions.repository.ts',
];

describe('SQL for submissions', () => {
  it('is in three repositories', () => {
    const files = globSync('**/*.ts', { cwd: SOURCES }).filter(
      (file) => !/\.(?:test|integration)\.ts$|^database\/migrations\//.test(file),
    );
    const found = files.filter((file) => SQL.test(readFileSync(new URL(file, SOURCES), 'utf8')));
    expect(found.toSorted()).toEqual(ALLOWED);
  });
});
