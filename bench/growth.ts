import { sql } from 'kysely';
import { median } from 'simple-statistics';
import type * as DatabaseFile from '../form-service/src/database/database.ts';
import type * as SubmissionFile from '../form-service/src/submissions/submission.ts';
import type * as SubmissionsFile from '../form-service/src/submissions/submissions.repository.ts';
import { acceptedToMail, delays, withMailServer } from './delivery.ts';
import { throughputs } from './load.ts';
import { withApi, withBackends, type Environment } from './processes.ts';
import { atLeast, below, type Result } from './result.ts';

/** What is shipped: the source has decorators, which only a build turns into JavaScript. */
const built = <Module>(file: string) =>
  import(new URL(`../form-service/dist/${file}`, import.meta.url).href) as Promise<Module>;
const { Database } = await built<typeof DatabaseFile>('database/database.js');
const { FORM_KINDS } = await built<typeof SubmissionFile>('submissions/submission.js');
const { SubmissionsRepository } = await built<typeof SubmissionsFile>('submissions/submissions.repository.js');

const SIZES = [10, 1_000_000];
const QUERY_ROUNDS = 50;
const YEARS_MS = 10 * 365 * 86_400_000;

/** What a submission, and each query that the worker repeats, costs with 1,000,000 delivered ones against 10: it must not grow. */
export function benchGrowth(): Promise<Result[]> {
  return withBackends(async (env, folder) => {
    const [few, many] = SIZES.map((size) => ({ ...env, DATABASE_URL: `file:${folder}/${size}/submissions.db` }));
    if (!few || !many) throw new RangeError('There are two sizes');
    await fill(few.DATABASE_URL, SIZES[0] ?? 0);
    await fill(many.DATABASE_URL, SIZES[1] ?? 0);
    const among = `with ${SIZES[1]} in the database`;
    const rows = await queries(many, among);
    rows.push(
      ...delays(among, await withMailServer((url, arrivals) => acceptedToMail({ ...many, SMTP_URL: url }, arrivals))),
    );
    // Last, since it leaves as many pending submissions as it can.
    const [base = 0, grown = 0] = await withApi(few, (a) => withApi(many, (b) => throughputs([a, b])));
    return [...rows, atLeast(`POST /api/contact ${among}, against ${SIZES[0]}`, 'requests/s', grown, base, 0.9)];
  });
}

async function queries(env: Environment, among: string): Promise<Result[]> {
  const database = await Database.open(env['DATABASE_URL'] ?? '');
  const submissions = new SubmissionsRepository(database);
  const asked: Readonly<Record<string, () => Promise<unknown>>> = {
    'what is due': () => submissions.due(FORM_KINDS),
    'what metrics show': () => submissions.counts(),
    'what retention deletes': () => submissions.deleteOlder(['delivered'], YEARS_MS),
  };
  const rows: Result[] = [];
  for (const [name, ask] of Object.entries(asked)) {
    const times: number[] = [];
    for (let round = 0; round < QUERY_ROUNDS; round += 1) {
      const start = performance.now();
      await ask();
      times.push(performance.now() - start);
    }
    rows.push(below(`the query for ${name}, ${among}`, 'ms', median(times), 5));
  }
  await database.close();
  return rows;
}

/** Puts so many delivered submissions into an SQLite database, spread over the last 29 days. */
async function fill(url: string, count: number): Promise<void> {
  const database = await Database.open(url);
  const four = sql`'-' || substr(hex(randomblob(8)), 1, 4)`;
  const received = sql`${Date.now()} - n % 29 * 86400000`;
  const fields = JSON.stringify({
    name: 'Ana',
    email: 'ana@example.org',
    phone: '',
    service: 'x',
    message: 'y'.repeat(300),
  });
  await database.run((db) =>
    sql`
      INSERT INTO submissions
      WITH RECURSIVE counter(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counter WHERE n < ${count})
      SELECT 'KW' || ${four} || ${four} || ${four} || ${four}, 'contact', 'delivered', ${received}, hex(randomblob(32)),
             'visitor' || n || '@example.org', ${fields}, NULL, '[]', 0, 'bench', ${received},
             0, 1, NULL, NULL, NULL, NULL, 0, ''
      FROM counter`.execute(db),
  );
  await database.close();
}
