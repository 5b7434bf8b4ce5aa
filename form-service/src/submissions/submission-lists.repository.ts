import { Injectable } from '@nestjs/common';
import { sql, type RawBuilder } from 'kysely';
import { FORM_KINDS, valueOf } from '../contract/forms.ts';
import { Database } from '../database/database.ts';
import { normalizedEmail, searchTextOf } from './search-text.ts';
import type { ListFilter, ListPosition, Scope, Selection, Status, Submission } from './submission.ts';
import { isInScope, STATUS, SUBMISSION_COLUMNS, submissionsOf } from './submission-sql.ts';

/** Position before the newest submission. */
const START: ListPosition = { receivedAt: Number.MAX_SAFE_INTEGER, id: '' };

/** Reads lists of submissions for the inbox and the operator's commands. */
@Injectable()
export class SubmissionListsRepository {
  /** Rows that one statement of a search reads. It keeps the database's thread busy for some milliseconds. */
  searchedRows = 4_000;

  constructor(private readonly database: Database) {}

  /** Rows that one statement of an export reads. */
  get pageRows(): number {
    return this.database.pageRows;
  }

  /** Reads the submissions that an operator selects: of one person by reference, or by state and time in it. */
  async *select(selection: Selection): AsyncGenerator<Submission> {
    const { states, olderThan, email, stateFrom = 0, stateUntil } = selection;
    const wanted = [sql`TRUE`];
    if (olderThan !== undefined) wanted.push(sql`received_at <= ${Date.now() - olderThan}`);
    if (stateUntil !== undefined) wanted.push(sql`state_since <= ${stateUntil}`);
    const page = (place: RawBuilder<unknown>, order: RawBuilder<unknown>) =>
      submissionsOf(
        this.database,
        sql`SELECT ${SUBMISSION_COLUMNS} FROM submissions WHERE ${place} AND ${sql.join(wanted, sql` AND `)}
        ORDER BY ${order} LIMIT ${sql.lit(this.pageRows)}`,
      );
    if (email !== undefined) {
      // `state || ''` keeps SQLite from using the index on the state instead of the one on the address.
      const own = sql`email = ${normalizedEmail(email)} AND state || '' IN (${sql.join(states)})`;
      wanted.push(sql`state_since >= ${stateFrom}`);
      return yield* this.pagesOf((last) => page(sql`${own} AND id > ${last?.id ?? ''}`, sql`id`));
    }
    for (const state of states)
      yield* this.pagesOf((last) => {
        const place = sql`(state_since, id) > (${last?.stateSince ?? stateFrom}, ${last?.id ?? ''})`;
        return page(sql`state = ${state} AND ${place}`, sql`state_since, id`);
      });
  }

  /** Reads submissions by id, in the order of the ids. */
  async findAll(ids: readonly string[]): Promise<Submission[]> {
    if (ids.length === 0) return [];
    const rows = await submissionsOf(
      this.database,
      sql`SELECT ${SUBMISSION_COLUMNS} FROM submissions WHERE id IN (${sql.join(ids)})`,
    );
    const byId = new Map(rows.map((row) => [row.id, row]));
    return ids.flatMap((id) => byId.get(id) ?? []);
  }

  /**
   * Reads a part of a list, newest first. An index has this order for each form and status, and another one for each
   * mailbox, form and status of what was handed over. The database merges these lists without sorting, so the time does
   * not depend on their length.
   *
   * @param before last submission of the previous part
   */
  newest(
    { statuses, since = 0, ...scope }: ListFilter,
    limit: number,
    { before = START, offset = 0 }: { readonly before?: ListPosition | undefined; readonly offset?: number } = {},
  ): Promise<Submission[]> {
    const place = sql`received_at >= ${since} AND (received_at, id) < (${before.receivedAt}, ${before.id})`;
    const order = sql`ORDER BY received_at DESC, id DESC`;
    // SQLite merges the lists by the outer ORDER BY; PostgreSQL needs an ORDER BY in each list as well.
    const parts = partsOf(scope);
    const isSorted = this.database.engine === 'postgres' && parts.length * statuses.length > 1;
    const listOf = (part: RawBuilder<unknown>, status: Status) => {
      const list = sql`SELECT ${SUBMISSION_COLUMNS} FROM submissions WHERE ${part} AND ${STATUS} = ${status} AND ${place}`;
      return isSorted ? sql`(${list} ${order} LIMIT ${offset + limit})` : list;
    };
    const lists = parts.flatMap((part) => statuses.map((status) => listOf(part, status)));
    return submissionsOf(
      this.database,
      sql`${sql.join(lists, sql` UNION ALL `)} ${order} LIMIT ${limit} OFFSET ${offset}`,
    );
  }

