import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { ExpressionBuilder, UpdateObject } from 'kysely';
import { Database } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';
import { PAGE, PENDING, toSubmission } from './submission-row.ts';
import type { FormKind, Submission } from './submission.ts';

/** A lease that is not renewed ends after this time; a submission whose worker died waits that long. */
export const LEASE_MS = 30_000;

/** No attempt is postponed for longer than this; a later time was written by a clock that has jumped since. */
const PAUSE_MAX_MS = 20 * 60_000;

type Builder = ExpressionBuilder<Schema, 'submissions'>;

/** The right to deliver a submission and to write the result, until another worker takes it over. */
export interface Lease {
  readonly submission: Submission;
  readonly token: string;
}

/**
 * Leases on pending submissions. A worker leases a submission by a random token and renews the lease while it delivers.
 * Every write names the token, so a worker that was frozen, and whose lease another worker took over, changes nothing.
 */
@Injectable()
export class LeasesRepository {
  constructor(private readonly database: Database) {}

  /** The ids of pending submissions that are due and not leased, the longest waiting first. */
  async due(forms: readonly FormKind[], limit = PAGE): Promise<string[]> {
    const rows = await this.database.run((db) =>
      db
        .selectFrom('submissions')
        .select('id')
        .where((is) => is.and([this.isDue(is), is('form', 'in', forms)]))
        .orderBy('next_attempt_at')
        .orderBy('received_at')
        .limit(limit)
        .execute(),
    );
    return rows.map(({ id }) => id);
  }

  /** Leases a submission that is due. The result is undefined when it is not due, or another worker has leased it. */
  async acquire(id: string): Promise<Lease | undefined> {
    const token = randomUUID();
    const row = await this.database.run((db) =>
      db
        .updateTable('submissions')
        .set({ lease_token: token, lease_until: this.database.fromNow(LEASE_MS) })
        .where((is) => is.and([is('id', '=', id), this.isDue(is)]))
        .returningAll()
        .executeTakeFirst(),
    );
    return row && { submission: toSubmission(row), token };
  }

  /** @returns false when another worker has taken over */
  renew(lease: Lease): Promise<boolean> {
    return this.update(lease, { lease_until: this.database.fromNow(LEASE_MS) });
  }

  /**
   * Writes the result of a delivery and ends the lease.
   *
   * @returns false when another worker has taken over; then nothing is written
   */
  settle(
    lease: Lease,
    to: {
      state: 'delivered' | 'failed' | 'quarantined';
      attempts: number;
      error?: string;
      reasons?: readonly string[];
    },
  ): Promise<boolean> {
    return this.update(lease, {
      state: to.state,
      state_since: this.database.now,
      attempts: to.attempts,
      lease_token: null,
      lease_until: null,
      alert_due: to.state === 'delivered' ? 0 : 1,
      ...(to.error !== undefined && { last_error: to.error }),
      ...(to.reasons && { reasons: JSON.stringify(to.reasons) }),
    });
  }

  /** Postpones the next attempt and ends the lease. @returns false when another worker has taken over */
  postpone(
    lease: Lease,
    { pauseMs, attempts, error }: { pauseMs: number; attempts: number; error: string },
  ): Promise<boolean> {
    const next_attempt_at = this.database.fromNow(pauseMs);
    return this.update(lease, { attempts, last_error: error, next_attempt_at, lease_token: null, lease_until: null });
  }

  /** Ends a lease as if nothing had been tried. @returns false when another worker has taken over */
  release(lease: Lease, error?: string): Promise<boolean> {
    return this.update(lease, {
      lease_token: null,
      lease_until: null,
      ...(error !== undefined && { last_error: error }),
    });
  }

  /** Makes submissions due whose next attempt a clock that has jumped put too far into the future. */
  async resetFutureAttempts(): Promise<void> {
    await this.database.run((db) =>
      db
        .updateTable('submissions')
        .set({ next_attempt_at: 0 })
        .where('state', '=', PENDING)
        .where('next_attempt_at', '>', this.database.fromNow(PAUSE_MAX_MS))
        .execute(),
    );
  }

  /** Writes under a lease, and nothing when another worker has taken over. */
  private async update({ submission, token }: Lease, change: UpdateObject<Schema, 'submissions'>): Promise<boolean> {
    const result = await this.database.run((db) =>
      db
        .updateTable('submissions')
        .set(change)
        .where('id', '=', submission.id)
        .where('lease_token', '=', token)
        .executeTakeFirst(),
    );
    return result.numUpdatedRows === 1n;
  }

  private isDue(is: Builder) {
    return is.and([
      is('state', '=', PENDING),
      is('next_attempt_at', '<=', this.database.now),
      isUnleased(is, this.database),
    ]);
  }
}

/**
 * Whether a submission is not leased. A lease that ends later than one that begins now was written by a clock that has
 * jumped.
 */
export function isUnleased(is: Builder, database: Database) {
  return is.or([
    is('lease_until', 'is', null),
    is('lease_until', '<=', database.now),
    is('lease_until', '>', database.fromNow(LEASE_MS)),
  ]);
}
