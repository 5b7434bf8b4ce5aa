import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { expect } from '@jest/globals';
import pg from 'pg';
import { FORM_KINDS } from '../contract/forms.ts';
import { describeEachEngine } from '../../test/each-engine.ts';
import { fillSubmissions, FIRST_AT, WORDS } from '../../test/many-submissions.ts';
import { recorded } from '../../test/recorded-statements.ts';
import { sampled } from '../../test/sample.ts';
import { topicKey } from '../submissions/search-terms.ts';
import { searchTermsOf } from '../submissions/search-terms.ts';
import { SubmissionSearchRepository } from '../submissions/submission-search.repository.ts';
import { STATUSES, SUBMISSION_STATES, type ListFilter, type Scope } from '../submissions/submission.ts';
import { SERVICE } from '../../test/services.ts';

const ROWS = sampled(300_000, 3_000);

/** Submissions that a list counts, and the rows of a page. */
const [COUNTED, PAGE] = [10_000, 50];

/** The middle of the table, and a period before it. Both hold what a search reads in a few parts. */
const before = { receivedAt: FIRST_AT + (ROWS / 2) * 60_000, id: 'KW-' };
const since = FIRST_AT + (ROWS / 2 - 12_000) * 60_000;

const ALL: Scope = { forms: FORM_KINDS };
const SALES: Scope = { forms: ['contact'], mailboxes: ['sales@firm.net', 'sap@firm.net'] };
/** Scope of the mailbox of a service and of a position. */
const SAP: Scope = {
  forms: [],
  mailboxes: ['sap@firm.net'],
  routes: [
    { form: 'contact', topic: topicKey(SERVICE) },
    { form: 'application', topic: topicKey('Android Developer 9') },
  ],
  recipients: ['sales@firm.net', 'sap@firm.net'],
};

/** Work that one statement may do. */
interface Work {
  /** Entries of indexes and rows that SQLite sees. */
  readonly rows: number;
  /** Pages of 8 kB that PostgreSQL reads. */
  readonly pages: number;
  /** Rows that PostgreSQL reads and throws away. */
  readonly removed: number;
  /** Whether SQLite may read rows of the table, and not entries of an index only. */
  readonly mayReadTable?: boolean;
}

interface Case {
  readonly what: string;
  readonly work: Work;
  run(lists: SubmissionSearchRepository): Promise<unknown>;
}

/** A page of a list: its rows, and the beginnings of some indexes. */
const FEW: Work = { rows: 2 * PAGE, pages: 300, removed: PAGE };
/** The number of index entries that are counted. */
const MANY: Work = { rows: COUNTED + 2 * PAGE, pages: 400, removed: 0 };
/** As many rows: PostgreSQL counts neither topics nor filters by user and label from an index. */
const FILTERED: Work = { rows: COUNTED + 2 * PAGE, pages: COUNTED + 1_000, removed: 1_000, mayReadTable: true };
/** As many rows as a part of a search. PostgreSQL may read those of one status by an index of all, several times. */
const PART: Work = { rows: 4_050, pages: 4_000, removed: 8_000, mayReadTable: true };

function list(what: string, filter: Omit<ListFilter, keyof Scope>, { scope = ALL, work = MANY } = {}): Case[] {
  const page = (offset: number) => (lists: SubmissionSearchRepository) =>
    lists.newest({ ...scope, ...filter }, PAGE, { offset });
  return [
    { what: `${what}, first page`, work: { ...work, ...(work === MANY && FEW) }, run: page(0) },
    { what: `${what}, page in the middle`, work, run: page(COUNTED / 2) },
    { what: `${what}, last page`, work, run: page(COUNTED - PAGE) },
    { what: `${what}, count`, work, run: (lists) => lists.count({ ...scope, ...filter }, COUNTED + 1) },
  ];
}

const search = (what: string, text: string, filter: Omit<ListFilter, keyof Scope> & Partial<Scope>): Case => ({
  what: `search of ${what}`,
  work: PART,
  run: async (lists) => {
    for await (const _ of lists.positions({ ...ALL, before, since, ...filter }, searchTermsOf(text)));
  },
});

