import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Database } from '../database/database.ts';

/** A visit ends with the first pause of this length. */
const VISIT_PAUSE_MS = 30 * 60_000;

/** Stores when users were in the inbox, so that each sees what is new since the last visit. */
@Injectable()
export class InboxVisitsRepository {
  constructor(private readonly database: Database) {}

  /**
   * Notes a request for the list.
   *
   * @returns end of the user's visit before this one, in milliseconds since the epoch; on the first visit it is now, so
   * that nothing is new
   */
  async visit(name: string, now: number): Promise<number> {
    const { rows } = await this.database.run((db) =>
      sql<{ newSince: number }>`
        INSERT INTO inbox_visits (name, new_since, last_at) VALUES (${name}, ${now}, ${now})
        ON CONFLICT (name) DO UPDATE SET last_at = excluded.last_at, new_since = CASE
          WHEN inbox_visits.last_at < ${now - VISIT_PAUSE_MS} THEN inbox_visits.last_at
          ELSE inbox_visits.new_since END
        RETURNING new_since`.execute(db),
    );
    return rows[0]?.newSince ?? now;
  }
}
