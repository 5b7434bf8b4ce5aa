import { Database } from '../form-service/src/database/database.ts';
import { randomSubmissionId } from '../form-service/src/submissions/submission-id.ts';
import { toRow } from '../form-service/src/submissions/submission-row.ts';

const ROWS_PER_INSERT = 500;

/** Puts so many delivered submissions into a database, as if they had been delivered just now. */
export async function fillStore(databaseUrl: string, count: number): Promise<void> {
  const database = await Database.open(databaseUrl);
  for (let left = count; left > 0; left -= ROWS_PER_INSERT) {
    const rows = Array.from({ length: Math.min(left, ROWS_PER_INSERT) }, deliveredRow);
    await database.run((db) => db.insertInto('submissions').values(rows).execute());
  }
  await database.close();
}

function deliveredRow() {
  const message = 'A message of the length that people write: we need a new shop.';
  const fields = { name: 'Ana Example', email: 'ana@example.org', phone: '', service: 'Web Development', message };
  const id = randomSubmissionId();
  const common = { id, quarantined: false, requestId: 'bench', contentDigest: '0'.repeat(64), reasons: [] };
  return { ...toRow({ ...common, form: 'contact', canary: false, fields }, Date.now()), state: 'delivered' as const };
}
