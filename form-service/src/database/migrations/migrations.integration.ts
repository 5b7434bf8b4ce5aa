import { expect } from '@jest/globals';
import { Kysely, PostgresDialect, sql } from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';
import pg from 'pg';
import { FORM_KINDS } from '../../contract/forms.ts';
import { describeEachEngineAnew } from '../../../test/each-engine.ts';
import { newApplication, storeEnquiry } from '../../../test/submissions.ts';
import { SUBMISSION_STATES, type Submission } from '../../submissions/submission.ts';
import { SubmissionsRepository } from '../../submissions/submissions.repository.ts';
import { filePath, MIGRATIONS } from '../database.ts';
import { sqliteDialect } from '../sqlite.dialect.ts';
import * as version02 from './0001-submissions.ts';
import { HandlingRepository } from '../../submissions/handling.repository.ts';
import { notesOf } from '../../submissions/notes.ts';
import { SubmissionSearchRepository } from '../../submissions/submission-search.repository.ts';
import * as version03 from './0002-history-and-follow-ups.ts';
import * as version04 from './0003-inbox-and-erasures.ts';
import { addSearchTexts } from './0006-search-texts.ts';

const VERSION_03 = { '0001-submissions': version02, '0002-history-and-follow-ups': version03 };

/** The INSERT of version 0.2, which names every column. */
const ARRIVAL = (id: string, email = 'ada@visitor.example') => `
  INSERT INTO submissions (id, form, state, state_since, content_digest, email, fields, resume, reasons, canary, request_id,
    received_at, next_attempt_at, attempts, last_error, released_at, lease_token, lease_until, alert_due)
  VALUES ('${id}', 'contact', 'pending', 1, 'digest', '${email}', '{"name":"Ada","message":"[1]"}', NULL, '[]', 0, 'request',
    1, 0, 0, NULL, NULL, NULL, NULL, 0)`;

/** The INSERT of version 0.4. */
const ARRIVAL_04 = (id: string) => `
  INSERT INTO submissions (id, form, state, content_digest, email, fields, resume, reasons, request_id,
    search_text, state_since, received_at, next_attempt_at, attempts, alert_due, canary)
  VALUES ('${id}', 'contact', 'pending', 'digest', 'ada@visitor.example', '{"name":"Ada"}', NULL, '[]', 'request',
    'ADA', 1, 1, 0, 0, 0, 0)`;

const CANARY = (id: string) => ARRIVAL(id).replace(`'[]', 0,`, `'[]', 1,`);

