import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { sql, type Kysely, type RawBuilder } from 'kysely';
import { valueOf } from '../contract/forms.ts';
import { Database } from '../database/database.ts';
import { groupCommit } from '../database/group-commit.ts';
import { Leases } from '../outbox/leases.ts';
import type { NotificationKind, Schema } from '../database/schema.ts';
import { recordErasure } from './erasure.service.ts';
import type { Scope } from './scope.ts';
import { normalizedEmail, searchTextOf, topicKey } from './search-terms.ts';
import type {
  Expiring,
  HistoryEvent,
  Lease,
  NewSubmission,
  StaffAction,
  Submission,
  SubmissionState,
} from './submission.ts';
import { historyWith, isOlder, isVersion, jsonRows, SUBMISSION_COLUMNS, submissionsById } from './submission-sql.ts';

/** Result of a delivery attempt. A property that is not set leaves its column unchanged. */
export interface AttemptResult {
  /** New state. One that stays pending waits for the next attempt. */
  readonly state?: SubmissionState;
  /** Time until the next attempt. */
  readonly pauseMs?: number | undefined;
  readonly attempts?: number;
  readonly error?: string | undefined;
  readonly reasons?: readonly string[] | undefined;
  /** Mailbox of another department that got the mail. */
  readonly recipient?: string | undefined;
  /** Details for the history, in addition to the error. With null it gets no line. */
  readonly event?: Pick<HistoryEvent, 'code' | 'reply'> | null | undefined;
}

/** How submissions become pending again. */
interface Requeue {
  /** States in which a submission is requeued. */
  readonly from: readonly SubmissionState[];
  /** Event in the history. After a release a submission is not quarantined again for the same reasons. */
  readonly event: StaffAction;
  /** User or operator. */
  readonly by?: string | undefined;
  /** Mailbox that replaces the configured one from now on. */
  readonly to?: string | undefined;
  /** Version that the user's page showed. */
  readonly version?: number | undefined;
  /** Kinds to add to the outbox, unless they are in it. */
  readonly notifications?: readonly NotificationKind[];
}

/**
 * Stores submissions and leases them to workers. The database is the source of truth, because Redis can be lost at any
 * time. A change is durable when its promise resolves. Every method throws StorageUnavailableError while the database
 * is unavailable.
 *
 * A lease has a random fencing token, which every write names. A worker that was frozen until another worker took over
 * its lease therefore changes nothing. `SubmissionSearchRepository` reads, `HandlingRepository` has staff's marks and notes.
 */
@Injectable()
export class SubmissionsRepository {
  private readonly insertGrouped = groupCommit((batch: readonly NewSubmission[]) => this.insertAll(batch));
  private readonly leases: Leases;

  constructor(private readonly database: Database) {
    this.leases = new Leases(database, 'submissions');
  }

  /** Stores a new submission. @returns false if one with this id exists, which is not changed */
  insert(submission: NewSubmission): Promise<boolean> {
    return this.insertGrouped(submission);
  }

  /** Returns a submission, if the scope has it. */
  async find(id: string, scope?: Scope): Promise<Submission | undefined> {
    const [found] = await submissionsById(this.database, [id], scope);
    return found;
  }

  /** Returns the ids of pending submissions that are due and not leased, longest waiting first. */
  due(limit = this.database.pageRows): Promise<string[]> {
    return this.database.ids(sql`
      SELECT id FROM submissions WHERE ${this.isDue} ORDER BY next_attempt_at, received_at LIMIT ${limit}`);
  }

  /** Returns up to a page of pending submissions whose mail was tried in vain, those that wait longest first. */
  waiting(): Promise<Submission[]> {
    return this.database.rows(sql`
      SELECT ${SUBMISSION_COLUMNS} FROM submissions
      WHERE state = 'pending' AND next_attempt_at > 0 AND attempts > 0
      ORDER BY next_attempt_at DESC LIMIT ${sql.lit(this.database.pageRows)}`);
  }

