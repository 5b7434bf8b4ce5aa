import { Injectable } from '@nestjs/common';
import { sql, type RawBuilder } from 'kysely';
import { FORM_KINDS, valueOf } from '../contract/forms.ts';
import { Database } from '../database/database.ts';
import type { SubmissionRow } from '../database/schema.ts';
import { normalizedEmail } from './search-terms.ts';
import type { Scope } from './scope.ts';
import {
  labelsOf,
  type ListFilter,
  type ListPosition,
  type Selection,
  type Status,
  type Submission,
} from './submission.ts';
import {
  hasLabel,
  isInScope,
  listParts,
  NEWEST_FIRST,
  STATUS,
  SUBMISSION_COLUMNS,
  submissionsById,
  unindexed,
} from './submission-sql.ts';

/** Part of a list to read. */
interface ListPart {
  readonly limit?: number;
  readonly offset?: number;
  /** Last position of the part. */
  readonly last?: ListPosition | undefined;
  /** Additional condition. */
  readonly isFound?: RawBuilder<unknown>;
}

/** Reads submissions: lists, figures, and what the service decides by. It changes nothing. */
@Injectable()
export class SubmissionSearchRepository {
  /** Rows that one statement of a search reads. It keeps the database's thread busy for some milliseconds. */
  searchedRows = 4_000;

  constructor(private readonly database: Database) {}

  /** Rows that one statement of an export reads. */
  get pageRows(): number {
    return this.database.pageRows;
  }

  /** Reads the submissions that an operator selects: of one person by reference, or by state and time in it. */
  async *select(selection: Selection): AsyncGenerator<Submission> {
    const { states, email, form, stateUntil } = selection;
    const wanted = [sql`TRUE`];
    if (form !== undefined) wanted.push(sql`${unindexed('form')} = ${form}`);
    if (stateUntil !== undefined) wanted.push(sql`state_since <= ${stateUntil}`);
    const page = (place: RawBuilder<unknown>, order: RawBuilder<unknown>) =>
      this.database
        .rows<Submission>(sql`SELECT ${SUBMISSION_COLUMNS} FROM submissions WHERE ${place} AND ${sql.join(wanted, sql` AND `)}
        ORDER BY ${order} LIMIT ${sql.lit(this.pageRows)}`);
    const pages = (read: (last: Submission | undefined) => Promise<Submission[]>) => this.database.readPages(read);
    if (email !== undefined) {
      // The address has the index, not the state.
      const own = sql`email = ${normalizedEmail(email)} AND ${unindexed('state')} IN (${sql.join(states)})`;
      for await (const rows of pages((last) => page(sql`${own} AND id > ${last?.id ?? ''}`, sql`id`))) yield* rows;
      return;
    }
    for (const state of states) {
      const after = (last: Submission | undefined) =>
        // PostgreSQL has no statistics for comparisons of rows. With the plain bound it uses the index.
        sql`state = ${state} AND state_since >= ${last?.stateSince ?? 0}
          AND (state_since, id) > (${last?.stateSince ?? 0}, ${last?.id ?? ''})`;
      for await (const rows of pages((last) => page(after(last), sql`state_since, id`))) yield* rows;
    }
  }

  /** Reads all rows by id, in pages, at least one. */
  rows(): AsyncGenerator<SubmissionRow[]> {
    return this.database.readPages((last) =>
      this.database.run((db) => {
        const page = db.selectFrom('submissions').selectAll().orderBy('id').limit(this.pageRows);
        return page.where('id', '>', last?.id ?? '').execute();
      }),
    );
  }

  /** Reads submissions by id, in the order of the ids. */
  async findAll(ids: readonly string[]): Promise<Submission[]> {
    if (ids.length === 0) return [];
    const rows = await submissionsById(this.database, ids);
    const byId = new Map(rows.map((row) => [row.id, row]));
    return ids.flatMap((id) => byId.get(id) ?? []);
  }

