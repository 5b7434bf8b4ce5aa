import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { sql, type RawBuilder } from 'kysely';
import { valueOf, type FormKind } from '../contract/forms.ts';
import { Database } from '../database/database.ts';
import { groupCommit } from '../database/group-commit.ts';
import { Leases } from '../database/leases.ts';
import { NOTIFICATIONS, type NotificationKind } from '../database/schema.ts';
import { storedReason, type Reason } from './reasons.ts';
import { normalizedEmail, searchTextOf } from './search-text.ts';
import type {
  EventDetail,
  HistoryEvent,
  Lease,
  NewSubmission,
  StaffAction,
  Submission,
  SubmissionState,
} from './submission.ts';
import { historyLine, historyWith, SUBMISSION_COLUMNS, submissionsOf } from './submission-sql.ts';

/** Length of a lease. The submission of a worker that died waits this long. */
export const LEASE_MS = 30_000;

/** Result of a delivery attempt. A property that is not set leaves its column unchanged. */
export interface AttemptResult {
  readonly state?: 'delivered' | 'failed' | 'quarantined';
  /** Time until the next attempt. */
  readonly pauseMs?: number;
  readonly attempts?: number;
  readonly error?: string | undefined;
  readonly reasons?: readonly Reason[] | undefined;
  /** Mailbox of another department that got the mail. */
  readonly recipient?: string | undefined;
  /** Details for the history, in addition to the error, or another event than an attempt. With null it gets no line. */
  readonly event?: (EventDetail & Partial<Pick<HistoryEvent, 'event'>>) | null | undefined;
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
  /** Kinds to add to the outbox, unless they are in it. */
  readonly notifications?: readonly NotificationKind[];
}

/**
 * Stores submissions and leases them to workers. The database is the source of truth, because Redis can be lost at any
 * time. A change is durable when its promise resolves. Every method throws StorageUnavailableError while the database
 * is unavailable.
 *
 * A lease has a random fencing token, which every write names. A worker that was frozen until another worker took over
 * its lease therefore changes nothing. Lists, the backlog, staff's marks and erasures have repositories of their own.
 */
@Injectable()
export class SubmissionsRepository {
  private readonly inserts = groupCommit((batch: readonly NewSubmission[]) => this.insertAll(batch));
  private readonly acquisitions = groupCommit((ids: readonly string[]) => this.acquireAll(ids));
  private readonly results = groupCommit((ended: readonly EndedLease[]) => this.endLeases(ended));

  private readonly leases: Leases;

  constructor(private readonly database: Database) {
    this.leases = new Leases(database, 'submissions', LEASE_MS);
  }

  /** Stores a new submission. @returns false if one with this id exists, which is not changed */
  insert(submission: NewSubmission): Promise<boolean> {
    return this.inserts.load(submission);
  }

