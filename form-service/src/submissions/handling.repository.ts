import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import type { FormKind } from '../contract/protocol.ts';
import { Database } from '../database/database.ts';
import { markBefore, type Handled, type Marked, type Submission } from './submission.ts';
import { historyWith } from './submission-sql.ts';

/** Stores the marks and notes of staff in the inbox. */
@Injectable()
export class HandlingRepository {
  constructor(private readonly database: Database) {}

  /**
   * Marks submissions that are not pending, and clears their alerts.
   *
   * @param at time of the action; together with the user it identifies the marks that {@link unmark} removes.
   * @returns the ids of the submissions that did not have this mark.
   */
  mark(ids: readonly string[], forms: readonly FormKind[], as: Handled, by: string, at: number): Promise<string[]> {
    return this.database.ids(sql`
      UPDATE submissions SET handled = ${as}, handled_at = ${at}, handled_by = ${by}, alert_due = 0,
        history = ${historyWith({ event: as, by }, new Date(at))}
      WHERE id IN (${sql.join(ids)}) AND form || '' IN (${sql.join(forms)}) AND state || '' <> 'pending'
        AND coalesce(handled, '') <> ${as} RETURNING id`);
  }

  /** Returns the mark that a user set at this time, and the number of submissions that still have it. */
  async marked(
    by: string,
    at: number,
    forms: readonly FormKind[],
  ): Promise<{ readonly handled: Handled; readonly count: number } | undefined> {
    const [row] = await this.database.rows<{ handled: Handled | null; count: number }>(sql`
      SELECT max(handled) AS handled, count(*) AS count FROM submissions WHERE ${isMarked(by, at, forms)}`);
    return row?.handled ? { handled: row.handled, count: row.count } : undefined;
  }

  /**
   * Undoes the marks that the user set at a time, or the mark of one submission, set by any user. A mark that was replaced
   * is back afterwards.
   *
   * @returns the ids of the submissions that were still marked.
   */
  unmark(by: string, which: Marked): Promise<string[]> {
    const marked = 'at' in which ? isMarked(by, which.at, which.forms) : sql`id = ${which.id} AND handled || '' <> ''`;
    const locked = sql.raw(this.database.engine === 'postgres' ? 'FOR UPDATE' : '');
    return this.database.run((db) =>
      db.transaction().execute(async (transaction) => {
        const { rows } = await sql<Pick<Submission, 'id' | 'history'>>`
          SELECT id, history FROM submissions WHERE ${marked} ${locked}`.execute(transaction);
        for (const row of rows) {
          const before = markBefore(row);
          const event = { event: 'reopened', by, back: before?.handled } as const;
          await sql`UPDATE submissions SET handled = ${before?.handled ?? null}, handled_at = ${before?.at ?? null},
            handled_by = ${before?.by ?? null}, history = ${historyWith(event)} WHERE id = ${row.id}`.execute(
            transaction,
          );
        }
        return rows.map(({ id }) => id);
      }),
    );
  }

  /** Replaces the note of a submission. */
  async setNote(id: string, note: string, by: string): Promise<void> {
    await this.database.rows(sql`UPDATE submissions SET note = ${note}, history = ${historyWith({ event: 'note', by })}
      WHERE id = ${id} AND note <> ${note}`);
  }
}

/** Condition for submissions that a user marked at this time, of forms that the user may see now. */
const isMarked = (by: string, at: number, forms: readonly FormKind[]) =>
  sql`handled IN ('done', 'spam') AND handled_at = ${at} AND handled_by = ${by} AND form || '' IN (${sql.join(forms)})`;