  /** Returns the length of a list, from the indexes only. */
  async count({ statuses, since = 0, ...scope }: ListFilter): Promise<number> {
    const counts = partsOf(scope).map(
      (part) => sql`(SELECT count(*) FROM submissions
        WHERE ${part} AND ${STATUS} IN (${sql.join(statuses)}) AND received_at >= ${since})`,
    );
    const [row] = await this.database.rows<{ count: number }>(sql`SELECT ${sql.join(counts, sql` + `)} AS count`);
    return row?.count ?? 0;
  }

  /**
   * Finds the submissions of a list whose search text begins with this line and contains an alternative of each term,
   * newest first. Each statement reads few rows, so that leases can be renewed in between.
   */
  async *search(
    { statuses, since = 0, ...scope }: ListFilter,
    firstLine: string,
    terms: readonly (readonly string[])[],
  ): AsyncGenerator<ListPosition> {
    await this.addSearchTexts();
    // `|| ''` keeps the database from using the index on the status instead of the one on the time.
    const wanted = [isInScope(scope), sql`${STATUS} || '' IN (${sql.join(statuses)})`];
    // LIKE takes half the time of a function that returns the position.
    const isLike = (pattern: string) => sql`search_text LIKE ${pattern} ESCAPE '\\'`;
    wanted.push(isLike(`${escapedPattern(firstLine)}%`));
    for (const texts of terms) {
      const anyOf = texts.map((text) => isLike(`%${escapedPattern(text)}%`));
      wanted.push(sql`(${sql.join(anyOf, sql` OR `)})`);
    }
    const order = sql`ORDER BY received_at DESC, id DESC`;
    for (let before: ListPosition | undefined = START; before;) {
      const place: RawBuilder<unknown> = sql`(received_at, id) < (${before.receivedAt}, ${before.id})`;
      const [last]: ListPosition[] = await this.database.rows<ListPosition>(sql`
        SELECT received_at, id FROM submissions WHERE ${place} AND received_at >= ${since}
        ${order} LIMIT 1 OFFSET ${sql.lit(this.searchedRows - 1)}`);
      const { receivedAt, id } = last ?? { receivedAt: since, id: '' };
      // PostgreSQL has no statistics for comparisons of rows. With these bounds it uses the index.
      const bounds = sql`received_at <= ${before.receivedAt} AND received_at >= ${receivedAt}`;
      yield* await this.database.rows<ListPosition>(sql`
        SELECT received_at, id FROM submissions WHERE ${bounds} AND ${place} AND (received_at, id) >= (${receivedAt}, ${id})
        AND ${sql.join(wanted, sql` AND `)} ${order}`);
      before = last;
    }
  }

  /** Counts other submissions of a scope from the same address. */
  async countOthers(submission: Submission, scope: Scope): Promise<number> {
    const [row] = await this.database.rows<{ count: number }>(sql`
      SELECT count(*) AS count FROM submissions
      WHERE email = ${normalizedEmail(valueOf(submission, 'email'))} AND id <> ${submission.id} AND ${isInScope(scope)}`);
    return row?.count ?? 0;
  }

  /** Reads page by page. @param read returns the page that follows a submission */
  private async *pagesOf(read: (last: Submission | undefined) => Promise<Submission[]>): AsyncGenerator<Submission> {
    for (let page = await read(undefined); page.length > 0; page = await read(page.at(-1))) {
      yield* page;
      if (page.length < this.pageRows) return;
    }
  }

  /** Adds the search text to rows that version 0.3 has stored. */
  private async addSearchTexts(): Promise<void> {
    for (let isMore = true; isMore;) {
      const rows = await submissionsOf(
        this.database,
        sql`SELECT ${SUBMISSION_COLUMNS} FROM submissions WHERE search_text IS NULL LIMIT ${sql.lit(this.pageRows)}`,
      );
      isMore = rows.length === this.pageRows;
      if (rows.length === 0) return;
      const values = JSON.stringify(rows.map((row) => ({ id: row.id, text: searchTextOf(row) })));
      await this.database.rows(sql`UPDATE submissions SET search_text = added.text
        FROM (SELECT value ->> 'id' AS id, value ->> 'text' AS text FROM ${this.database.jsonElements}(${values})) AS added
        WHERE submissions.id = added.id`);
    }
  }
}

/** Returns disjoint conditions for the submissions of a scope. Each is the beginning of an index. */
function partsOf({ forms, mailboxes = [] }: Scope): readonly RawBuilder<unknown>[] {
  const others = FORM_KINDS.filter((form) => !forms.includes(form));
  const handedOver = mailboxes.flatMap((mailbox) =>
    others.map((form) => sql`recipient = ${mailbox} AND form = ${form}`),
  );
  return [...forms.map((form) => sql`form = ${form}`), ...handedOver];
}

/** Escapes the wildcards of a LIKE pattern. */
const escapedPattern = (text: string) => text.replace(/[\\%_]/g, '\\$&');
