import { sql, type RawBuilder } from 'kysely';
import type { Database } from './database.ts';

/**
 * Leases on the rows of a table: while a worker works on a row, the others leave it alone. The row has a fencing token,
 * which every write of the worker names, and the end of the lease by the database's clock. A worker that died holds its
 * rows until then.
 */
export class Leases {
  /** @param ms length of a lease, and the longest time in the column: a later one was written by a clock that has jumped */
  constructor(
    private readonly database: Database,
    private readonly table: string,
    readonly ms: number,
  ) {}

  /** Condition: nobody holds the row. */
  get isFree(): RawBuilder<boolean> {
    return this.database.isOver(`${this.table}.leaseUntil`, this.ms);
  }

  /** Condition: the row is held under this token. */
  isHeld(token: string | null): RawBuilder<boolean> {
    return sql<boolean>`lease_token = ${token}`;
  }

  /** Assignments that lease rows under a token. */
  take(token: string): RawBuilder<unknown> {
    return sql`lease_token = ${token}, lease_until = ${this.database.fromNow(this.ms)}`;
  }

  /** Renews the leases of rows. @returns false if another worker has taken over all of them */
  async renew(rows: RawBuilder<unknown>, token: string | null): Promise<boolean> {
    const renewed = await this.database.rows(sql`UPDATE ${sql.table(this.table)}
      SET lease_until = ${this.database.fromNow(this.ms)} WHERE ${rows} AND ${this.isHeld(token)} RETURNING 1 AS one`);
    return renewed.length > 0;
  }
}
