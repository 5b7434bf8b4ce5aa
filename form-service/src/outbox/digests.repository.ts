import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { sql, type Selectable } from 'kysely';
import { Database } from '../database/database.ts';
import { Leases, WAIT_MAX_MS } from './leases.ts';
import type { DigestsTable } from '../database/schema.ts';

/** Progress of a recipient's digests, leased to this worker. */
export type DigestLease = Selectable<DigestsTable>;

/** Stores the position of each recipient: the end of the period of its latest digest. */
@Injectable()
export class DigestsRepository {
  private readonly leases: Leases;

  constructor(private readonly database: Database) {
    this.leases = new Leases(database, 'digests');
  }

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

  /** Leases a recipient. Returns nothing if its digest waits, its position has changed, or another worker has leased it. */
  acquire(recipient: string, position: number): Promise<DigestLease[]> {
    return this.database.rows(sql`
      UPDATE digests SET ${this.leases.take(randomUUID())}
      WHERE recipient = ${recipient} AND until = ${position} AND ${this.leases.isFree}
        AND ${this.database.isOver('nextAttemptAt', WAIT_MAX_MS)} RETURNING *`);
  }

  /** @returns false if another worker has taken over */
  renew({ recipient, leaseToken }: DigestLease): Promise<boolean> {
    return this.leases.renew(sql`recipient = ${recipient}`, leaseToken);
  }

  /** Writes position and wait after an attempt, and ends the lease, unless another worker has taken over. */
  async settle(
    { leaseToken }: DigestLease,
    { until, attempts, pauseMs }: { readonly until: number; readonly attempts: number; readonly pauseMs: number },
  ): Promise<void> {
    await this.database.rows(sql`
      UPDATE digests SET lease_token = NULL, lease_until = NULL, until = ${until}, attempts = ${attempts},
        next_attempt_at = ${this.database.fromNow(pauseMs)}
      WHERE ${this.leases.isHeld(leaseToken)} RETURNING recipient`);
  }
}
