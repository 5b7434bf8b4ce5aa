import type { Database } from '../src/database/database.ts';
import { FollowUpsRepository } from '../src/follow-ups/follow-ups.repository.ts';

/** How the follow-ups of a submission stand, by kind: the state, and why. */
export async function followUpsOf(database: Database, id: string): Promise<Record<string, string>> {
  const rows = await new FollowUpsRepository(database).of(id);
  return Object.fromEntries(
    rows.map(({ kind, state, lastError }) => [kind, [state, lastError].filter(Boolean).join(': ')]),
  );
}

/** As when the pauses between attempts are over, without the waiting. What a worker has in hand stays its own. */
export async function makeFollowUpsDue(database: Database): Promise<void> {
  await database.run((db) => db.updateTable('followUps').set({ nextAttemptAt: 0 }).execute());
}

/** As when the leases of a dead worker are over, too. */
export async function endLeases(database: Database): Promise<void> {
  await database.run((db) => db.updateTable('followUps').set({ leaseUntil: 0 }).execute());
}
