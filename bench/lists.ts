import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median } from 'simple-statistics';
import { fillSubmissions, FIRST_AT, WORDS } from '../form-service/test/many-submissions.ts';
import { PostgresServer } from '../form-service/test/postgres-server.ts';
import { below, type Result } from './result.ts';
import { SERVICE } from '../form-service/test/services.ts';

const ROWS = 300_000;
const ROUNDS = 20;

/** Goals in ms: of a statement, and of a search of a frequent word. */
const [STATEMENT_MS, SEARCH_MS] = [20, 100];

const DIST = '../form-service/dist';
const OPEN = ['pending', 'delivered', 'failed', 'quarantined'];
const ALL = { forms: ['contact', 'application'], statuses: OPEN };

/** The lists of the inbox, as the build has them. */
interface Lists {
  findAll(ids: readonly string[]): Promise<readonly unknown[]>;
  newest(filter: object, limit: number, place?: object): Promise<readonly unknown[]>;
  count(filter: object, limit: number): Promise<number>;
  positions(filter: object, terms: readonly (readonly string[])[]): AsyncGenerator<unknown>;
  reminded(scope: object, limit: number): Promise<readonly unknown[]>;
}

/** Measures the lists, counts and searches of the inbox at 300,000 submissions, on each engine in a folder of its own. */
export async function benchLists(): Promise<Result[]> {
  const folder = mkdtempSync(join(tmpdir(), 'kitewright-bench-'));
  try {
    const results = await measure('SQLite', `file:${folder}/submissions.db`);
    if (PostgresServer.missing()) return results;
    const server = await PostgresServer.start();
    try {
      return [...results, ...(await measure('PostgreSQL', await server.createDatabase()))];
    } finally {
      await server.stop();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(engine: string, url: string): Promise<Result[]> {
  const { Database } = await import(`${DIST}/database/database.js`);
  const { SubmissionSearchRepository } = await import(`${DIST}/submissions/submission-search.repository.js`);
  const { topicOf } = await import(`${DIST}/submissions/recipients.js`);
  const database = await Database.open(url);
  await database.check();
  await fillSubmissions(url, ROWS);
  const lists = new SubmissionSearchRepository(database) as Lists;
  const topic = topicOf('contact', SERVICE);
  const before = { receivedAt: FIRST_AT + (ROWS / 2) * 60_000, id: 'KW-' };
  const search =
    (text: string, filter: object = ALL) =>
    async () => {
      let found = 0;
      for await (const _ of lists.positions(filter, [[text.toUpperCase()]])) if (++found > 10_000) break;
    };
  const page = (filter: object, offset: number) => () => lists.newest({ ...ALL, ...filter }, 50, { offset });
  const count = (filter: object) => () => lists.count({ ...ALL, ...filter }, 10_001);
  const work: readonly (readonly [what: string, limitMs: number, run: () => Promise<unknown>])[] = [
    ['first page', STATEMENT_MS, page({}, 0)],
    ['page 100', STATEMENT_MS, page({}, 4_950)],
    ['page 200', STATEMENT_MS, page({}, 9_950)],
    ['page 200 after the middle', STATEMENT_MS, page({ before }, 9_950)],
    ['count', STATEMENT_MS, count({})],
    ['first page of a service', STATEMENT_MS, page({ topic }, 0)],
    ['page 200 of a service', STATEMENT_MS, page({ topic }, 9_950)],
    ['count of a service', STATEMENT_MS, count({ topic })],
    ['page 1 of what a user has taken', STATEMENT_MS, page({ takenBy: 'ada' }, 0)],
    ['count of what a user has taken', STATEMENT_MS, count({ takenBy: 'ada' })],
    ['count of a label', STATEMENT_MS, count({ label: 'invited' })],
    ['due reminders', STATEMENT_MS, () => lists.reminded(ALL, 5)],
    ['search of a word in a third', SEARCH_MS, search(WORDS.frequent)],
    ['search of a word in all', SEARCH_MS, search(WORDS.everywhere)],
    ['search of a word in none', Infinity, search(WORDS.absent)],
    ['search of a word in none, of a service', Infinity, search(WORDS.absent, { ...ALL, topic })],
  ];
  const byKey = await medianOf(() => lists.findAll(['KW-1150000']));
  const results = [below(`${engine}, 300,000 submissions: one by its key`, 'ms', byKey, STATEMENT_MS)];
  for (const [what, limitMs, run] of work) {
    const result = below(`${engine}: ${what}`, 'ms', await medianOf(run), limitMs);
    const ratio = `${(Number.parseFloat(result.measured) / byKey).toFixed(0)} times`;
    results.push({ ...result, ratio, ...(limitMs === Infinity && { goal: '', met: '' }) });
  }
  await database.close();
  return results;
}

/** Returns the median time of some runs in ms. */
async function medianOf(run: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const startedAt = performance.now();
    await run();
    times.push(performance.now() - startedAt);
  }
  return median(times);
}
