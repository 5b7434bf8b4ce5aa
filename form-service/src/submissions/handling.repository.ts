import { Injectable } from '@nestjs/common';
import { sql, type RawBuilder } from 'kysely';
import { Database } from '../database/database.ts';
import type { SubmissionRow } from '../database/schema.ts';
import { searchable } from '../database/search-text.ts';
import { NOTED_HISTORY_MAX_CHARS, notesOf, uncopiedNote, type Note } from './notes.ts';
import {
  markBefore,
  type Handled,
  type HistoryEvent,
  type ListPosition,
  type Marked,
  type Scope,
  type Submission,
  type SubmissionState,
} from './submission.ts';
import {
  historyLine,
  historyWith,
  isInScope,
  jsonRows,
  SUBMISSION_COLUMNS,
  submissionsById,
  submissionsOf,
  unindexed,
} from './submission-sql.ts';

/** Time within which the same note of the same user is a repeated click. */
const REPEATED_NOTE_MS = 60_000;

/** Notes to append to a submission, and the latest one of all. */
interface AddedNotes {
  readonly submission: Submission;
  readonly added: readonly Note[];
  readonly latest: string;
}

/** A stored submission with its search text. */
export type Arrival = Pick<Submission, 'id' | 'form' | 'fields' | 'resume' | 'history' | 'receivedAt'> &
  Pick<SubmissionRow, 'searchText'>;

/** Returns the note of version 0.4 that is still to be copied, if there is one. */
const copyOf = (submission: Submission): Note[] => [uncopiedNote(submission) ?? []].flat();

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
          UPDATE submissions SET handled = ${as}, handled_at = ${at}, handled_by = ${by}, alert_due = 0,
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
      isStored = (await this.append([{ submission, added: [...copyOf(submission), note], latest: text }])).length > 0;
    }
    return true;
  }

  /** Copies the notes of version 0.4 into the history and the search text, from its processes or a restored archive. */
  async copyNotes(): Promise<void> {
    // The order leads PostgreSQL to the partial index: it expects many such rows, and would scan the table.
    const uncopied = sql`SELECT ${SUBMISSION_COLUMNS} FROM submissions WHERE note <> noted_in_history
      ORDER BY id LIMIT ${sql.lit(this.database.pageRows)}`;
    for await (const rows of this.database.readPages(() => submissionsOf(this.database, uncopied)))
      if (rows.length > 0)
        await this.append(
          rows.map((submission) => ({ submission, added: copyOf(submission), latest: submission.note })),
        );
  }

  /** Reads a page of submissions by time of arrival, with their search texts. */
  arrivals({ receivedAt, id }: ListPosition): Promise<Arrival[]> {
    return this.database.rows<Arrival>(sql`
      SELECT id, form, fields, resume, history, received_at, search_text FROM submissions
      WHERE received_at >= ${receivedAt} AND (received_at, id) > (${receivedAt}, ${id})
      ORDER BY received_at, id LIMIT ${sql.lit(this.database.pageRows)}`);
  }

  /** Sets the search texts of submissions whose history, which has the notes, is as it was read. @returns their ids */
  setSearchTexts(texts: readonly (Pick<Arrival, 'id' | 'history'> & { readonly text: string })[]): Promise<string[]> {
    return this.database.ids(sql`
      UPDATE submissions SET search_text = changed.text FROM ${jsonRows(this.database, texts)} AS changed
      WHERE submissions.id = changed.id AND submissions.history = changed.history RETURNING submissions.id`);
  }

  /**
   * Appends notes to submissions whose history is as it was read. Version 0.4 also writes an event with its note.
   *
   * @returns the ids of the submissions that are changed
   */
  private append(changes: readonly AddedNotes[]): Promise<string[]> {
    const rows = changes.map(({ submission: { id, history }, added, latest }) => {
      const lines = added.map(lineOf).join('');
      return { id, history, lines, latest, words: added.map(({ text }) => `\n${searchable(text)}`).join('') };
    });
    return this.database.ids(sql`
      UPDATE submissions SET
        history = submissions.history || added.lines,
        note = added.latest,
        noted_in_history = added.latest,
        search_text = search_text || added.words
      FROM ${jsonRows(this.database, rows)} AS added
      WHERE submissions.id = added.id AND submissions.history = added.history
      RETURNING submissions.id`);
  }
}

/** Condition for submissions that a user marked at this time, of those that the user may see now. */
const whereMarked = (database: Database, by: string, at: number, scope: Scope) =>
  sql<boolean>`handled IN ('done', 'spam') AND handled_at = ${at} AND handled_by = ${by} AND ${isInScope(database, scope)}`;

/** A note as a line of the history. */
const lineOf = ({ at, by, text }: Note): string => historyLine({ at, event: 'note', by, text });