const [open, all] = [{ statuses: SUBMISSION_STATES }, { statuses: STATUSES }];
const CASES: readonly Case[] = [
  ...list('open', open),
  ...list('all', all),
  ...list('waiting', { statuses: ['failed', 'quarantined'] }),
  ...list('open in the middle', { ...open, before }),
  ...list('sales', open, { scope: SALES }),
  ...list('mailbox', open, { scope: SAP, work: FILTERED }),
  ...list('period', { ...open, since }),
  ...list('service', { ...open, topic: topicKey(SERVICE) }, { work: FILTERED }),
  ...list('mine', { ...open, takenBy: 'ada' }, { work: FILTERED }),
  search('a frequent word', WORDS.frequent, open),
  search('a rare word', WORDS.rare, all),
  search('an absent word', WORDS.absent, open),
  search('an absent word, in half of all', WORDS.absent, { ...all, since: 0 }),
  search('an absent word, of sales', WORDS.absent, { ...open, ...SALES }),
  search('an absent word, by service', WORDS.absent, { ...open, topic: topicKey(SERVICE) }),
  search('a label', '', { ...all, label: 'invited' }),
  search('a label, of mine', '', { ...open, takenBy: 'ada', label: 'senior' }),
  { what: 'reminders', work: { ...FEW, mayReadTable: true }, run: (lists) => lists.reminded(ALL, 5) },
];

describeEachEngine('Lists > %s', (engine) => {
  engine.it(`do no more work > ${ROWS} submissions`, async () => {
    const database = await engine.open();
    await database.check();
    await fillSubmissions(engine.url, ROWS);
    const lists = new SubmissionSearchRepository(database);
    const statements = recorded(database);
    const workOf = await (engine.server ? postgresMeter(engine.url) : sqliteMeter(engine.url));
    const excess: unknown[] = [];
    for (const { what, work, run } of CASES) {
      statements.clear();
      await run(lists);
      for (const [sql, parameters] of statements) {
        const done = await workOf(sql, parameters);
        const faults = done.faults.filter((fault) => !(work.mayReadTable && READS_TABLE.test(fault)));
        const isMore = FIGURES.some((name) => (done[name] ?? 0) > work[name]);
        if (isMore || faults.length > 0) excess.push({ what, ...done, faults, sql: sql.slice(0, 3_000) });
      }
    }
    await workOf.close();
    expect(excess).toEqual([]);
  });
});

const FIGURES = ['rows', 'pages', 'removed'] as const;

/** Step of SQLite that reads rows of the table, in a statement of a list. Those of a page are read by their keys. */
const READS_TABLE = /^SEARCH submissions USING INDEX submissions_/;

type Done = Partial<Work> & { readonly faults: readonly string[] };
type Meter = ((sql: string, parameters: readonly unknown[]) => Promise<Done>) & { close(): Promise<void> };

/** Counts the entries and rows that a statement sees by a function in its conditions, and reads its plan. */
async function sqliteMeter(url: string): Promise<Meter> {
  const connection = new DatabaseSync(url.slice('file:'.length));
  let rows = 0;
  connection.function('seen', (_id) => ++rows);
  const measure = async (sql: string, parameters: readonly unknown[]) => {
    const values = parameters as SQLInputValue[];
    const steps = connection.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...values);
    const faults = steps
      .map(({ detail }) => String(detail))
      .filter((step) => /TEMP B-TREE|SCAN submissions/.test(step) || READS_TABLE.test(step));
    rows = 0;
    connection.prepare(sql.replaceAll('FROM submissions WHERE', 'FROM submissions WHERE seen(id) AND')).all(...values);
    return { rows, faults };
  };
  return Object.assign(measure, { close: async () => connection.close() });
}

interface PostgresStep {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly Plans?: readonly PostgresStep[];
}

/** PostgreSQL rightly scans and sorts a small table. */
const AS_IF_LARGE = 'SET enable_seqscan = off; SET enable_bitmapscan = off; SET enable_sort = off';

/** Counts the pages that a statement reads and the rows that it throws away. */
async function postgresMeter(url: string): Promise<Meter> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query(sampled('SET enable_seqscan = on', AS_IF_LARGE));
  const removedBy = (step: PostgresStep): number =>
    (step['Rows Removed by Filter'] ?? 0) * step['Actual Loops'] + sum((step.Plans ?? []).map(removedBy));
  const faultsOf = (step: PostgresStep): string[] => [
    ...(/Seq Scan/.test(step['Node Type']) && step['Relation Name'] === 'submissions' ? [step['Node Type']] : []),
    ...(step.Plans ?? []).flatMap(faultsOf),
  ];
  const measure = async (sql: string, parameters: readonly unknown[]) => {
    const { rows } = await client.query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${sql}`, [...parameters]);
    const [{ Plan: plan }] = (rows as [{ 'QUERY PLAN': [{ Plan: PostgresStep }] }])[0]['QUERY PLAN'];
    const pages = plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
    return { pages, removed: removedBy(plan), faults: faultsOf(plan) };
  };
  return Object.assign(measure, { close: () => client.end() });
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);
