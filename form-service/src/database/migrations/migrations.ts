import type { Migration } from 'kysely';
import * as submissions from './0001-submissions.ts';

/**
 * All migrations, in the order of their names. A released migration is never changed: the next one changes its result.
 */
export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '0001-submissions': submissions,
};