describeEachEngineAnew('Migrations > %s', (engine) => {
  const { it, open } = engine;

  /** Creates the database as version 0.2 does, and runs these statements. */
  const before = (...statements: string[]) => migrate({ '0001-submissions': version02 }, statements);

  /** Runs migrations, then these statements. @returns the rows of the last one */
  async function migrate(migrations: Record<string, Migration>, statements: readonly string[]): Promise<unknown[]> {
    const dialect = engine.server
      ? new PostgresDialect({ pool: new pg.Pool({ connectionString: engine.url }) })
      : sqliteDialect(filePath(engine.url));
    const kysely = new Kysely<unknown>({ dialect });
    await new Migrator({ db: kysely, provider: { getMigrations: async () => migrations } }).migrateToLatest();
    let last: unknown[] = [];
    for (const statement of statements) ({ rows: last } = await sql.raw(statement).execute(kysely));
    await kysely.destroy();
    return last;
  }

  it('0.2 > keep submissions in every state, which can be delivered', async () => {
    const change = (id: string, set: string) => [ARRIVAL(id), `UPDATE submissions SET ${set} WHERE id = '${id}'`];
    await before(
      ARRIVAL('pending'),
      ...change('leased', `lease_token = 'token', lease_until = 99, attempts = 2, last_error = '{"code":1}'`),
      ...change('paused', `next_attempt_at = 9007199254740, attempts = 3, last_error = '[451]'`),
      ...change('delivered', `state = 'delivered', state_since = 5, attempts = 1, released_at = 4`),
      ...change('failed', `state = 'failed', state_since = 6, alert_due = 1`),
      ...change('quarantined', `state = 'quarantined', reasons = '["links"]'`),
      ...change('application', `form = 'application', resume = '{"name":"a.pdf","key":"aa/b"}'`),
    );
    const database = await open();
    const submissions = new SubmissionsRepository(database);
    const found: Submission[] = [];
    for await (const one of new SubmissionSearchRepository(database).select({ states: SUBMISSION_STATES }))
      found.push(one);
    const stored = Object.fromEntries(found.map((one) => [one.id, one]));
    expect(found).toHaveLength(7);
    expect(stored).toMatchObject({
      pending: { state: 'pending', fields: { name: 'Ada', message: '[1]' }, resume: null, history: '', attempts: 0 },
      leased: { attempts: 2, lastError: '{"code":1}' },
      paused: { attempts: 3, lastError: '[451]', nextAttemptAt: 9007199254740 },
      delivered: { stateSince: 5, releasedAt: 4, receivedAt: 1 },
      quarantined: { reasons: ['links'] },
      application: { resume: { name: 'a.pdf', key: 'aa/b' } },
    });
    expect(await new SubmissionsRepository(database).leaseAlerts()).toMatchObject([
      { state: 'failed', ids: ['failed'] },
    ]);
    expect((await submissions.due(FORM_KINDS)).toSorted()).toEqual(['application', 'leased', 'pending']);
    const lease = await submissions.acquire('leased');
    expect(lease && (await submissions.endLease(lease, { state: 'delivered', attempts: 3 }))).toBe(true);
  });

  it('0002 > remove canaries in every state', async () => {
    await before(CANARY('pending'), CANARY('old'), `UPDATE submissions SET state = 'delivered' WHERE id = 'old'`);
    const submissions = new SubmissionsRepository(await open());
    expect(await submissions.find('pending')).toBeUndefined();
    expect(await submissions.find('old')).toBeUndefined();
  });

  it('0003 > remove only pending canaries > 0.2 stored one after 0002', async () => {
    await before(ARRIVAL('enquiry'));
    await migrate(VERSION_03, [CANARY('late')]);
    const submissions = new SubmissionsRepository(await open());
    expect(await submissions.find('late')).toBeUndefined();
    expect(await submissions.due(FORM_KINDS)).toEqual(['enquiry']);
  });

  it('0003 > move state out of properties', async () => {
    await migrate(VERSION_03, [
      `INSERT INTO properties (name, value) VALUES ('acknowledgement-secret', 'secret')`,
      `INSERT INTO properties (name, value) VALUES ('acknowledged:bWFj_-', '1760000000000 KW-1')`,
      `INSERT INTO properties (name, value) VALUES ('digest:sales+a@firm.net', '{"until":1760000000001,"leaseUntil":5}')`,
      `INSERT INTO properties (name, value) VALUES ('last backup', '2026-11-22T08:00:00.123Z')`,
    ]);
    const tables = await (
      await open()
    ).run(async (db) => ({
      acknowledgements: await db.selectFrom('acknowledgements').selectAll().execute(),
      digests: await db.selectFrom('digests').selectAll().execute(),
      lastRuns: await db.selectFrom('lastRuns').selectAll().execute(),
      properties: await db.selectFrom('properties').select('name').orderBy('name').execute(),
    }));
    expect(tables).toEqual({
      acknowledgements: [{ mailbox: 'bWFj_-', submissionId: 'KW-1', sentAt: 1_760_000_000_000 }],
      digests: [{ recipient: 'sales+a@firm.net', until: 1_760_000_000_001, leaseToken: null, leaseUntil: null }],
      lastRuns: [{ task: 'backup', at: Date.parse('2026-11-22T08:00:00.123Z'), filesMissing: 0 }],
      properties: [{ name: 'acknowledgement-secret' }, { name: 'installation' }],
    });
  });

  it('let a process of version 0.2 store submissions', async () => {
    await before(ARRIVAL('first'));
    const database = await open();
    await database.run((db) => sql.raw(ARRIVAL('second')).execute(db));
    expect(await new SubmissionsRepository(database).find('second')).toMatchObject({ state: 'pending', history: '' });
  });

  it('0004 > keep the notes of version 0.4, and let its processes write notes', async () => {
    const noted = (id: string, note: string, by: string) =>
      `UPDATE submissions SET note = '${note}', history = history ||
        '{"at":"2026-11-2${id.length}T10:00:00.000Z","event":"note","by":"${by}"}' || '\n' WHERE id = '${id}'`;
    await migrate({ ...VERSION_03, '0003-inbox-and-erasures': version04 }, [
      ARRIVAL('first'),
      noted('first', 'Called on Monday.', 'sam'),
      ARRIVAL('other'),
      `UPDATE submissions SET recipient = 'hr@firm.net', search_text = 'TEXT' WHERE id = 'other'`,
    ]);
    const database = await open();
    const handling = new HandlingRepository(database);
    const lists = new SubmissionSearchRepository(database);
    const notes = async (id: string) => (await lists.findAll([id])).flatMap(notesOf);
    const first = { at: '2026-11-25T10:00:00.000Z', by: 'sam', text: 'Called on Monday.' };
    expect(await notes('first')).toEqual([first]);
    await database.run((db) => sql.raw(noted('other', 'During the update.', 'sue')).execute(db));
    const other = { ...first, by: 'sue', text: 'During the update.' };
    for (let copies = 0; copies < 2; copies++) {
      expect([await notes('first'), await notes('other')]).toEqual([[first], [other]]);
      await handling.copyNotes();
    }
    const handedOver = { forms: ['application'], mailboxes: ['hr@firm.net'], statuses: SUBMISSION_STATES } as const;
    const found: string[] = [];
    for await (const { id } of lists.positions(handedOver, [['UPDATE']])) found.push(id);
    expect([found, (await lists.newest(handedOver, 9)).map(({ id }) => id)]).toEqual([['other'], ['other']]);
  });

  it('0006 > let 0.4 and this version store rows, and keep all indexes', async () => {
    const indexes = engine.server
      ? `SELECT indexname AS name FROM pg_indexes WHERE tablename = 'submissions' ORDER BY 1`
      : `SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'submissions' ORDER BY 1`;
    const { '0007-shared-inbox': _, ...upTo06 } = MIGRATIONS;
    const { '0006-search-texts': __, ...before06 } = upTo06;
    const namesBefore = await migrate(before06, [ARRIVAL_04('first'), indexes]);
    expect([namesBefore.length, await migrate(upTo06, [indexes])]).toEqual([11, namesBefore]);
    const database = await open();
    await database.rows(sql.raw(ARRIVAL_04('second')));
    const submissions = new SubmissionsRepository(database);
    const third = await storeEnquiry({ submissions });
    const canaries = await database.rows(sql`SELECT canary, state FROM submissions`);
    expect(canaries).toEqual([1, 2, 3].map(() => ({ canary: 0, state: 'pending' })));
    expect((await submissions.due(FORM_KINDS)).toSorted()).toEqual(['first', third, 'second'].toSorted());
  });

  it('0006 > let a submission of version 0.3 be found by its fields and its note', async () => {
    const noted = `UPDATE submissions SET note = 'Called.' WHERE id = 'old'`;
    await migrate({ ...VERSION_03, '0003-inbox-and-erasures': version04 }, [ARRIVAL('old'), noted]);
    const database = await open();
    await new HandlingRepository(database).copyNotes();
    const search = new SubmissionSearchRepository(database);
    const found: string[] = [];
    const all = { forms: FORM_KINDS, statuses: SUBMISSION_STATES };
    for await (const { id } of search.positions(all, [['ADA'], ['OLD'], ['CALLED']])) found.push(id);
    expect(found).toEqual(['old']);
  });

  it('0006 > add the same search text as an arrival has > pages of any size', async () => {
    const database = await open();
    const submissions = new SubmissionsRepository(database);
    for (const message of ['Straße', 'a\n\u0301b'])
      await storeEnquiry({ submissions }, { message, phone: '+49 (0) 1' });
    await submissions.insert(newApplication(Buffer.alloc(1)));
    const texts = () => database.rows(sql`SELECT search_text FROM submissions ORDER BY id`);
    const expected = await texts();
    for (const pageRows of [1, 2, 3, 4]) {
      await database.rows(sql`UPDATE submissions SET search_text = NULL`);
      await database.run((db) => addSearchTexts(db as unknown as Kysely<unknown>, pageRows));
      expect([pageRows, await texts()]).toEqual([pageRows, expected]);
    }
  });

  it('normalize stored addresses', async () => {
    await before(ARRIVAL('decomposed', 'jose\u0301@m\u00FCller.example'), ARRIVAL('other', 'eve@visitor.example'));
    const database = await open();
    const found: string[] = [];
    for await (const { id } of new SubmissionSearchRepository(database).select({
      states: SUBMISSION_STATES,
      email: 'JOS\u00C9@xn--mller-kva.example',
    }))
      found.push(id);
    expect(found).toEqual(['decomposed']);
  });

  it('The installation gets an id, and keeps it', async () => {
    await before();
    const ids: unknown[] = [];
    for (let start = 0; start < 2; start++) {
      const database = await open();
      ids.push(await database.run((db) => db.selectFrom('properties').selectAll().execute()));
    }
    expect(ids[0]).toEqual([{ name: 'installation', value: expect.stringMatching(/^[0-9a-f-]{36}$/) }]);
    expect(ids[1]).toEqual(ids[0]);
  });
});
