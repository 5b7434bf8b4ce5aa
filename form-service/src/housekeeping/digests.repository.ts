import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { sql, type RawBuilder } from 'kysely';
import { Database } from '../database/database.ts';
import { Leases } from '../database/leases.ts';

/** Length of a lease. The column also holds the pause after a failure. */
export const LEASE_MS = 45 * 60_000;

/** The right to send a recipient's digest, until another worker takes over. */
export interface DigestLease {
  readonly recipient: string;
  /** End of the period of the latest digest, in milliseconds since the epoch. */
  readonly since: number;
  readonly token: string;
}

/** Stores the position of each recipient: the end of the period of its latest digest. */
@Injectable()
export class DigestsRepository {
  private readonly leases: Leases;

  constructor(private readonly database: Database) {
    this.leases = new Leases(database, 'digests', LEASE_MS);
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

  /** Leases a recipient. Returns nothing if its position has changed, or another worker has leased it. */
  async acquire(recipient: string, since: number): Promise<DigestLease[]> {
    const token = randomUUID();
    const isFree = sql`recipient = ${recipient} AND until = ${since} AND ${this.leases.isFree}`;
    return (await this.change(this.leases.take(token), isFree)) ? [{ recipient, since, token }] : [];
  }

  /** @returns false if another worker has taken over */
  renew({ recipient, token }: DigestLease): Promise<boolean> {
    return this.leases.renew(sql`recipient = ${recipient}`, token);
  }

  /** Ends a lease and stores the new position of its recipient. */
  async complete({ token }: DigestLease, until: number): Promise<void> {
    await this.change(sql`until = ${until}, ${this.leases.end()}`, this.leases.isHeld(token));
  }

  /** Ends a lease without a digest. The next attempt follows after the pause. */
  async release({ token }: DigestLease, pauseMs: number): Promise<void> {
    await this.change(this.leases.end(pauseMs), this.leases.isHeld(token));
  }

  private async change(set: RawBuilder<unknown>, where: RawBuilder<unknown>): Promise<boolean> {
    const rows = await this.database.rows(sql`UPDATE digests SET ${set} WHERE ${where} RETURNING recipient`);
    return rows.length > 0;
  }
}
