import { randomUUID } from 'node:crypto';
import { domainToASCII } from 'node:url';
import { Injectable } from '@nestjs/common';
import DataLoader from 'dataloader';
import { sql, type RawBuilder } from 'kysely';
import { Database } from '../database/database.ts';
import type {
  Backlog,
  EventDetail,
  FollowUpKind,
  FormKind,
  HistoryEvent,
  Lease,
  NewSubmission,
  Selection,
  Submission,
  SubmissionState,
} from './submission.ts';

/** The largest number of rows that one statement writes. */
const BATCH = 64;

/** The number of rows that one statement of a long read or a clean-up takes. */
export const PAGE = 500;

/** A lease that is not renewed ends after this time; a submission whose worker died waits that long. */
export const LEASE_MS = 30_000;

/** No attempt is postponed for longer than this; a later time was written by a clock that has jumped since. */
const PAUSE_MAX_MS = 20 * 60_000;

/** The columns of a {@link Submission}. */
const COLUMNS = sql.raw(
  'id, form, state, state_since, content_digest, fields, resume, reasons, request_id, received_at, next_attempt_at, ' +
    'attempts, last_error, released_at, history',
);

/** How many submissions in this state were received within an hour, which is in milliseconds since the epoch. */
export interface HourCount {
  readonly hour: number;
  readonly state: SubmissionState;
  readonly count: number;
}

/** What an attempt came to. What is not named stays as it is. */
export interface AttemptResult {
  readonly state?: 'delivered' | 'failed' | 'quarantined';
  /** The next attempt is made after this time. */
  readonly pauseMs?: number;
  readonly attempts?: number;
  readonly error?: string | undefined;
  readonly reasons?: readonly string[] | undefined;
  /** What the history tells of it beside the error. */
  readonly event?: EventDetail | undefined;
}

/**
 * Stores submissions in either database. The database is the only truth about them, since Redis can be lost at any
 * time. A change is durable when its promise resolves. Every method throws StorageUnavailableError while the database
 * is away.
 *
 * A worker leases a submission by a random token and renews the lease while it delivers. Every write names the token,
 * so a worker that was frozen, and whose lease another worker took over, changes nothing.
 */
@Injectable()
export class SubmissionsRepository {
  private readonly inserts = gathered((batch: readonly NewSubmission[]) => this.insertAll(batch));
  private readonly acquisitions = gathered((ids: readonly string[]) => this.acquireAll(ids));
  private readonly results = gathered((ended: readonly EndedLease[]) => this.endLeases(ended));

  constructor(private readonly database: Database) {}

  /**
   * Stores a new submission.
   *
   * @returns false when one with this id exists, which is not changed
   */
  insert(submission: NewSubmission): Promise<boolean> {
    return this.inserts.load(submission);
  }

  async find(id: string): Promise<Submission | undefined> {
    const [found] = await this.rows<Submission>(sql`SELECT ${COLUMNS} FROM submissions WHERE id = ${id}`);
    return found;
  }

  /** The keys of these submissions' files. */
  async resumeKeys(ids: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await this.database.run((db) =>
      db.selectFrom('submissions').select('resume').where('id', 'in', ids).where('resume', 'is not', null).execute(),
    );
    return new Set(rows.map(({ resume }) => resume?.key ?? ''));
  }

  /** Reads what an operator asks for, state by state and page by page, the longest in its state first. */
  async *select({ states, olderThan, email, stateFrom = 0, stateUntil }: Selection): AsyncGenerator<Submission> {
    const wanted = [sql`TRUE`];
    if (olderThan !== undefined) wanted.push(sql`received_at <= ${Date.now() - olderThan}`);
    if (email !== undefined) wanted.push(sql`email = ${normalizedEmail(email)}`);
    if (stateUntil !== undefined) wanted.push(sql`state_since <= ${stateUntil}`);
    for (const state of states) {
      let page: Submission[] = [];
      do {
        const last = page.at(-1);
        page = await this.rows<Submission>(sql`
          SELECT ${COLUMNS} FROM submissions
          WHERE state = ${state} AND (state_since, id) > (${last?.stateSince ?? stateFrom}, ${last?.id ?? ''})
            AND ${sql.join(wanted, sql` AND `)}
          ORDER BY state_since, id LIMIT ${sql.lit(PAGE)}`);
        yield* page;
      } while (page.length === PAGE);
    }
  }

