import { Injectable } from '@nestjs/common';
import { sql, type RawBuilder } from 'kysely';
import { Database } from '../database/database.ts';
import { searchable } from '../database/search-text.ts';
import { NOTED_HISTORY_MAX_CHARS, notesOf, type Note } from './notes.ts';
import {
  markBefore,
  type Handled,
  type HistoryEvent,
  type Marked,
  type Scope,
  type Submission,
  type SubmissionState,
} from './submission.ts';
import { historyLine, historyWith, isInScope, jsonRows, submissionsById, unindexed } from './submission-sql.ts';

/** Time within which the same note of the same user is a repeated click. */
const REPEATED_NOTE_MS = 60_000;

/** A reminder: its date, such as `2026-12-03`, and the time at which that day begins. */
export interface Reminder {
  readonly on: string;
  readonly at: number;
}

/** Stores what staff do with submissions in the inbox: marks, notes, who answers, labels and reminders. */
@Injectable()
export class HandlingRepository {
  constructor(private readonly database: Database) {}

  /**
   * Marks submissions in some states, and clears their alerts. A mark ends who answers, and `spam` the reminder as well.
   *
   * @param at time of the action; together with the user it identifies the marks that {@link unmark} removes.
   * @returns the ids of the submissions that did not have this mark.
   */
  async mark(
    ids: readonly string[],
    {
      from,
      scope,
      as,
      by,
      at,
    }: {
      readonly from: readonly SubmissionState[];
      readonly scope: Scope;
      readonly as: Handled;
      readonly by: string;
      readonly at: number;
    },
  ): Promise<string[]> {
    const marked: string[] = [];
    for (const page of this.database.pagesOf(ids))
      marked.push(
        ...(await this.database.ids(sql`
          UPDATE submissions SET handled = ${as}, handled_at = ${at}, handled_by = ${by},
            taken_by = NULL, taken_at = NULL,
            history = ${historyWith({ event: as, by }, new Date(at))}
          WHERE id IN (${sql.join(page)}) AND ${isInScope(this.database, scope)}
            AND ${unindexed('state')} IN (${sql.join(from)}) AND coalesce(handled, '') <> ${as} RETURNING id`)),
      );
    return marked;
  }

  /** Returns the mark that a user set at this time, and the number of submissions that still have it. */
  async countMarked(
    by: string,
    at: number,
    scope: Scope,
  ): Promise<{ readonly handled: Handled; readonly count: number } | undefined> {
    const [row] = await this.database.rows<{ handled: Handled | null; count: number }>(sql`
      SELECT max(handled) AS handled, count(*) AS count FROM submissions WHERE ${whereMarked(this.database, by, at, scope)}`);
    return row?.handled ? { handled: row.handled, count: row.count } : undefined;
  }

  /**
   * Undoes the marks that the user set at a time, or the mark of one submission, set by any user. A mark that was replaced
   * is back afterwards.
   *
   * @returns the ids of the submissions that were still marked.
   */
  async unmark(by: string, which: Marked): Promise<string[]> {
    const condition =
      'at' in which
        ? whereMarked(this.database, by, which.at, which.scope)
        : sql<boolean>`id = ${which.id} AND ${unindexed('handled')} <> ''`;
    const unmarked: string[] = [];
    // In pages, so that leases can be renewed in between. A row that another write has changed meanwhile is read again.
    for (let isMore = true; isMore;) {
      const marked = await this.database.run((db) =>
        db.selectFrom('submissions').select(['id', 'history']).where(condition).limit(this.database.pageRows).execute(),
      );
      const page = marked.length > 0 ? await this.reopen(marked, by) : [];
      unmarked.push(...page);
      isMore = page.length < marked.length || marked.length === this.database.pageRows;
    }
    return unmarked;
  }

  /**
   * Undoes the marks of up to a page of submissions whose history is as it was read. A transaction would also hold the lock
   * of SQLite while it reads, and page after page other processes would not get it.
   *
   * @returns their ids
   */
  private reopen(marked: readonly Pick<Submission, 'id' | 'history'>[], by: string): Promise<string[]> {
    const rows = marked.map(({ id, history }) => {
      const before = markBefore({ history });
      const line = historyLine({ event: 'reopened', by, back: before?.handled });
      return { id, history, line, handled: before?.handled, at: before?.at, by: before?.by };
    });
    return this.database.ids(sql`
      UPDATE submissions SET handled = added.handled, handled_at = added.at, handled_by = added."by",
        history = submissions.history || added.line
      FROM ${jsonRows(this.database, rows, ['at'])} AS added
      WHERE submissions.id = added.id AND submissions.history = added.history RETURNING submissions.id`);
  }

