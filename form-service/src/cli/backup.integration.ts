import { execFile } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { mkdir, readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { PostgresServer } from '../../test/postgres-server.ts';
import { run } from '../../test/run-command.ts';
import { StoredSubmissions } from '../../test/stored-submissions.ts';
import { newApplication, sha256 } from '../../test/submissions.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { until } from '../../test/until.ts';
import { Database } from '../database/database.ts';
import { Installation } from '../submissions/installation.service.ts';
import { openFileStorage } from '../files/file-storage.ts';
import { SubmissionSearchRepository } from '../submissions/submission-search.repository.ts';

const run$ = promisify(execFile);

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
const open: StoredSubmissions[] = [];
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(async () => {
  await closeAll();
  await folder.remove();
});

const path = (name: string) => join(folder.path, name);
type Variables = Record<string, string>;
/** Settings with SQLite and files in a folder of this name. */
const inFolder = (name: string): Variables => ({ DATABASE_URL: `file:${path(name)}/submissions.db` });

/** Writes an archive of a place to a file. */
async function backUp(name: string, archive: string) {
  const { out, ...result } = await run(inFolder(name), ['backup']);
  await writeFile(path(archive), out);
  return result;
}

async function place(name: string): Promise<StoredSubmissions> {
  const stored = await StoredSubmissions.open(path(name));
  await new Installation(stored.database, stored.files).confirm();
  open.push(stored);
  return stored;
}

async function closeAll(): Promise<void> {
  for (const stored of open.splice(0)) await stored.database.close();
}

/** Reads every column of every table, and the digest of each file. */
async function contentsOf(variables: Variables) {
  const database = await Database.open(variables['DATABASE_URL'] ?? '');
  const files = await openFileStorage({ DATABASE_URL: '', ...variables });
  const tables = await database.run(async (db) => ({
    submissions: await db.selectFrom('submissions').selectAll().orderBy('id').execute(),
    notifications: await db.selectFrom('notifications').selectAll().orderBy('submissionId').execute(),
    erasures: await db.selectFrom('erasures').selectAll().orderBy('id').execute(),
    digests: await db.selectFrom('digests').selectAll().execute(),
    properties: await db.selectFrom('properties').selectAll().execute(),
  }));
  const digests: Variables = {};
  const resumes = new Map(tables.submissions.map(({ resume }) => [resume?.key, resume]));
  for await (const { key } of files.list()) {
    const resume = resumes.get(key);
    digests[key] = resume ? sha256(await buffer(await files.open(resume))) : 'of no submission';
  }
  const marker = await files.readMarker();
  await database.close();
  return { ...tables, digests, marker };
}

describe('backup and restore', () => {
  it('backup contains all that was accepted before > clients write meanwhile', async () => {
    const first = await place('first');
    const accepted: string[] = [];
    const stop = new AbortController();
    const writing = Promise.all(
      [1, 2, 3].map(async (client) => {
        while (!stop.signal.aborted) {
          const state = client === 2 ? 'delivered' : 'pending';
          accepted.push(client === 1 ? await first.application() : await first.enquiry({}, { state }));
        }
      }),
    );
    let before: string[] = [];
    for (let number = 1; before.length === 0 || accepted.length === before.length; number++) {
      await until('some accepted', () => accepted.length > 20 * number);
      before = [...accepted];
      expect(await backUp('first', 'archive.tar')).toMatchObject({ code: 0, words: '' });
    }
    stop.abort();
    await writing;

    const restored = await run(inFolder('second'), ['restore'], createReadStream(path('archive.tar')));
    expect(restored).toMatchObject({
      code: 0,
      words: expect.stringMatching(/^Restored: \d+ submissions, \d+ files\.\n$/),
    });
    const second = await place('second');
    expect(await second.ids()).toEqual(expect.arrayContaining(before));
    for await (const one of new SubmissionSearchRepository(second.database).select({ states: ['pending'] })) {
      expect(await second.submissions.acquire(one.id)).toBeDefined();
      if (one.resume) expect(sha256(await buffer(await second.files.open(one.resume)))).toBe(one.resume.sha256);
    }
  });

  it('restore rejects a store that is not empty, and a database in use', async () => {
    const from = await place('from');
    await from.application();
    const archive = path('archive.tar');
    expect((await backUp('from', 'archive.tar')).code).toBe(0);
    const restore = (name: string) => run(inFolder(name), ['restore'], createReadStream(archive));
    expect(await restore('from')).toMatchObject({ code: 5, words: expect.stringMatching(/in use/) });
    await closeAll();
    const before = await contentsOf(inFolder('from'));
    const words =
      'The database in DATABASE_URL is not empty. Add --replace to replace its content. Nothing was changed.\n';
    expect(await restore('from')).toMatchObject({ code: 1, words });
    expect(await contentsOf(inFolder('from'))).toEqual(before);

    const to = await place('to');
    const other = await to.application();
    await to.database.run((db) => db.deleteFrom('submissions').where('id', '=', other).execute());
    await closeAll();
    expect(await restore('to')).toMatchObject({
      code: 1,
      words: 'The storage in RESUMES_URL is not empty. Add --replace to replace its content. Nothing was changed.\n',
    });
    expect((await contentsOf(inFolder('to'))).submissions).toEqual([]);
  });

  it('restore changes nothing > the archive is cut off, changed or newer', async () => {
    const from = await place('from');
    await from.application(randomBytes(5_000));
    await from.enquiry();
    expect((await backUp('from', 'whole.tar')).code).toBe(0);
    const whole = await readFile(path('whole.tar'));
    await mkdir(path('unpacked'));
    await run$('tar', ['-xf', path('whole.tar'), '-C', path('unpacked')]);
    const packed = async (name: string, ...names: string[]) => {
      await run$('tar', ['-cf', path(name), '-C', path('unpacked'), ...names]);
      return name;
    };
    const members = (await readdir(path('unpacked'))).toSorted();
    const manifest = String(await readFile(path('unpacked/manifest.json')));

    await writeFile(path('cut.tar'), whole);
    await truncate(path('cut.tar'), whole.length / 2);
    const changed = Buffer.from(whole);
    const at = whole.indexOf('Ada Example');
    changed.write('Eve', at);
    await writeFile(path('changed.tar'), changed);
    await writeFile(path('text.tar'), 'this is no archive');
    await packed('unfinished.tar', ...members.filter((name) => name !== 'manifest.json'));
    for (const name of ['cut.tar', 'changed.tar', 'text.tar', 'unfinished.tar']) {
      const words = 'The archive is incomplete or damaged, so nothing was changed. Use another archive.\n';
      const refused = await run(inFolder('to'), ['restore'], createReadStream(path(name)));
      expect([name, refused]).toMatchObject([name, { code: 1, words }]);
    }
    for (const [migration, words] of [
      ['9999-later', 'The archive is from another version. Restore it with that version. Nothing was changed.\n'],
    ]) {
      const other = manifest.replace(/"migration": "[^"]*"/, `"migration": "${migration}"`);
      await writeFile(path('unpacked/manifest.json'), other);
      await packed('other.tar', ...members);
      const refused = await run(inFolder('to'), ['restore'], createReadStream(path('other.tar')));
      expect([migration, refused]).toMatchObject([migration, { code: 1, words }]);
    }
    expect(await contentsOf(inFolder('to'))).toMatchObject({ submissions: [], digests: {} });
  });

  it('restore names a missing file, and leaves out erasures during the backup', async () => {
    const stored = await place('place');
    const [kept, missing, erased] = [
      await stored.application(),
      await stored.application(),
      await stored.application(),
    ];
    const found = await stored.submissions.find(missing);
    await stored.files.remove(found?.resume?.key ?? '');
    await stored.database.run((db) => db.insertInto('erasures').values({ id: erased, erasedAt: Date.now() }).execute());
    const { code, out } = await run(inFolder('place'), ['backup']);
    expect(code).toBe(6);
    const restored = await run(inFolder('to'), ['restore'], [out]);
    const words = `Restored: 2 submissions, 1 files.\nThe file of ${missing} is missing.\n`;
    expect(restored).toMatchObject({ code: 0, words });
    const { submissions, digests } = await contentsOf(inFolder('to'));
    expect(submissions.map(({ id }) => id)).toEqual([kept, missing].toSorted());
    expect(Object.keys(digests)).toEqual([expect.stringContaining(kept)]);
    expect(await readdir(path('to/resumes/incoming'))).toEqual([]);
  });

  it('restore --replace removes later submissions and keeps later erasures', async () => {
    const stored = await place('place');
    const [kept, erased] = [await stored.application(), await stored.enquiry({ email: 'gone@visitor.example' })];
    const { out } = await run(inFolder('place'), ['backup']);
    expect((await run(inFolder('place'), ['erase', '--email', 'gone@visitor.example', '--yes'])).code).toBe(0);
    await stored.application();
    await closeAll();
    expect((await run(inFolder('place'), ['restore', '--replace'], [out])).code).toBe(0);
    const { submissions, erasures, digests } = await contentsOf(inFolder('place'));
    expect(submissions.map(({ id }) => id)).toEqual([kept]);
    expect(erasures.map(({ id }) => id)).toEqual([erased]);
    expect(Object.keys(digests)).toEqual([expect.stringContaining(kept)]);
  });

  it('restore can be repeated > it was interrupted', async () => {
    const from = await place('from');
    for (let count = 0; count < 3; count++) await from.application();
    const { out } = await run(inFolder('from'), ['backup']);
    const to = await place('to');
    await to.database.run((db) => sql`ALTER TABLE properties RENAME TO away`.execute(db));
    await closeAll();
    expect((await run(inFolder('to'), ['restore'], [out])).code).toBe(1);
    const again = await StoredSubmissions.open(path('to'));
    open.push(again);
    await again.database.run((db) => sql`ALTER TABLE away RENAME TO properties`.execute(db));
    await closeAll();
    expect((await run(inFolder('to'), ['restore'], [out])).code).toBe(0);
    expect(await contentsOf(inFolder('to'))).toMatchObject({ submissions: [{}, {}, {}] });
  });
});

const missing = PostgresServer.missing();
if (missing) process.stderr.write(`SKIPPED: from SQLite to PostgreSQL, because ${missing}\n`);

(missing ? describe.skip : describe)('backup and restore > other database', () => {
  it('keeps everything > from SQLite to PostgreSQL and back', async () => {
    const from = await place('from');
    const email = 'jose\u0301@m\u00FCller.example';
    await from.enquiry({ message: '[1] \u{1FA81} "quoted" \\ \n שלום', email });
    await from.enquiry({}, { state: 'delivered', attempts: 1 });
    await from.enquiry({}, { state: 'failed', attempts: 9, error: 'SMTP 550' });
    const released = await from.enquiry({}, { state: 'quarantined' });
    await from.submissions.requeue([released], { from: ['quarantined'], event: 'released', by: 'Grace' });
    await from.enquiry({}, { state: 'quarantined' });
    const applications: string[] = [];
    for (const size of [0, 1, 511, 512, 513, 3_000_000]) applications.push(await from.application(randomBytes(size)));
    const paused = await from.submissions.acquire(applications[0] ?? '');
    if (paused) await from.submissions.endLease(paused, { pauseMs: 60_000, attempts: 2, error: '{"code":451}' });
    const fields = { ...newApplication(Buffer.alloc(0)).fields, email: 'gone@visitor.example' };
    await from.application(undefined, { fields });
    expect((await run(inFolder('from'), ['erase', '--email', 'gone@visitor.example', '--yes'])).code).toBe(0);
    const notification = { submissionId: released, kind: 'webhook' as const, stateSince: 1, lastError: '[x]' };
    await from.database.run((db) => db.insertInto('notifications').values(notification).execute());
    await closeAll();
    const before = await contentsOf(inFolder('from'));
    expect(before).toMatchObject({ submissions: { length: 11 }, notifications: [{}], erasures: [{}] });

    const server = await PostgresServer.shared();
    const cloud = { RESUMES_URL: `file:${path('moved')}`, DATABASE_URL: await server.createDatabase() };
    const archive = (await run(inFolder('from'), ['backup'])).out;
    expect((await run(cloud, ['restore'], [archive])).words).toBe('Restored: 11 submissions, 6 files.\n');
    expect(await contentsOf(cloud)).toEqual(before);
    const running = await Database.open(cloud.DATABASE_URL);
    await running.check();
    expect(await run(cloud, ['restore'], [archive])).toMatchObject({ code: 5, words: expect.stringMatching(/in use/) });
    await running.close();

    const back = (await run(cloud, ['backup'])).out;
    expect((await run(inFolder('back'), ['restore'], [back])).code).toBe(0);
    expect(await contentsOf(inFolder('back'))).toEqual(before);
  });
});