  /** A page of what these forms have received, the newest first. @param before the last one of the page before */
  newest(
    forms: readonly FormKind[],
    states: readonly SubmissionState[],
    limit: number,
    before?: Pick<Submission, 'receivedAt' | 'id'>,
  ): Promise<Submission[]> {
    return this.rows<Submission>(sql`
      SELECT ${COLUMNS} FROM submissions
      WHERE form IN (${sql.join(forms)}) AND state IN (${sql.join(states)})
        AND (received_at, id) < (${before?.receivedAt ?? Number.MAX_SAFE_INTEGER}, ${before?.id ?? ''})
      ORDER BY received_at DESC, id DESC LIMIT ${limit}`);
  }

  /** How many these forms have received in each hour since a time, by state. */
  countsByHour(forms: readonly FormKind[], since: number): Promise<HourCount[]> {
    const hour = sql`received_at / 3600000 * 3600000`;
    return this.rows(sql`
      SELECT ${hour} AS hour, state, count(*) AS count FROM submissions
      WHERE received_at >= ${since} AND form IN (${sql.join(forms)}) GROUP BY ${hour}, state`);
  }

  /** How many submissions of these forms are in these states. */
  async count(forms: readonly FormKind[], states: readonly SubmissionState[]): Promise<number> {
    const [row] = await this.rows<{ count: number }>(sql`
      SELECT count(*) AS count FROM submissions WHERE form IN (${sql.join(forms)}) AND state IN (${sql.join(states)})`);
    return row?.count ?? 0;
  }

  /** The ids of pending submissions that are due and not leased, the longest waiting first. */
  due(forms: readonly FormKind[], limit = PAGE): Promise<string[]> {
    return this.ids(sql`
      SELECT id FROM submissions WHERE ${this.isDue} AND form IN (${sql.join(forms)})
      ORDER BY next_attempt_at, received_at LIMIT ${limit}`);
  }

  /** Leases a submission that is due. The result is undefined when it is not due, or another worker has leased it. */
  acquire(id: string): Promise<Lease | undefined> {
    return this.acquisitions.load(id);
  }

  /** @returns false when another worker has taken over */
  async renew({ submission, token }: Lease): Promise<boolean> {
    const rows = await this.rows(sql`UPDATE submissions SET lease_until = ${this.leaseEnd}
      WHERE id = ${submission.id} AND lease_token = ${token} RETURNING id`);
    return rows.length > 0;
  }

  /**
   * Ends a lease and writes the result of the attempt, with a line of history; without one it is as if nothing had been
   * tried.
   *
   * @returns false when another worker has taken over; then nothing is written
   */
  endLease(lease: Lease, result: AttemptResult = {}): Promise<boolean> {
    return this.results.load({ lease, result });
  }

  /** Adds a line to a submission's history. */
  async record(id: string, event: HistoryEvent): Promise<void> {
    await this.rows(sql`UPDATE submissions SET history = ${withLine(event)} WHERE id = ${id}`);
  }

  /**
   * Makes submissions pending again, with no attempts counted.
   *
   * @param from the states that they may be in
   * @param by who wants it, for the history
   * @param followUps what is to be sent beside the mail now, where it was not before
   * @returns the ids of those that are pending now
   */
  requeue(
    ids: readonly string[],
    from: readonly SubmissionState[],
    {
      released = false,
      by,
      followUps = [],
    }: { released?: boolean; by?: string; followUps?: readonly FollowUpKind[] } = {},
  ): Promise<string[]> {
    const history = withLine({ event: released ? 'released' : 'sent again', by });
    const kinds = new Map(followUps.length > 0 ? ids.map((id) => [id, followUps]) : []);
    return this.changed(
      kinds,
      sql`
      UPDATE submissions SET state = 'pending', state_since = ${this.database.now}, next_attempt_at = 0, attempts = 0,
        alert_due = 0, history = ${history}, released_at = ${released ? this.database.now : sql.ref('released_at')}
      WHERE id IN (${sql.join(ids)}) AND state IN (${sql.join(from)}) RETURNING id`,
    );
  }