  /** Leases a submission. @returns undefined if it is not due, or another worker has leased it */
  async acquire(id: string): Promise<Lease | undefined> {
    const token = randomUUID();
    const [submission] = await this.database.rows<Submission>(sql`UPDATE submissions SET ${this.leases.take(token)}
      WHERE id = ${id} AND ${this.isDue} RETURNING ${SUBMISSION_COLUMNS}`);
    return submission && { submission, token };
  }

  /** @returns false if another worker has taken over the lease */
  renew({ submission, token }: Lease): Promise<boolean> {
    return this.leases.renew(sql`id = ${submission.id}`, token);
  }

  /**
   * Ends a lease and writes the result of the attempt with a line of history. Without a result, the attempt does not
   * count.
   *
   * @returns false if another worker has taken over the lease; then nothing is written
   */
  async endLease({ submission: { id }, token }: Lease, result: AttemptResult = {}): Promise<boolean> {
    const { pauseMs, attempts, error: lastError, recipient, reasons, event } = result;
    // A submission that stays pending keeps the time since which it is.
    const state = result.state === 'pending' ? undefined : result.state;
    const eventName = state ?? (pauseMs !== undefined && event !== null ? 'attempt' : undefined);
    const code = lastError === undefined ? {} : { code: lastError };
    const [ended] = await this.database.run((db) =>
      db
        .updateTable('submissions')
        .set({
          leaseToken: null,
          leaseUntil: null,
          ...(state && { state, stateSince: this.database.now }),
          ...(attempts !== undefined && { attempts }),
          ...(lastError !== undefined && { lastError }),
          ...(reasons && { reasons: sql<string[]>`${JSON.stringify(reasons)}` }),
          ...(recipient !== undefined && { recipient }),
          ...(pauseMs !== undefined && { nextAttemptAt: this.database.fromNow(pauseMs) }),
          ...(eventName && { history: historyWith({ event: eventName, ...code, ...event }) }),
        })
        .where('id', '=', id)
        .where(this.leases.isHeld(token))
        .returning('id')
        .execute(),
    );
    return ended !== undefined;
  }

  /** Adds a line to a submission's history. */
  async record(id: string, event: HistoryEvent): Promise<void> {
    const history = historyWith(event);
    await this.database.run((db) => db.updateTable('submissions').set({ history }).where('id', '=', id).execute());
  }

  /**
   * Makes submissions pending again, resets their attempts and removes staff's marks.
   *
   * @returns the ids of the requeued submissions.
   */
  requeue(ids: readonly string[], { from, event, by, to, version, notifications = [] }: Requeue): Promise<string[]> {
    const notified = ids.flatMap((id) => notifications.map((kind) => ({ id, kind })));
    return this.changeWithNotifications(notified, (db) =>
      db
        .updateTable('submissions')
        .set(({ eb }) => ({
          state: 'pending',
          version: eb('version', '+', 1),
          stateSince: this.database.now,
          nextAttemptAt: 0,
          attempts: 0,
          handled: null,
          handledAt: null,
          handledBy: null,
          history: historyWith({ event, to, by }),
          ...(to !== undefined && { recipient: to, takenBy: null, takenAt: null }),
          ...(event === 'released' && { releasedAt: this.database.now }),
        }))
        .where('id', 'in', ids)
        .where('state', 'in', from)
        .where(isVersion(version))
        .returning('id')
        .execute(),
    );
  }

  /**
   * Deletes the rows of submissions that are not leased. The same transaction writes a tombstone for each and records the
   * clean-up, so a crash leaves no file and no copy behind. Call `ErasureService.cleanUp` afterwards.
   *
   * @param firstAt time of the first erasure in milliseconds since the epoch, if a restored backup has brought the rows
   * back. A row received later stays.
   * @returns the references of the erased submissions.
   */
  erase(ids: readonly string[], firstAt?: number): Promise<string[]> {
    return this.database.run((db) =>
      db.transaction().execute(async (transaction) => {
        const free = transaction.deleteFrom('submissions').where('id', 'in', ids).where(this.leases.isFree);
        const received = free.where('receivedAt', '<=', firstAt ?? Number.MAX_SAFE_INTEGER);
        const erased = await received.returning(['id', 'resume']).execute();
        const erasedIds = erased.map(({ id }) => id);
        const { now } = this.database;
        await recordErasure(transaction, firstAt === undefined ? erasedIds : ids, firstAt ?? now, erased, now);
        return erasedIds;
      }),
    );
  }

