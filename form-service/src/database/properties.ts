import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from './database.ts';

/** Returns an id or secret that the processes of an installation share. Backups contain it. */
export async function propertyOf(database: Database, name: string): Promise<string | undefined> {
  const row = await database.run((db) =>
    db.selectFrom('properties').select('value').where('name', '=', name).executeTakeFirst(),
  );
  return row?.value;
}

/** Returns a secret of the installation. The first call creates it, later ones only read. */
export async function secretOf(database: Database, name: string): Promise<string> {
  const known = await propertyOf(database, name);
  if (known !== undefined) return known;
  const value = randomBytes(32).toString('base64url');
  const insert = sql`INSERT INTO properties (name, value) VALUES (${name}, ${value}) ON CONFLICT DO NOTHING`;
  await database.run((db) => insert.execute(db));
  return (await propertyOf(database, name)) ?? value;
}

/** Deletes a property, for example to revoke a secret. */
export async function deleteProperty(database: Database, name: string): Promise<void> {
  await database.run((db) => db.deleteFrom('properties').where('name', '=', name).execute());
}

/** Stores an id for some time under a name that begins with the prefix, and deletes those of the prefix that are over. */
export async function addExpiring(database: Database, prefix: string, id: string, lifetimeMs: number): Promise<void> {
  const now = Date.now();
  // All times have as many digits, so they can be compared as texts.
  const row = { name: `${prefix}${id}`, value: String(now + lifetimeMs) };
  await database.run((db) =>
    db
      .insertInto('properties')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .execute(),
  );
  await database.run((db) =>
    db.deleteFrom('properties').where('name', 'like', `${prefix}%`).where('value', '<', String(now)).execute(),
  );
}