  /**
   * Deletes up to a page of submissions that have been in a state for longer than so many milliseconds.
   *
   * @returns what was deleted, so that the caller can remove the files
   */
  deleteOlder(states: readonly SubmissionState[], olderThan: number): Promise<Submission[]> {
    return this.rows<Submission>(sql`
      DELETE FROM submissions WHERE id IN (
        SELECT id FROM submissions
        WHERE state IN (${sql.join(states)}) AND state_since < ${this.database.fromNow(-olderThan)}
        LIMIT ${sql.lit(PAGE)}
      ) RETURNING ${COLUMNS}`);
  }

  /**
   * Erases submissions that are not leased, and keeps their ids and the time as proof.
   *
   * @param firstAt when they were erased before a backup brought them back, in milliseconds since the epoch; what was
   * received later stays
   * @returns what was erased, so that the caller can remove the files
   */
  erase(ids: readonly string[], firstAt?: number): Promise<Submission[]> {
    return this.database.run((db) =>
      db.transaction().execute(async (transaction) => {
        const { rows: erased } = await sql<Submission>`
          DELETE FROM submissions WHERE id IN (${sql.join(ids)}) AND ${this.isUnleased}
            AND received_at <= ${firstAt ?? Number.MAX_SAFE_INTEGER} RETURNING ${COLUMNS}`.execute(transaction);
        const proven = firstAt === undefined ? erased.map(({ id }) => id) : ids;
        const proofs = proven.map((id) => ({ id, erasedAt: firstAt ?? this.database.now }));
        if (proofs.length > 0) {
          const insert = transaction.insertInto('erasures').values(proofs);
          await insert.onConflict((conflict) => conflict.doNothing()).execute();
          // What remembers that the visitor's address was written to.
          await sql`DELETE FROM properties WHERE name LIKE 'acknowledged:%'
            AND substr(value, 15) IN (${sql.join(ids)})`.execute(transaction);
        }
        return erased;
      }),
    );
  }

  /**
   * Deletes the canaries that a process of version 0.2 sent, and makes submissions due whose next attempt a clock that
   * has jumped put too far into the future.
   */
  async tidyPending(): Promise<void> {
    const latest = this.database.fromNow(PAUSE_MAX_MS);
    await this.rows(sql`DELETE FROM submissions WHERE state = 'pending' AND canary = 1`);
    await this.rows(sql`UPDATE submissions SET next_attempt_at = 0
      WHERE state = 'pending' AND next_attempt_at > ${latest}`);
  }

  /** The figures come from indexes alone, so they are as quick with a million delivered submissions as with none. */
  async counts(): Promise<Backlog> {
    const states = await this.rows<{ state: keyof Backlog; count: number }>(sql`
      SELECT state, count(*) AS count FROM submissions WHERE state IN ('pending', 'failed', 'quarantined')
      GROUP BY state`);
    const [oldest] = await this.rows<{ age: number | null }>(sql`
      SELECT ${this.database.now} - min(state_since) AS age FROM submissions WHERE state = 'pending'`);
    const counts = Object.fromEntries(states.map(({ state, count }) => [state, count]));
    return { pending: 0, failed: 0, quarantined: 0, ...counts, oldestPendingMs: Math.max(0, oldest?.age ?? 0) };
  }

  /** The ids of submissions that have been pending for longer than so many milliseconds. */
  pendingLongerThan(time: number): Promise<string[]> {
    return this.ids(sql`
      SELECT id FROM submissions WHERE state = 'pending' AND state_since < ${this.database.fromNow(-time)}
      LIMIT ${sql.lit(PAGE)}`);
  }

  /** Failed and quarantined submissions about which no alert was raised yet. */
  alertsDue(): Promise<Pick<Submission, 'id' | 'state'>[]> {
    return this.rows(sql`
      SELECT id, state FROM submissions WHERE alert_due = 1 ORDER BY state_since LIMIT ${sql.lit(PAGE)}`);
  }

  async alertRaised(ids: readonly string[]): Promise<void> {
    await this.rows(sql`UPDATE submissions SET alert_due = 0 WHERE id IN (${sql.join(ids)})`);
  }

