import type { Database } from '../src/database/database.ts';
import { NotificationsRepository } from '../src/outbox/notifications.repository.ts';

/** Returns the state and error of a submission's notifications by kind. */
export async function notificationsOf(database: Database, id: string): Promise<Record<string, string>> {
  const rows = await new NotificationsRepository(database).of(id);
  return Object.fromEntries(
    rows.map(({ kind, state, lastError }) => [kind, [state, lastError].filter(Boolean).join(': ')]),
  );
}

/** Ends the pauses between attempts. Leases are unchanged. */
export async function makeNotificationsDue(database: Database): Promise<void> {
  await database.run((db) => db.updateTable('notifications').set({ nextAttemptAt: 0 }).execute());
}
