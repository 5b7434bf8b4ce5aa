import { Injectable } from '@nestjs/common';
import { sql, type Selectable } from 'kysely';
import { Database } from '../database/database.ts';
import { ATTEMPT_MAX_MS } from './attempt.ts';
import { LEASE_MS, WAIT_MAX_MS } from './leases.ts';
import type { DigestsTable } from '../database/schema.ts';

/** Progress of a recipient's digests. */
export type DigestLease = Selectable<DigestsTable>;

/** Stores the position of each recipient: the end of the period of its latest digest. */
@Injectable()
export class DigestsRepository {
  constructor(private readonly database: Database) {}

  /** Returns the position of each recipient, in milliseconds since the epoch. */
  async positions(): Promise<ReadonlyMap<string, number>> {
    const rows = await this.database.run((db) => db.selectFrom('digests').select(['recipient', 'until']).execute());
    return new Map(rows.map(({ recipient, until }) => [recipient, until]));
  }

  /** Adds a recipient, unless another worker has added it. */
  async begin(recipient: string, until: number): Promise<void> {
    await this.database.run((db) => {
      const insert = db.insertInto('digests').values({ recipient, until });
      return insert.onConflict((conflict) => conflict.doNothing()).execute();
    });
  }

  /**
   * Leases a recipient: its next attempt is after this one must have ended. Returns nothing if its digest waits, or its
   * position has changed.
   */
  acquire(recipient: string, position: number): Promise<DigestLease[]> {
    return this.database.rows(sql`
      UPDATE digests SET next_attempt_at = ${this.database.fromNow(ATTEMPT_MAX_MS + LEASE_MS)}
      WHERE recipient = ${recipient} AND until = ${position}
        AND ${this.database.isOver('nextAttemptAt', WAIT_MAX_MS)} RETURNING *`);
  }

  /** Writes position and wait after an attempt, unless another worker has sent the digest meanwhile. */
  async settle(
    lease: Pick<DigestLease, 'recipient' | 'until'>,
    { until, attempts = 0, pauseMs = 0 }: { until: number; attempts?: number; pauseMs?: number },
  ): Promise<void> {
    await this.database.rows(sql`
      UPDATE digests SET until = ${until}, attempts = ${attempts}, next_attempt_at = ${this.database.fromNow(pauseMs)}
      WHERE recipient = ${lease.recipient} AND until = ${lease.until} RETURNING recipient`);
  }
}