  /** Leases what is due of these. One token will do: a write names the submission too. */
  private async acquireAll(ids: readonly string[]): Promise<(Lease | undefined)[]> {
    const token = randomUUID();
    const rows = await this.rows<Submission>(sql`
      UPDATE submissions SET lease_token = ${token}, lease_until = ${this.leaseEnd}
      WHERE id IN (${sql.join(ids.toSorted())}) AND ${this.isDue} RETURNING ${COLUMNS}`);
    const byId = new Map(rows.map((submission) => [submission.id, { submission, token }]));
    // Of two that ask for one submission, the first one has it.
    return ids.map((id) => {
      const lease = byId.get(id);
      byId.delete(id);
      return lease;
    });
  }

  /** Writes the results of all whose lease still holds. @returns whether each was written */
  private async endLeases(ended: readonly EndedLease[]): Promise<boolean[]> {
    const values = ended.map(({ lease: { submission, token }, result: { event, reasons, ...result } }) => {
      const name = result.state ?? (result.pauseMs === undefined ? undefined : 'attempt');
      const line = name && lineOf({ event: name, ...(result.error !== undefined && { code: result.error }), ...event });
      return { id: submission.id, token, line, reasons: reasons && JSON.stringify(reasons), ...result };
    });
    const written = await this.ids(sql`
      UPDATE submissions SET lease_token = NULL, lease_until = NULL,
        state = coalesce(ended.state, submissions.state),
        state_since = CASE WHEN ended.state IS NULL THEN state_since ELSE ${this.database.now} END,
        alert_due = CASE WHEN ended.state IS NULL THEN alert_due WHEN ended.state = 'delivered' THEN 0 ELSE 1 END,
        attempts = coalesce(ended.attempts, submissions.attempts),
        last_error = coalesce(ended.error, last_error),
        reasons = coalesce(ended.reasons, submissions.reasons),
        next_attempt_at = coalesce(${this.database.now} + ended.pause, next_attempt_at),
        history = history || coalesce(ended.line, '')
      FROM (
        SELECT value ->> 'id' AS id, value ->> 'token' AS token, value ->> 'state' AS state,
          CAST(value ->> 'attempts' AS integer) AS attempts, value ->> 'error' AS error,
          value ->> 'reasons' AS reasons, CAST(value ->> 'pauseMs' AS bigint) AS pause, value ->> 'line' AS line
        FROM ${this.elements}(${JSON.stringify(values)})
      ) AS ended
      WHERE submissions.id = ended.id AND lease_token = ended.token RETURNING submissions.id`);
    const ids = new Set(written);
    return ended.map(({ lease }) => ids.has(lease.submission.id));
  }

  /**
   * One statement for a batch of any size, with one parameter. The order is that of the ids: two batches that hold the
   * same ones would otherwise wait for each other in PostgreSQL.
   */
  private async insertAll(batch: readonly NewSubmission[]): Promise<boolean[]> {
    const values = batch.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map(valuesOf);
    const now = Date.now();
    const kinds = new Map(batch.flatMap(({ id, followUps = [] }) => (followUps.length > 0 ? [[id, followUps]] : [])));
    const inserted = await this.changed(
      kinds,
      sql`
      INSERT INTO submissions (id, form, state, content_digest, email, fields, resume, reasons, request_id,
        state_since, received_at, next_attempt_at, attempts, alert_due, canary)
      SELECT value ->> 'id', value ->> 'form', value ->> 'state', value ->> 'contentDigest', value ->> 'email',
        value ->> 'fields', value ->> 'resume', value ->> 'reasons', value ->> 'requestId',
        CAST(${now} AS bigint), CAST(${now} AS bigint), 0, 0, 0, 0
      FROM ${this.elements}(${JSON.stringify(values)}) WHERE TRUE
      ON CONFLICT (id) DO NOTHING RETURNING id`,
    );
    const ids = new Set(inserted);
    // When a batch has two submissions with one id, the first one was stored.
    return batch.map(({ id }) => ids.delete(id));
  }