  async find(id: string): Promise<Submission | undefined> {
    const [found] = await submissionsOf(
      this.database,
      sql`SELECT ${SUBMISSION_COLUMNS} FROM submissions WHERE id = ${id}`,
    );
    return found;
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

  /** Returns the ids of pending submissions that are due and not leased, longest waiting first. */
  due(forms: readonly FormKind[], limit = this.database.pageRows): Promise<string[]> {
    return this.database.ids(sql`
      SELECT id FROM submissions WHERE ${this.isDue} AND form IN (${sql.join(forms)})
      ORDER BY next_attempt_at, received_at LIMIT ${limit}`);
  }

  /** Leases a submission. @returns undefined if it is not due, or another worker has leased it */
  acquire(id: string): Promise<Lease | undefined> {
    return this.acquisitions.load(id);
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
  endLease(lease: Lease, result: AttemptResult = {}): Promise<boolean> {
    return this.results.load({ lease, result });
  }

  /** Adds a line to a submission's history. */
  async record(id: string, event: HistoryEvent): Promise<void> {
    await this.database.rows(sql`UPDATE submissions SET history = ${historyWith(event)} WHERE id = ${id}`);
  }

  /**
   * Makes submissions pending again, resets their attempts and removes staff's marks.
   *
   * @returns the ids of the requeued submissions.
   */
  requeue(ids: readonly string[], { from, event, by, to, notifications = [] }: Requeue): Promise<string[]> {
    const recipient = to ?? sql.ref('recipient');
    const releasedAt = event === 'released' ? this.database.now : sql.ref('released_at');
    return this.changeWithNotifications(
      ids.flatMap((submissionId) => notifications.map((kind) => ({ submissionId, kind }))),
      sql`
      UPDATE submissions SET state = 'pending', state_since = ${this.database.now}, next_attempt_at = 0, attempts = 0,
        alert_due = 0, alert_token = NULL, history = ${historyWith({ event, to, by })}, recipient = ${recipient},
        released_at = ${releasedAt},
        handled = NULL, handled_at = NULL, handled_by = NULL
      WHERE id IN (${sql.join(ids)}) AND state IN (${sql.join(from)}) RETURNING id`,
    );
  }

  /** Returns the ids of these submissions that are pending. */
  async pendingOf(ids: readonly string[]): Promise<ReadonlySet<string>> {
    if (ids.length === 0) return new Set();
    const elements = JSON.stringify(ids.map((id) => ({ id })));
    return new Set(
      await this.database.ids(sql`
      SELECT id FROM submissions WHERE state || '' = 'pending'
        AND id IN (SELECT value ->> 'id' FROM ${this.database.jsonElements}(${elements}))`),
    );
  }

  /** Leases those that are due. All share one token, because each write also names the submission. */
  private async acquireAll(ids: readonly string[]): Promise<(Lease | undefined)[]> {
    const token = randomUUID();
    const rows = await submissionsOf(
      this.database,
      sql`UPDATE submissions SET ${this.leases.take(token)}
      WHERE id IN (${sql.join(ids.toSorted())}) AND ${this.isDue} RETURNING ${SUBMISSION_COLUMNS}`,
    );
    const byId = new Map(rows.map((submission) => [submission.id, { submission, token }]));
    // Two calls for the same submission: only the first one gets the lease.
    return ids.map((id) => {
      const lease = byId.get(id);
      byId.delete(id);
      return lease;
    });
  }

  /** Writes the results of the leases that still hold. @returns whether each result was written */
  private async endLeases(ended: readonly EndedLease[]): Promise<boolean[]> {
    const values = ended.map(({ lease: { submission, token }, result: { event, reasons, ...result } }) => {
      const name = result.state ?? (result.pauseMs === undefined || event === null ? undefined : 'attempt');
      const line =
        name && historyLine({ event: name, ...(result.error !== undefined && { code: result.error }), ...event });
      return { id: submission.id, token, line, reasons: reasons && reasonsText(reasons), ...result };
    });
    const written = await this.database.ids(sql`
      UPDATE submissions SET ${this.leases.end()},
        state = coalesce(ended.state, submissions.state),
        state_since = CASE WHEN ended.state IS NULL THEN state_since ELSE ${this.database.now} END,
        alert_due = CASE WHEN ended.state IS NULL THEN alert_due WHEN ended.state = 'delivered' THEN 0 ELSE 1 END,
        attempts = coalesce(ended.attempts, submissions.attempts),
        last_error = coalesce(ended.error, last_error),
        reasons = coalesce(ended.reasons, submissions.reasons),
        recipient = coalesce(ended.recipient, submissions.recipient),
        next_attempt_at = coalesce(${this.database.now} + ended.pause, next_attempt_at),
        history = history || coalesce(ended.line, '')
      FROM (
        SELECT value ->> 'id' AS id, value ->> 'token' AS token, value ->> 'state' AS state,
          CAST(value ->> 'attempts' AS integer) AS attempts, value ->> 'error' AS error,
          value ->> 'reasons' AS reasons, value ->> 'recipient' AS recipient, CAST(value ->> 'pauseMs' AS bigint) AS pause, value ->> 'line' AS line
        FROM ${this.database.jsonElements}(${JSON.stringify(values)})
      ) AS ended
      WHERE submissions.id = ended.id AND lease_token = ended.token RETURNING submissions.id`);
    const ids = new Set(written);
    return ended.map(({ lease }) => ids.has(lease.submission.id));
  }

  /**
   * Inserts a batch of any size by one statement with one parameter. The rows are sorted by id: batches that overlap
   * would otherwise deadlock in PostgreSQL.
   */
  private async insertAll(batch: readonly NewSubmission[]): Promise<boolean[]> {
    const values = batch.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map(valuesOf);
    const now = Date.now();
    const inserted = await this.changeWithNotifications(
      batch.flatMap(({ id: submissionId, notifications = [] }) =>
        notifications.map((kind) => ({ submissionId, kind })),
      ),
      sql`
      INSERT INTO submissions (id, form, state, content_digest, email, fields, resume, reasons, request_id,
        search_text, state_since, received_at, next_attempt_at, attempts, alert_due, canary)
      SELECT value ->> 'id', value ->> 'form', value ->> 'state', value ->> 'contentDigest', value ->> 'email',
        value ->> 'fields', value ->> 'resume', value ->> 'reasons', value ->> 'requestId',
        value ->> 'searchText', CAST(${now} AS bigint), CAST(${now} AS bigint), 0, 0, 0, 0
      FROM ${this.database.jsonElements}(${JSON.stringify(values)}) WHERE TRUE
      ON CONFLICT (id) DO NOTHING RETURNING id`,
    );
    const ids = new Set(inserted);
    // A batch with two submissions of the same id stores the first one.
    return batch.map(({ id }) => ids.delete(id));
  }

  /**
   * Runs a statement that returns the ids of the submissions that it changes. Their notifications are written in the same
   * transaction (transactional outbox).
   */
  private async changeWithNotifications(
    notifications: readonly { readonly submissionId: string; readonly kind: NotificationKind }[],
    change: RawBuilder<unknown>,
  ): Promise<string[]> {
    if (notifications.length === 0) return this.database.ids(change);
    return this.database.run((db) =>
      db.transaction().execute(async (transaction) => {
        const { rows: changedRows } = await change.execute(transaction);
        const ids = (changedRows as readonly { id: string }[]).map(({ id }) => id);
        const changed = new Set(ids);
        const rows = notifications
          .filter(({ submissionId }) => changed.has(submissionId))
          .map((notification) => ({ ...notification, stateSince: this.database.now }));
        if (rows.length > 0) {
          const insert = transaction.insertInto(NOTIFICATIONS).values(rows);
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

/** Returns the values of an INSERT. JSON is passed as text: PostgreSQL would reject JSON that it cannot decode. */
function valuesOf(submission: NewSubmission) {
  const { id, form, quarantined, contentDigest, requestId } = submission;
  const state: SubmissionState = quarantined ? 'quarantined' : 'pending';
  const email = normalizedEmail(valueOf(submission, 'email'));
  const fields = JSON.stringify(submission.fields);
  const reasons = reasonsText(submission.reasons);
  const resume = submission.resume && JSON.stringify(submission.resume);
  const searchText = searchTextOf(submission);
  return { id, form, state, contentDigest, email, fields, resume, reasons, requestId, searchText };
}

const reasonsText = (reasons: readonly Reason[]) => JSON.stringify(reasons.map(storedReason));

/** A lease to end, with the result of its attempt. */
interface EndedLease {
  readonly lease: Lease;
  readonly result: AttemptResult;
}
