import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { sql, type RawBuilder } from 'kysely';
import { Database } from '../database/database.ts';
import { ATTEMPT_MAX_MS } from '../mail/attempt.ts';

/** Lease of the worker that sends a digest, longer than the two attempts of a run. */
export const LEASE_MS = 2 * ATTEMPT_MAX_MS + 5 * 60_000;

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

  /** Leases a recipient. The result is undefined if its position has changed, or another worker has leased it. */
  async acquire(recipient: string, since: number): Promise<DigestLease | undefined> {
    const token = randomUUID();
    const isLeased = await this.change(
      sql`lease_token = ${token}, lease_until = ${this.database.fromNow(LEASE_MS)}`,
      sql`recipient = ${recipient} AND until = ${since} AND ${this.database.isOver('lease_until', LEASE_MS)}`,
    );
    return isLeased ? { recipient, since, token } : undefined;
  }

  /** Ends a lease and stores the new position of its recipient. */
  async complete({ token }: DigestLease, until: number): Promise<void> {
    await this.change(sql`until = ${until}, lease_token = NULL, lease_until = NULL`, sql`lease_token = ${token}`);
  }

  /** Ends a lease without a digest. The next attempt follows after the pause. */
  async release({ token }: DigestLease, pauseMs: number): Promise<void> {
    const end = this.database.fromNow(pauseMs);
    await this.change(sql`lease_token = NULL, lease_until = ${end}`, sql`lease_token = ${token}`);
  }

  private async change(set: RawBuilder<unknown>, where: RawBuilder<unknown>): Promise<boolean> {
    const { rows } = await this.database.run((db) =>
      sql`UPDATE digests SET ${set} WHERE ${where} RETURNING recipient`.execute(db),
    );
    return rows.length > 0;
  }
}