  /**
   * Records that a user answers a submission (optimistic concurrency).
   *
   * @param seen user who had it on the page from which it is taken over; empty for nobody
   * @returns false if another user has taken it meanwhile, or it is marked
   */
  take(id: string, by: string, seen = ''): Promise<boolean> {
    const at = new Date();
    const isAsSeen = sql`handled IS NULL AND coalesce(taken_by, '') IN ('', ${seen})`;
    return this.change(id, sql`taken_by = ${by}, taken_at = ${at.getTime()}`, isAsSeen, { event: 'taken', by }, at);
  }

  /** Ends that a user answers a submission. @returns false if the user does not */
  giveBack(id: string, by: string): Promise<boolean> {
    const set = sql`taken_by = NULL, taken_at = NULL`;
    return this.change(id, set, sql`taken_by = ${by} AND handled IS NULL`, { event: 'given back', by });
  }

  /** Adds or removes one label, and leaves those of other users as they are. @returns false if nothing has changed */
  label(id: string, label: string, isWanted: boolean, by: string): Promise<boolean> {
    const line = `${label}\n`;
    const others = sql`replace(labels, ${`\n${line}`}, ${'\n'})`;
    if (!isWanted) {
      const set = sql`labels = coalesce(nullif(${others}, ${'\n'}), '')`;
      return this.change(id, set, sql`${others} <> labels`, { event: 'label removed', by, label });
    }
    const set = sql`labels = coalesce(nullif(labels, ''), ${'\n'}) || ${line}`;
    return this.change(id, set, sql`${others} = labels`, { event: 'labelled', by, label });
  }

  /**
   * Sets the reminder of a submission, or removes it (optimistic concurrency).
   *
   * @param seen time of the reminder on the user's page
   * @returns false if it is another one now
   */
  remind(id: string, reminder: Reminder | undefined, seen: number | null, by: string): Promise<boolean> {
    const at = reminder?.at ?? null;
    const isAsSeen = sql`coalesce(remind_at, 0) = ${seen ?? 0} AND coalesce(remind_at, 0) <> ${at ?? 0}`;
    return this.change(id, sql`remind_at = ${at}`, isAsSeen, { event: 'reminder', by, on: reminder?.on });
  }

  /** Changes one submission under a condition, with a line of history. @returns whether the condition holds */
  private async change(
    id: string,
    set: RawBuilder<unknown>,
    condition: RawBuilder<unknown>,
    event: HistoryEvent,
    at?: Date,
  ): Promise<boolean> {
    const changed = await this.database.ids(sql`
      UPDATE submissions SET ${set}, history = ${historyWith(event, at)} WHERE id = ${id} AND ${condition} RETURNING id`);
    return changed.length > 0;
  }

  /**
   * Appends a note to the history (optimistic concurrency). If another write comes first, it reads the row again, so two
   * notes at once are both stored. The same note of the same user within a minute is a repeated click and is not stored.
   *
   * @returns false if the history is too long for another note
   */
  async addNote(id: string, text: string, by: string): Promise<boolean> {
    for (let isStored = false; !isStored;) {
      const [submission] = await submissionsById(this.database, [id]);
      const now = Date.now();
      const isRepeated = (one: Note) =>
        one.by === by && one.text === text && now - Date.parse(one.at) < REPEATED_NOTE_MS;
      if (!submission || notesOf(submission).some(isRepeated)) return true;
      if (submission.history.length > NOTED_HISTORY_MAX_CHARS) return false;
      const note = { at: new Date(now).toISOString(), by, text };
      isStored = await this.append(submission, note);
    }
    return true;
  }

  /** Appends a note to a submission whose history is as it was read. @returns whether it was */
  private async append({ id, history }: Submission, { at, by, text }: Note): Promise<boolean> {
    const line = historyLine({ at, event: 'note', by, text });
    const changed = await this.database.ids(sql`
      UPDATE submissions SET history = history || ${line}, search_text = search_text || ${`\n${searchable(text)}`}
      WHERE id = ${id} AND history = ${history} RETURNING id`);
    return changed.length > 0;
  }
}

/** Condition for submissions that a user marked at this time, of those that the user may see now. */
const whereMarked = (database: Database, by: string, at: number, scope: Scope) =>
  sql<boolean>`handled IN ('done', 'spam') AND handled_at = ${at} AND handled_by = ${by} AND ${isInScope(database, scope)}`;
