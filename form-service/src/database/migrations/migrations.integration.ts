import { expect } from '@jest/globals';
import { Kysely, PostgresDialect, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import pg from 'pg';
import { describeEachEngine } from '../../../test/each-engine.ts';
import { FORM_KINDS, SUBMISSION_STATES, type Submission } from '../../submissions/submission.ts';
import { SubmissionsRepository } from '../../submissions/submissions.repository.ts';
import { filePath } from '../database.ts';
import { sqliteDialect } from '../sqlite.dialect.ts';
import * as version02 from './0001-submissions.ts';

/** What version 0.2 writes when a submission arrives; every column is named, as it is there. */
const ARRIVAL = (id: string, email = 'ada@visitor.example') => `
  INSERT INTO submissions (id, form, state, state_since, content_digest, email, fields, resume, reasons, canary, request_id,
    received_at, next_attempt_at, attempts, last_error, released_at, lease_token, lease_until, alert_due)
  VALUES ('${id}', 'contact', 'pending', 1, 'digest', '${email}', '{"name":"Ada","message":"[1]"}', NULL, '[]', 0, 'request',
    1, 0, 0, NULL, NULL, NULL, NULL, 0)`;

describeEachEngine('A database of version 0.2 in %s', (engine) => {
  const { test, open } = engine;

  /** As version 0.2 made it, and with these statements run by it. */
  async function before(...statements: string[]): Promise<void> {
    const dialect = engine.server
      ? new PostgresDialect({ pool: new pg.Pool({ connectionString: engine.url }) })
      : sqliteDialect(filePath(engine.url));
    const kysely = new Kysely<unknown>({ dialect });
    const getMigrations = async () => ({ '0001-submissions': version02 });
    await new Migrator({ db: kysely, provider: { getMigrations } }).migrateToLatest();
    for (const statement of statements) await sql.raw(statement).execute(kysely);
    await kysely.destroy();
  }

  test('Submissions in every state stay as they are, and can be worked on', async () => {
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
    for await (const one of submissions.select({ states: SUBMISSION_STATES })) found.push(one);
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
    expect(await submissions.alertsDue()).toEqual([{ id: 'failed', state: 'failed' }]);
    expect((await submissions.due(FORM_KINDS)).toSorted()).toEqual(['application', 'leased', 'pending']);
    const lease = await submissions.acquire('leased');
    expect(lease && (await submissions.endLease(lease, { state: 'delivered', attempts: 3 }))).toBe(true);
  });

  test('A canary is never mailed as an enquiry: those there are go, and one that 0.2 still sends is not due', async () => {
    const canary = (id: string) => ARRIVAL(id).replace(`'[]', 0,`, `'[]', 1,`);
    await before(canary('pending'), canary('old'), `UPDATE submissions SET state = 'delivered' WHERE id = 'old'`);
    const database = await open();
    const submissions = new SubmissionsRepository(database);
    expect(await submissions.find('pending')).toBeUndefined();
    expect(await submissions.find('old')).toBeUndefined();
    await database.run((db) => sql.raw(canary('late')).execute(db));
    expect(await submissions.due(FORM_KINDS)).toEqual([]);
    expect(await submissions.acquire('late')).toBeUndefined();
    await submissions.tidyPending();
    expect(await submissions.find('late')).toBeUndefined();
  });

  test('A process of version 0.2 that still runs can store submissions', async () => {
    await before(ARRIVAL('first'));
    const database = await open();
    await database.run((db) => sql.raw(ARRIVAL('second')).execute(db));
    expect(await new SubmissionsRepository(database).find('second')).toMatchObject({ state: 'pending', history: '' });
  });

  test('What one person sent before is found however the address writes an accent or an international domain', async () => {
    await before(ARRIVAL('decomposed', 'jose\u0301@m\u00FCller.example'), ARRIVAL('other', 'eve@visitor.example'));
    const database = await open();
    const found: string[] = [];
    for await (const { id } of new SubmissionsRepository(database).select({
      states: SUBMISSION_STATES,
      email: 'JOS\u00C9@xn--mller-kva.example',
    }))
      found.push(id);
    expect(found).toEqual(['decomposed']);
  });

  test('The installation gets an id, and keeps it', async () => {
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
