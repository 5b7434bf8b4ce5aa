import { randomBytes } from 'node:crypto';
import type { Database } from './database.ts';

/** A secret of the installation, which the first process to ask makes; it goes with each backup. */
export function secretOf(database: Database, name: string): Promise<string> {
  return database.run(async (db) => {
    const offer = { name, value: randomBytes(32).toString('base64url') };
    const insert = db.insertInto('properties').values(offer);
    await insert.onConflict((conflict) => conflict.doNothing()).execute();
    const select = db.selectFrom('properties').select('value').where('name', '=', name);
    return (await select.executeTakeFirstOrThrow()).value;
  });
}