  /** Returns the keys of these submissions' résumés. */
  async fileKeys(ids: readonly string[]): Promise<ReadonlySet<string>> {
    const keys = new Set<string>();
    for (const page of this.database.pagesOf(ids)) {
      const rows = await this.database.run((db) =>
        db.selectFrom('submissions').select('resume').where('id', 'in', page).where('resume', 'is not', null).execute(),
      );
      for (const { resume } of rows) if (resume) keys.add(resume.key);
    }
    return keys;
  }

  /** Returns the time of the oldest submission in milliseconds since the epoch; 0 if there is none. */
  oldestAt(): Promise<number> {
    return this.figure(sql`(SELECT min(received_at) FROM submissions)`);
  }

  /**
   * Reads a part of a list, newest first. Indexes have the parts of a list in this order, and the database merges them
   * without sorting. It reads only the rows of this part, so a place far from the beginning takes index entries, no rows.
   */
  async newest(filter: ListFilter, limit: number, offset = 0): Promise<Submission[]> {
    const listed = await this.listed(filter, { limit, offset });
    return this.findAll(listed.map(({ id }) => id));
  }

  /** Returns the length of a list, from the indexes only, or this limit if it is longer. */
  async count(filter: ListFilter, limit?: number): Promise<number> {
    const parts = listParts(filter).map((part) => sql`SELECT 1 FROM submissions WHERE ${part}`);
    if (parts.length === 0) return 0;
    return this.figure(sql`(SELECT count(*) FROM (${sql.join(parts, sql` UNION ALL `)} ${upTo(limit)}) AS listed)`);
  }

  /**
   * Finds the submissions of a list that have its label, and whose search text contains each term, newest first.
   * Each statement reads few rows, so that leases can be renewed in between.
   */
  async *positions(filter: ListFilter, terms: readonly string[]): AsyncGenerator<ListPosition> {
    // LIKE takes half the time of a function that returns the position. Folded terms contain none of its wildcards.
    const isLike = (term: string) => sql`search_text LIKE ${`%${term}%`}`;
    const { label, ...list } = filter;
    const isFound = sql.join([label === undefined ? sql`TRUE` : hasLabel(label), ...terms.map(isLike)], sql` AND `);
    for (let rest: ListFilter = list, isMore = true; isMore;) {
      const [last] = await this.listed(rest, { limit: 1, offset: this.searchedRows - 1 });
      yield* await this.listed(rest, { last, isFound });
      rest = { ...rest, before: last };
      isMore = last !== undefined;
    }
  }

  /** Returns the labels of the settings, and others that submissions of a scope have. */
  async labels(scope: Scope, own: readonly string[]): Promise<string[]> {
    const rows = await this.database.rows<Pick<SubmissionRow, 'labels'>>(sql`
      SELECT DISTINCT labels FROM submissions WHERE labels <> '' AND ${isInScope(scope)} ORDER BY labels`);
    return [...new Set([...own, ...rows.flatMap(labelsOf)])];
  }

  /** Reads submissions of a scope whose reminder is due, the oldest reminder first. Spam is left out. */
  reminded(scope: Scope, limit: number, now = Date.now()): Promise<Submission[]> {
    return this.database
      .rows<Submission>(sql`SELECT ${SUBMISSION_COLUMNS} FROM submissions WHERE remind_at <= ${now} AND ${IS_NO_SPAM}
      AND ${isInScope(scope)} ORDER BY remind_at, id LIMIT ${limit}`);
  }

  /** Reads the submissions whose reminder came due in a period, in milliseconds since the epoch, the earliest first. */
  async *reminders(after: number, until: number): AsyncGenerator<Submission> {
    const pages = this.database.readPages((last: Submission | undefined) => {
      const { remindAt, id } = last ?? { remindAt: after + 1, id: '' };
      return this.database
        .rows<Submission>(sql`SELECT ${SUBMISSION_COLUMNS} FROM submissions WHERE remind_at >= ${remindAt} AND remind_at <= ${until}
        AND (remind_at, id) > (${remindAt}, ${id}) AND ${IS_NO_SPAM} ORDER BY remind_at, id LIMIT ${sql.lit(this.pageRows)}`);
    });
    for await (const rows of pages) yield* rows;
  }