  /**
   * Runs a statement that returns the ids of the submissions that it has changed. What is to be sent beside the mail of
   * these is written in the same transaction; where there is nothing, the statement runs alone.
   */
  private async changed(
    kinds: ReadonlyMap<string, readonly FollowUpKind[]>,
    change: RawBuilder<unknown>,
  ): Promise<string[]> {
    const idsFrom = (rows: readonly unknown[]) => (rows as readonly { id: string }[]).map(({ id }) => id);
    if (kinds.size === 0) return idsFrom(await this.rows(change));
    return this.database.run((db) =>
      db.transaction().execute(async (transaction) => {
        const ids = idsFrom((await change.execute(transaction)).rows);
        const followUps = ids.flatMap((submissionId) =>
          (kinds.get(submissionId) ?? []).map((kind) => ({ submissionId, kind, stateSince: this.database.now })),
        );
        if (followUps.length > 0) {
          const insert = transaction.insertInto('followUps').values(followUps);
          await insert.onConflict((conflict) => conflict.doNothing()).execute();
        }
        return ids;
      }),
    );
  }

  private async rows<Row>(statement: RawBuilder<unknown>): Promise<Row[]> {
    const { rows } = await this.database.run((db) => statement.execute(db));
    return rows as Row[];
  }

  private async ids(statement: RawBuilder<unknown>): Promise<string[]> {
    const rows = await this.rows<{ id: string }>(statement);
    return rows.map(({ id }) => id);
  }

  /** The function that makes rows, with a column `value`, of the elements of a JSON array. */
  private get elements(): RawBuilder<unknown> {
    return sql.raw(this.database.engine === 'sqlite' ? 'json_each' : 'json_array_elements');
  }

  private get leaseEnd(): RawBuilder<number> {
    return this.database.fromNow(LEASE_MS);
  }

  /**
   * The state is written out and not a parameter: only then does SQLite use the partial index of what is pending. A
   * canary of version 0.2 is nobody's enquiry.
   */
  private get isDue(): RawBuilder<unknown> {
    return sql`state = 'pending' AND canary = 0 AND next_attempt_at <= ${this.database.now} AND ${this.isUnleased}`;
  }

  /** A lease that ends later than one that begins now was written by a clock that has jumped. */
  private get isUnleased(): RawBuilder<unknown> {
    return sql`(lease_until IS NULL OR lease_until <= ${this.database.now} OR lease_until > ${this.leaseEnd})`;
  }
}

/** The form in which addresses are compared: people ignore case, and programs write accents and domains in two ways. */
export function normalizedEmail(email: string): string {
  const [, local = '', domain = ''] = /^(.*@)?(.*)$/s.exec(email.trim()) ?? [];
  return local.normalize('NFC').toLowerCase() + (domainToASCII(domain) || domain.toLowerCase());
}

/**
 * What an INSERT writes, by the names that it has there. JSON goes as a text: PostgreSQL would look into it, and refuse
 * what it cannot decode.
 */
function valuesOf(submission: NewSubmission) {
  const { id, form, quarantined, contentDigest, requestId } = submission;
  const state: SubmissionState = quarantined ? 'quarantined' : 'pending';
  const email = normalizedEmail(submission.fields.email);
  const [fields, reasons] = [submission.fields, submission.reasons].map((value) => JSON.stringify(value));
  const resume = submission.form === 'application' ? JSON.stringify(submission.resume) : undefined;
  return { id, form, state, contentDigest, email, fields, resume, reasons, requestId };
}

/** The history and one line more. */
function withLine(event: HistoryEvent): RawBuilder<string> {
  return sql<string>`history || ${lineOf(event)}`;
}

const lineOf = (event: HistoryEvent) => `${JSON.stringify({ at: new Date(), ...event })}\n`;

interface EndedLease {
  readonly lease: Lease;
  readonly result: AttemptResult;
}

/** Has a statement write together what arrives while the one before it runs. */
function gathered<Value, Result>(write: (batch: readonly Value[]) => Promise<Result[]>): DataLoader<Value, Result> {
  let running: Promise<unknown> = Promise.resolve();
  return new DataLoader((batch) => (running = write(batch)) as Promise<Result[]>, {
    cache: false,
    maxBatchSize: BATCH,
    batchScheduleFn: (send) =>
      void running.then(
        () => setImmediate(send),
        () => setImmediate(send),
      ),
  });
}
