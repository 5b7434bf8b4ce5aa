import { setTimeout as pause } from 'node:timers/promises';
import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../database/database.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../settings/durations.ts';

/**
 * Waits before the next attempt: after the first failed one, the second one and so on. After the last one the message has
 * failed, and a person decides. Mail, acknowledgement, webhook and digest share this table.
 */
export const WAITS_MS = [5 * MINUTE_MS, 15 * MINUTE_MS, HOUR_MS, 4 * HOUR_MS, 12 * HOUR_MS, DAY_MS] as const;

/** Wait for a part that is unavailable, such as the mail server. The attempt does not count. */
export const PART_WAIT_MS = MINUTE_MS / 2;

/** Length of a lease. The rows of a worker that died wait this long. */
export const LEASE_MS = MINUTE_MS / 2;

/** A later next attempt was written by a clock that has jumped since. */
export const WAIT_MAX_MS = DAY_MS + HOUR_MS;

/**
 * Times of the graceful shutdown, together less than the 30 s that Docker waits. Work in progress may finish. Then it is
 * interrupted and writes the interruption. Last, BullMQ may update Redis.
 */
const STOP_GRACE_MS = 30_000;
export const INTERRUPT_MS = 2_000;
export const REDIS_MS = 1_000;
export const FINISH_MS = STOP_GRACE_MS - INTERRUPT_MS - REDIS_MS - 3_000;
export const SHUTDOWN_MS = FINISH_MS + INTERRUPT_MS;

/** Waits for work up to a time limit. @returns whether the work ended in time */
export function endsWithin(ms: number, work: Promise<unknown> = Promise.resolve()): Promise<boolean> {
  return Promise.race([work.then(() => true), pause(ms, false, { ref: false })]);
}

/**
 * Leases on the rows of a table: while a worker works on a row, the others leave it alone. The row has a fencing token,
 * which every write of the worker names, and the end of the lease by the database's clock. A worker that died holds its
 * rows until then.
 */
export class Leases {
  constructor(
    private readonly database: Database,
    private readonly table: string,
  ) {}

  /** Condition: nobody holds the row. */
  get isFree(): RawBuilder<boolean> {
    return this.database.isOver(`${this.table}.leaseUntil`, LEASE_MS);
  }

  /** Condition: the row is held under this token. */
  isHeld(token: string | null): RawBuilder<boolean> {
    return sql<boolean>`lease_token = ${token}`;
  }

  /** Assignments that lease rows under a token. */
  take(token: string): RawBuilder<unknown> {
    return sql`lease_token = ${token}, lease_until = ${this.database.fromNow(LEASE_MS)}`;
  }

  /** Renews the leases of rows. @returns false if another worker has taken over all of them */
  async renew(rows: RawBuilder<unknown>, token: string | null): Promise<boolean> {
    const renewed = await this.database.rows(sql`UPDATE ${sql.table(this.table)}
      SET lease_until = ${this.database.fromNow(LEASE_MS)} WHERE ${rows} AND ${this.isHeld(token)} RETURNING 1 AS one`);
    return renewed.length > 0;
  }
}
