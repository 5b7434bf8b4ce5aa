import { Injectable } from '@nestjs/common';
import { sql, type RawBuilder } from 'kysely';
import { FORM_KINDS, valueOf } from '../contract/forms.ts';
import { Database } from '../database/database.ts';
import type { SubmissionRow } from '../database/schema.ts';
import type { Addressed } from './recipients.ts';
import { normalizedEmail } from './search-terms.ts';
import {
  STATUSES,
  type Backlog,
  type DayCounts,
  type Expiring,
  type ListFilter,
  type ListPosition,
  type Scope,
  type Selection,
  type Status,
  type Submission,
} from './submission.ts';
import {
  isInScope,
  isOlder,
  isOneOf,
  jsonRows,
  STATUS,
  SUBMISSION_COLUMNS,
  submissionsById,
  submissionsOf,
  unindexed,
} from './submission-sql.ts';

/** Position before the newest submission. */
const START: ListPosition = { receivedAt: Number.MAX_SAFE_INTEGER, id: '' };

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
    const pages = (read: (last: Submission | undefined) => Promise<Submission[]>) => this.database.readPages(read);
    if (email !== undefined) {
      // The address has the index, not the state.
      const own = sql`email = ${normalizedEmail(email)} AND ${unindexed('state')} IN (${sql.join(states)})`;
      wanted.push(sql`state_since >= ${stateFrom}`);
      for await (const rows of pages((last) => page(sql`${own} AND id > ${last?.id ?? ''}`, sql`id`))) yield* rows;
      return;
    }
    for (const state of states) {
      const after = (last: Submission | undefined) =>
        sql`state = ${state} AND (state_since, id) > (${last?.stateSince ?? stateFrom}, ${last?.id ?? ''})`;
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

  /** Returns the ids of all submissions. */
  async ids(): Promise<string[]> {
    const pages = this.database.readPages((last: Pick<SubmissionRow, 'id'> | undefined) =>
      this.database.run((db) => {
        const page = db.selectFrom('submissions').select('id').orderBy('id').limit(this.pageRows);
        return page.where('id', '>', last?.id ?? '').execute();
      }),
    );
    const ids: string[] = [];
    for await (const page of pages) ids.push(...page.map(({ id }) => id));
    return ids;
  }

  /** Reads submissions by id, in the order of the ids. */
  async findAll(ids: readonly string[]): Promise<Submission[]> {
    if (ids.length === 0) return [];
    const rows = await submissionsById(this.database, ids);
    const byId = new Map(rows.map((row) => [row.id, row]));
    return ids.flatMap((id) => byId.get(id) ?? []);
  }

  /** Returns the keys of these submissions' résumés. */
  async resumeKeys(ids: readonly string[]): Promise<ReadonlySet<string>> {
    const keys = new Set<string>();
    for (const page of this.database.pagesOf(ids)) {
      const rows = await this.database.run((db) =>
        db.selectFrom('submissions').select('resume').where('id', 'in', page).where('resume', 'is not', null).execute(),
      );
      for (const { resume } of rows) if (resume) keys.add(resume.key);
    }
    return keys;
  }

  /** Returns the time of the oldest submission; undefined if there is none. */
  async oldestAt(): Promise<Date | undefined> {
    const at = await this.figure(sql`(SELECT min(received_at) FROM submissions)`);
    return at === 0 ? undefined : new Date(at);
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
  count({ statuses, since = 0, ...scope }: ListFilter): Promise<number> {
    const isListed = sql`${STATUS} IN (${sql.join(statuses)}) AND received_at >= ${since}`;
    return this.figure(
      sql.join(
        partsOf(scope).map((part) => countOf(sql`${part} AND ${isListed}`)),
        sql` + `,
      ),
    );
  }

  /**
   * Counts the submissions of a scope by day of arrival, from the indexes only.
   *
   * @param starts beginnings of the days, and the end of the last one
   */
  countByDay(scope: Scope, starts: readonly number[]): Promise<DayCounts[]> {
    const days = starts.slice(1).map((until, index) => ({ from: starts[index], until }));
    const counted = (statuses: readonly Status[]) => {
      const isCounted = sql`${STATUS} IN (${sql.join(statuses)}) AND received_at >= day."from" AND received_at < day."until"`;
      return sql.join(
        partsOf(scope).map((part) => countOf(sql`${part} AND ${isCounted}`)),
        sql` + `,
      );
    };
    return this.database.rows<DayCounts>(sql`
      SELECT day."from", ${counted(STATUSES)} AS received, ${counted(['delivered', 'done'])} AS delivered,
        ${counted(['quarantined', 'spam'])} AS held_back
      FROM ${jsonRows(this.database, days, ['from', 'until'])} AS day`);
  }

  /**
   * Finds the submissions of a list whose search text begins with this line and contains an alternative of each term,
   * newest first. Each statement reads few rows, so that leases can be renewed in between.
   */
  async *positions(
    { statuses, since = 0, ...scope }: ListFilter,
    firstLine: string,
    terms: readonly (readonly string[])[],
  ): AsyncGenerator<ListPosition> {
    // The time has the index, not the status.
    const wanted = [isInScope(scope), sql`${unindexed(STATUS)} IN (${sql.join(statuses)})`];
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
  countOthers(submission: Submission, scope: Scope): Promise<number> {
    const email = normalizedEmail(valueOf(submission, 'email'));
    return this.figure(countOf(sql`email = ${email} AND id <> ${submission.id} AND ${isInScope(scope)}`));
  }

  /** Counts the submissions that retention would delete. */
  countOlder(which: Expiring, ageMs: number): Promise<number> {
    return this.figure(countOf(isOlder(this.database, which, ageMs)));
  }

  /** Returns the names of stored forms that have no definition. */
  async undefinedForms(): Promise<string[]> {
    const found: string[] = [];
    // One step for each form, because a DISTINCT would read the whole index.
    for (let last = ''; ;) {
      const [row] = await this.database.rows<{ form: string | null }>(sql`
        SELECT min(form) AS form FROM submissions WHERE form > ${last}`);
      if (!row?.form) return found.filter((form) => !FORM_KINDS.includes(form));
      found.push((last = row.form));
    }
  }

  /** Returns the figures of the backlog. They come from indexes only, so delivered submissions cost no time. */
  async backlog(): Promise<Backlog> {
    const withState = (state: Status) =>
      this.figure(countOf(sql`form IN (${sql.join(FORM_KINDS)}) AND ${STATUS} = ${state}`));
    const [pending, failed, quarantined] = [
      await withState('pending'),
      await withState('failed'),
      await withState('quarantined'),
    ];
    const oldestPendingMs = await this.figure(
      sql`(SELECT ${this.database.now} - min(state_since) FROM submissions WHERE state = 'pending')`,
    );
    return { pending, failed, quarantined, oldestPendingMs: Math.max(0, oldestPendingMs) };
  }

  /** Returns the ids of submissions that have been pending for longer than this, by default of up to a page. */
  pendingLongerThan(ms: number, limit = this.pageRows): Promise<string[]> {
    return this.database.ids(sql`SELECT id FROM submissions WHERE ${this.isLate(ms)} LIMIT ${sql.lit(limit)}`);
  }

  /** Counts all submissions that have been pending for longer than this. */
  countPendingLongerThan(ms: number): Promise<number> {
    return this.figure(countOf(this.isLate(ms)));
  }

  /** Returns the ids of these submissions that are pending. */
  async pendingOf(ids: readonly string[]): Promise<ReadonlySet<string>> {
    if (ids.length === 0) return new Set();
    const isPending = sql`${unindexed('state')} = 'pending' AND ${isOneOf(this.database, ids)}`;
    return new Set(await this.database.ids(sql`SELECT id FROM submissions WHERE ${isPending}`));
  }

  /**
   * Returns up to a page of pending submissions that were refused with this code, and of those that failed so within this
   * time. The rows are the evidence that workers share, and that is left after a restart.
   */
  async refusedWith(code: string, withinMs: number): Promise<Submission[]> {
    const isRefused = sql`last_error LIKE ${`%(${code})%`}`;
    const refused = (place: RawBuilder<unknown>) =>
      submissionsOf(
        this.database,
        sql`SELECT ${SUBMISSION_COLUMNS} FROM submissions WHERE ${place} AND ${isRefused} LIMIT ${sql.lit(this.pageRows)}`,
      );
    const [pending, failed] = await Promise.all([
      refused(sql`state = 'pending'`),
      refused(sql`state = 'failed' AND state_since > ${this.database.fromNow(-withinMs)}`),
    ]);
    return [...pending, ...failed];
  }

  /** Returns up to a page of submissions that were delivered in a period, in milliseconds since the epoch. */
  async deliveredBetween(after: number, before: number): Promise<Addressed[]> {
    const rows = await this.database.run((db) => {
      const delivered = db
        .selectFrom('submissions')
        .select(['form', 'fields', 'recipient'])
        .where('state', '=', 'delivered');
      const between = delivered.where('stateSince', '>', after).where('stateSince', '<', before);
      return between.orderBy('stateSince', 'desc').limit(this.pageRows).execute();
    });
    return rows as Addressed[];
  }

  /** The state is a literal: with a parameter SQLite does not use the partial index of pending submissions. */
  private isLate(ms: number): RawBuilder<unknown> {
    return sql`state = 'pending' AND state_since < ${this.database.fromNow(-ms)}`;
  }

  /** Reads a number, from the indexes only; 0 if there is none. */
  private async figure(expression: RawBuilder<unknown>): Promise<number> {
    const [row] = await this.database.rows<{ figure: number | null }>(sql`SELECT ${expression} AS figure`);
    return row?.figure ?? 0;
  }
}

const countOf = (condition: RawBuilder<unknown>) => sql`(SELECT count(*) FROM submissions WHERE ${condition})`;

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