  /**
   * Deletes up to a page of submissions that have been in a state, or marked, for longer than this.
   *
   * @returns the deleted submissions, so that the caller can remove their files.
   */
  deleteOlder(which: Expiring, ageMs: number): Promise<Pick<Submission, 'id' | 'resume'>[]> {
    return this.database.rows(sql`
      DELETE FROM submissions WHERE id IN (
        SELECT id FROM submissions WHERE ${isOlder(this.database, which, ageMs)} LIMIT ${sql.lit(this.database.pageRows)}
      ) RETURNING id, resume`);
  }

  /**
   * Inserts a batch of any size by one statement with one parameter. The rows are sorted by id: batches that overlap
   * would otherwise deadlock in PostgreSQL.
   */
  private async insertAll(batch: readonly NewSubmission[]): Promise<boolean[]> {
    const rows = batch.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map(arrivalRow);
    const columns = sql.join(Object.keys(rows[0] ?? {}).map((column) => sql.ref(column)));
    const now = sql`CAST(${Date.now()} AS bigint)`;
    // SQLite would take ON CONFLICT for a condition of a join without WHERE.
    const insert = sql<{ id: string }>`
      INSERT INTO submissions (${columns}, state_since, received_at, next_attempt_at, attempts)
      SELECT ${columns}, ${now}, ${now}, 0, 0
      FROM ${jsonRows(this.database, rows)} AS arrivals WHERE TRUE
      ON CONFLICT (id) DO NOTHING RETURNING id`;
    const notified = batch.flatMap(({ id, notifications = [] }) => notifications.map((kind) => ({ id, kind })));
    const ids = await this.changeWithNotifications(notified, async (db) => (await insert.execute(db)).rows);
    // The first of two calls for one submission in a group commit has inserted it.
    const inserted = new Set(ids);
    return batch.map(({ id }) => inserted.delete(id));
  }

  /**
   * Runs a statement that returns the ids of the submissions that it changes. Their notifications are written in the same
   * transaction (transactional outbox).
   */
  private async changeWithNotifications(
    notified: readonly { readonly id: string; readonly kind: NotificationKind }[],
    change: (db: Kysely<Schema>) => Promise<readonly { readonly id: string }[]>,
  ): Promise<string[]> {
    const idsOf = async (db: Kysely<Schema>) => (await change(db)).map(({ id }) => id);
    if (notified.length === 0) return this.database.run(idsOf);
    return this.database.run((db) =>
      db.transaction().execute(async (transaction) => {
        const ids = await idsOf(transaction);
        const changed = new Set(ids);
        const stateSince = this.database.now;
        const rows = notified
          .filter(({ id }) => changed.has(id))
          .map(({ id: submissionId, kind }) => ({ submissionId, kind, stateSince }));
        if (rows.length > 0) {
          const insert = transaction.insertInto('notifications').values(rows);
          await insert.onConflict((conflict) => conflict.doNothing()).execute();
        }
        return ids;
      }),
    );
  }

  /** The state is a literal: with a parameter SQLite does not use the partial index of pending submissions. */
  private get isDue(): RawBuilder<unknown> {
    return sql`state = 'pending' AND next_attempt_at <= ${this.database.now} AND ${this.leases.isFree}`;
  }
}

/** Returns the columns of an arrival. JSON is passed as text: PostgreSQL would reject JSON that it cannot decode. */
function arrivalRow(submission: NewSubmission) {
  const { id, form, quarantined, contentDigest, requestId } = submission;
  const state: SubmissionState = quarantined ? 'quarantined' : 'pending';
  const email = normalizedEmail(valueOf(submission, 'email'));
  const fields = JSON.stringify(submission.fields);
  const reasons = JSON.stringify(submission.reasons);
  const resume = submission.resume && JSON.stringify(submission.resume);
  const topic = topicKey(valueOf(submission, 'topic'));
  const searchText = searchTextOf(submission);
  return { id, form, state, contentDigest, email, topic, fields, resume, reasons, requestId, searchText };
}
