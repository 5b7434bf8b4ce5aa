import { Injectable } from '@nestjs/common';
import { sql, type RawBuilder } from 'kysely';
import { Database } from '../database/database.ts';
import { Leases } from '../outbox/leases.ts';
import { folded } from './search-terms.ts';
import type { Scope } from './scope.ts';
import {
  historyOf,
  labelsOf,
  type Handled,
  type HistoryEvent,
  type Marked,
  type Submission,
  type SubmissionState,
} from './submission.ts';
import { historyWith, isInScope, isVersion, submissionsById, unindexed } from './submission-sql.ts';

/** Time within which the same event of the same user is a second press of the same button. */
const REPEAT_MS = 60_000;

/** A visit of the inbox ends with the first pause of this length. */
const VISIT_PAUSE_MS = 30 * 60_000;

/** Marks to set. */
interface Marking {
  readonly from: readonly SubmissionState[];
  readonly scope: Scope;
  readonly as: Handled;
  readonly by: string;
  /** Time of the action; together with the user it identifies the marks that an undo removes. */
  readonly at: number;
  /** Version that the user's page showed. */
  readonly version?: number | undefined;
}

/**
 * Stores what staff do in the inbox: marks, notes, who answers, labels and reminders, and when they were there.
 *
 * Each write of staff raises the version of a submission. A page's form carries the version that the page showed, and changes
 * nothing if the submission has another one (optimistic concurrency). Without a version, the submission is changed as it is.
 */
@Injectable()
export class HandlingRepository {
  private readonly leases: Leases;

  constructor(private readonly database: Database) {
    this.leases = new Leases(database, 'submissions');
  }

  /**
   * Marks submissions in some states, and clears their alerts. A mark ends who answers, and `spam` the reminder as well.
   *
   * @returns the ids of the submissions that did not have this mark.
   */
  mark(ids: readonly string[], { from, scope, as, by, at, version }: Marking): Promise<string[]> {
    return this.database.ids(sql`
      UPDATE submissions SET handled = ${as}, handled_at = ${at}, handled_by = ${by},
        taken_by = NULL, taken_at = NULL, ${RAISED},
        history = ${historyWith({ event: as, by }, new Date(at))}
      WHERE id IN (${sql.join(ids)}) AND ${isInScope(scope)}
        AND ${unindexed('state')} IN (${sql.join(from)}) AND coalesce(handled, '') <> ${as} AND ${isVersion(version)}
      RETURNING id`);
  }