  /** Counts other submissions of a scope from the same address. */
  countOthers(submission: Submission, scope: Scope): Promise<number> {
    const email = normalizedEmail(valueOf(submission, 'email'));
    return this.figure(countOf(sql`email = ${email} AND id <> ${submission.id} AND ${isInScope(scope)}`));
  }

  /**
   * Returns the numbers of submissions that are not delivered, and for how long the oldest one has been pending; 0 if there is
   * none. They come from indexes only, so delivered submissions cost no time.
   */
  async backlog() {
    const count = (state: Status) =>
      this.figure(countOf(sql`form IN (${sql.join(FORM_KINDS)}) AND ${STATUS} = ${state}`));
    const oldestPendingMs = await this.figure(
      sql`(SELECT ${this.database.now} - min(state_since) FROM submissions WHERE state = 'pending')`,
    );
    return {
      pending: await count('pending'),
      failed: await count('failed'),
      quarantined: await count('quarantined'),
      oldestPendingMs: Math.max(0, oldestPendingMs),
    };
  }

  /**
   * Returns the ids of submissions that have been pending for longer than this, by default of up to a page. The state is a
   * literal: with a parameter SQLite does not use the partial index of pending submissions.
   */
  pendingLongerThan(ms: number, limit = this.pageRows): Promise<string[]> {
    const isLate = sql`state = 'pending' AND state_since < ${this.database.fromNow(-ms)}`;
    return this.database.ids(sql`SELECT id FROM submissions WHERE ${isLate} LIMIT ${sql.lit(limit)}`);
  }

  /** Reads positions of a list, newest first, up to a last one. Without a condition, the indexes have them. */
  private async listed(filter: ListFilter, { limit, offset = 0, last, isFound }: ListPart): Promise<ListPosition[]> {
    const isWithin = (at: ListPosition) => sql`(received_at, id) >= (${at.receivedAt}, ${at.id})`;
    const wanted = [...(last ? [isWithin(last)] : []), ...(isFound ? [isFound] : [])];
    const parts = listParts(last ? { ...filter, since: Math.max(filter.since ?? 0, last.receivedAt) } : filter);
    if (parts.length === 0) return [];
    // SQLite merges the lists by the outer ORDER BY; PostgreSQL needs an ORDER BY in each list as well.
    const isSorted = this.database.engine === 'postgres' && parts.length > 1;
    const lists = parts.map((part) => {
      const list = sql`SELECT received_at, id FROM submissions WHERE ${sql.join([part, ...wanted], sql` AND `)}`;
      return isSorted ? sql`(${list} ${NEWEST_FIRST} ${upTo(limit && limit + offset)})` : list;
    });
    return this.database.rows<ListPosition>(sql`
      ${sql.join(lists, sql` UNION ALL `)} ${NEWEST_FIRST} ${upTo(limit)} ${limit === undefined ? sql`` : sql`OFFSET ${offset}`}`);
  }

  /** Reads a number, from the indexes only; 0 if there is none. */
  private async figure(expression: RawBuilder<unknown>): Promise<number> {
    const [row] = await this.database.rows<{ figure: number | null }>(sql`SELECT ${expression} AS figure`);
    return row?.figure ?? 0;
  }
}

const countOf = (condition: RawBuilder<unknown>) => sql`(SELECT count(*) FROM submissions WHERE ${condition})`;

const upTo = (limit?: number) => (limit === undefined ? sql`` : sql`LIMIT ${limit}`);

/** Spam keeps its reminder, so that an undo of the mark brings it back. */
const IS_NO_SPAM = sql`coalesce(handled, '') <> 'spam'`;
