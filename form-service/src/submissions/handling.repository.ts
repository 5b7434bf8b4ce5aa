import { Injectable } from '@nestjs/common';
import { sql, type RawBuilder } from 'kysely';
import { Database } from '../database/database.ts';
import { folded } from '../database/search-text.ts';
import { NOTED_HISTORY_MAX_CHARS, notesOf, uncopiedNote, type Note } from './notes.ts';
import {
  markBefore,
  type Handled,
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

/** Returns the note of version 0.4 that is still to be copied, if there is one. */
const copyOf = (submission: Submission): Note[] => [uncopiedNote(submission) ?? []].flat();

/** Stores the marks and notes of staff in the inbox. */
@Injectable()
export class HandlingRepository {
  constructor(private readonly database: Database) {}

  /**
   * Marks submissions in some states, and clears their alerts.
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
            history = ${historyWith({ event: as, by }, new Date(at))}
          WHERE id IN (${sql.join(page)}) AND ${isInScope(scope)} AND ${unindexed('state')} IN (${sql.join(from)})
            AND coalesce(handled, '') <> ${as} RETURNING id`)),
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
      SELECT max(handled) AS handled, count(*) AS count FROM submissions WHERE ${whereMarked(by, at, scope)}`);
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
        ? whereMarked(by, which.at, which.scope)
        : sql<boolean>`id = ${which.id} AND ${unindexed('handled')} <> ''`;
    const unmarked: string[] = [];
    // In pages, so that leases can be renewed in between.
    for (let isMore = true; isMore;) {
      const page = await this.unmarkPage(by, condition);
      unmarked.push(...page);
      isMore = page.length === this.database.pageRows;
    }
    return unmarked;
  }

  /** Undoes the marks of up to a page of submissions. @returns their ids */
  private unmarkPage(by: string, condition: RawBuilder<boolean>): Promise<string[]> {
    const isPostgres = this.database.engine === 'postgres';
    return this.database.run((db) =>
      db.transaction().execute(async (transaction) => {
        const all = transaction.selectFrom('submissions').select(['id', 'history']).where(condition);
        const marked = all.limit(this.database.pageRows);
        // A transaction of SQLite is the only writer from its beginning.
        const rows = await (isPostgres ? marked.forUpdate() : marked).execute();
        for (const row of rows) {
          const before = markBefore(row);
          const history = historyWith({ event: 'reopened', by, back: before?.handled });
          const { handled = null, at: handledAt = null, by: handledBy = null } = before ?? {};
          const update = transaction.updateTable('submissions').set({ handled, handledAt, handledBy, history });
          await update.where('id', '=', row.id).execute();
        }
        return rows.map(({ id }) => id);
      }),
    );
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

  /**
   * Appends notes to submissions whose history is as it was read. Version 0.4 also writes an event with its note.
   *
   * @returns the ids of the submissions that are changed
   */
  private append(changes: readonly AddedNotes[]): Promise<string[]> {
    const rows = changes.map(({ submission: { id, history }, added, latest }) => {
      const lines = added.map(lineOf).join('');
      return { id, history, lines, latest, words: added.map(({ text }) => `\n${folded(text)}`).join('') };
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
const whereMarked = (by: string, at: number, scope: Scope) =>
  sql<boolean>`handled IN ('done', 'spam') AND handled_at = ${at} AND handled_by = ${by} AND ${isInScope(scope)}`;

/** A note as a line of the history. */
const lineOf = ({ at, by, text }: Note): string => historyLine({ at, event: 'note', by, text });