  /** Returns the time of the latest mark that a user has set within a minute, so that a second press finds the first one. */
  async latestMark(by: string, as: Handled): Promise<number | undefined> {
    const [row] = await this.database.rows<{ at: number | null }>(sql`
      SELECT max(handled_at) AS at FROM submissions
      WHERE handled = ${as} AND handled_at > ${Date.now() - REPEAT_MS} AND ${unindexed('handledBy')} = ${by}`);
    return row?.at ?? undefined;
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
   * Removes the marks that the user set at a time, or the mark of one submission, set by any user.
   *
   * @returns the ids of the submissions that were still marked.
   */
  unmark(by: string, which: Marked): Promise<string[]> {
    const condition =
      'at' in which
        ? whereMarked(by, which.at, which.scope)
        : sql<boolean>`id = ${which.id} AND ${unindexed('handled')} <> '' AND ${isVersion(which.version)}`;
    return this.database.ids(sql`
      UPDATE submissions SET handled = NULL, handled_at = NULL, handled_by = NULL, ${RAISED},
        history = ${historyWith({ event: 'reopened', by })}
      WHERE ${condition} RETURNING id`);
  }

  /** Records that a user answers a submission, also in place of a colleague. */
  take(id: string, by: string, version?: number): Promise<boolean> {
    const at = new Date();
    const set = sql`taken_by = ${by}, taken_at = ${at.getTime()}`;
    return this.changeIf(id, version, set, { event: 'taken', by }, { condition: sql`handled IS NULL`, at });
  }

  /** Ends that a user answers a submission. */
  giveBack(id: string, by: string, version?: number): Promise<boolean> {
    const condition = sql`taken_by = ${by}`;
    const set = sql`taken_by = NULL, taken_at = NULL`;
    return this.changeIf(id, version, set, { event: 'given back', by }, { condition });
  }

  /** Adds a label, or removes it. */
  label(
    { id, ...submission }: Pick<Submission, 'id' | 'labels'>,
    label: string,
    isSet: boolean,
    by: string,
    version?: number,
  ): Promise<boolean> {
    const others = labelsOf(submission).filter((one) => one !== label);
    const lines = (isSet ? [...others, label] : others).map((one) => `${one}\n`).join('');
    const event = { event: isSet ? 'labelled' : 'label removed', by, label } as const;
    return this.changeIf(id, version, sql`labels = ${lines && `\n${lines}`}`, event);
  }

  /**
   * Sets the reminder of a submission, or removes it.
   *
   * @param reminder its date, such as `2026-12-03`, and the time at which that day begins
   */
  remind(id: string, reminder: { on: string; at: number } | undefined, by: string, version?: number): Promise<boolean> {
    const event = { event: 'reminder', by, on: reminder?.on } as const;
    return this.changeIf(id, version, sql`remind_at = ${reminder?.at ?? null}`, event);
  }

  /** Appends a note to the history. */
  addNote(id: string, text: string, by: string, version?: number): Promise<boolean> {
    const set = sql`search_text = search_text || ${`\n${folded(text)}`}`;
    return this.changeIf(id, version, set, { event: 'note', by, text });
  }

  /** Ends the attempts to deliver a submission, unless a worker is sending it at this moment. */
  giveUp(id: string, by: string, version?: number): Promise<boolean> {
    const set = sql`state = 'failed', state_since = ${this.database.now}`;
    const condition = sql`state = 'pending' AND ${this.leases.isFree}`;
    return this.changeIf(id, version, set, { event: 'given up', by }, { condition });
  }

  /**
   * Notes a request for the list.
   *
   * @returns end of the user's visit before this one, in milliseconds since the epoch; on the first visit it is now, so
   * that nothing is new
   */
  async visit(name: string, now: number): Promise<number> {
    const [visit] = await this.database.rows<{ newSince: number }>(sql`
      INSERT INTO inbox_visits (name, new_since, last_at) VALUES (${name}, ${now}, ${now})
      ON CONFLICT (name) DO UPDATE SET last_at = excluded.last_at, new_since = CASE
        WHEN inbox_visits.last_at < ${now - VISIT_PAUSE_MS} THEN inbox_visits.last_at
        ELSE inbox_visits.new_since END
      RETURNING new_since`);
    return visit?.newSince ?? now;
  }

  /** Whether the latest event of staff is this one, of the same user, less than a minute ago. */
  async isRepeated(id: string, event: HistoryEvent): Promise<boolean> {
    const [found] = await submissionsById(this.database, [id]);
    const last = found && historyOf(found).findLast((one) => one.by !== undefined && one.event !== 'downloaded');
    if (!last || Date.now() - Date.parse(last.at) >= REPEAT_MS) return false;
    return Object.entries(event).every(([name, value]) => last[name as keyof HistoryEvent] === value);
  }

  /**
   * Changes a submission with a line of history if it has the version of the user's page. If not, the same event of the same
   * user within a minute is a second press, and done.
   *
   * @returns false if the submission has changed meanwhile, or the condition does not hold; nothing is written
   */
  private async changeIf(
    id: string,
    version: number | undefined,
    set: RawBuilder<unknown>,
    event: HistoryEvent,
    { condition = sql`TRUE`, at = new Date() }: { readonly condition?: RawBuilder<unknown>; readonly at?: Date } = {},
  ): Promise<boolean> {
    const changed = await this.database.ids(sql`
      UPDATE submissions SET ${set}, ${RAISED}, history = ${historyWith(event, at)}
      WHERE id = ${id} AND ${isVersion(version)} AND ${condition} RETURNING id`);
    return changed.length > 0 || this.isRepeated(id, event);
  }
}

/** Assignment that makes the forms of older pages outdated. */
const RAISED = sql`version = version + 1`;

/** Condition for submissions that a user marked at this time, of those that the user may see now. */
const whereMarked = (by: string, at: number, scope: Scope) =>
  sql<boolean>`handled IN ('done', 'spam') AND handled_at = ${at} AND handled_by = ${by} AND ${isInScope(scope)}`;
