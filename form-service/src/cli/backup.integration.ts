import { execFileSync } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { PostgresServer } from '../../test/postgres-server.ts';
import { run } from '../../test/run-command.ts';
import { StoredSubmissions } from '../../test/stored-submissions.ts';
import { sha256 } from '../../test/submissions.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { until } from '../../test/until.ts';
import { Database } from '../database/database.ts';
import { lastRun } from '../database/properties.ts';
import { Installation } from '../submissions/installation.service.ts';
import { openFileStorage } from '../files/file-storage.ts';
import { SubmissionSearchRepository } from '../submissions/submission-search.repository.ts';

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

/** Returns the path of a résumé of the folder `place`. */
async function fileOf({ submissions }: StoredSubmissions, id: string): Promise<string> {
  const { resume } = (await submissions.find(id)) ?? {};
  return path(`place/resumes/${resume?.key}`);
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

describe('backup', () => {
  it('contains all that was accepted before > clients write meanwhile', async () => {
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

  it('fails and is not recorded > a file cannot be read', async () => {
    const stored = await place('place');
    const file = await fileOf(stored, await stored.application());
    await rm(file);
    await mkdir(file);
    const words = /The file of KW-.* cannot be read \(RESUMES_URL: EISDIR\).*No backup was made/;
    expect(await run(inFolder('place'), ['backup'])).toMatchObject({ code: 1, words: expect.stringMatching(words) });
    expect(await lastRun(stored.database, 'archive')).toBeUndefined();
  });

  it('is refused > the folder of the files is not mounted', async () => {
    const stored = await place('place');
    await stored.application();
    await rename(path('place/resumes'), path('elsewhere'));
    const unmounted = { ...inFolder('place'), RESUMES_URL: `file:${path('not-mounted')}` };
    for (const variables of [inFolder('place'), unmounted]) {
      const { code, words, out } = await run(variables, ['backup']);
      expect([code, words, out.length]).toEqual([1, expect.stringContaining('Is the folder mounted?'), 0]);
    }
  });

  it('names missing and damaged files, and leaves them out, as erasures meanwhile', async () => {
    const stored = await place('place');
    const [lost, damaged, kept, erased] = [
      await stored.application(),
      await stored.application(),
      await stored.application(),
      await stored.application(),
    ];
    await rm(await fileOf(stored, lost));
    await writeFile(await fileOf(stored, damaged), 'dam');
    await stored.database.run((db) => db.insertInto('erasures').values({ id: erased, erasedAt: Date.now() }).execute());
    const { code, words, out } = await run(inFolder('place'), ['backup']);
    expect(code).toBe(6);
    expect(words).toContain(`The file of ${lost} is left out, because the storage has no such file.`);
    expect(words).toContain(`The file of ${damaged} is left out, because the stored file is damaged.`);
    expect(words).toContain('Files that the backup lacks, because the storage does: 2.');
    expect(await lastRun(stored.database, 'archive')).toMatchObject({ filesMissing: 2 });
    const restored = await run(inFolder('to'), ['restore'], [out]);
    expect([restored.code, restored.words]).toEqual([
      0,
      expect.stringMatching(/^Restored: 3 submissions, 1 files\.\n/),
    ]);
    for (const id of [lost, damaged]) expect(restored.words).toContain(`The file of ${id} is missing.\n`);
    const { submissions, digests } = await contentsOf(inFolder('to'));
    expect(submissions.map(({ id }) => id)).toEqual([lost, damaged, kept].toSorted());
    expect(Object.keys(digests)).toEqual([expect.stringContaining(kept)]);
    expect(await readdir(path('to/resumes/incoming'))).toEqual([]);
  });

  it('is recorded with the time of its beginning > with --done, after it was stored elsewhere', async () => {
    const stored = await place('place');
    // More than the buffers of the streams between the command and its output.
    await stored.application(Buffer.alloc(1_000_000, 'x'));
    let takenAt = 0;
    const taken = async () => {
      if (takenAt > 0) return;
      takenAt = Date.now();
      await until('the clock to go on', () => Date.now() > takenAt + 1);
    };
    const done = async () => (await run(inFolder('place'), ['backup', '--done'])).code;
    expect(await done()).toBe(1);
    expect((await run(inFolder('place'), ['backup'], [], { taken })).code).toBe(0);
    expect([await lastRun(stored.database, 'backup'), await done()]).toEqual([undefined, 0]);
    expect((await lastRun(stored.database, 'backup'))?.at).toBeLessThanOrEqual(takenAt);
  });
});

describe('restore', () => {
  it('rejects a store that is not empty, and a database in use', async () => {
    const from = await place('from');
    await from.application();
    const { out } = await run(inFolder('from'), ['backup']);
    const restore = (name: string) => run(inFolder(name), ['restore'], [out]);
    expect(await restore('from')).toMatchObject({ code: 5, words: expect.stringMatching(/in use/) });
    const to = await place('to');
    const other = await to.application();
    await to.database.run((db) => db.deleteFrom('submissions').where('id', '=', other).execute());
    await closeAll();
    for (const [name, store] of [
      ['from', 'database in DATABASE_URL'],
      ['to', 'storage in RESUMES_URL'],
    ] as const) {
      const before = await contentsOf(inFolder(name));
      const words = `The ${store} is not empty. Add --replace to replace its content. Nothing was changed.\n`;
      expect(await restore(name)).toMatchObject({ code: 1, words });
      expect(await contentsOf(inFolder(name))).toEqual(before);
    }
  });

  it('changes nothing > the archive is cut off, changed or newer', async () => {
    const from = await place('from');
    await from.application(randomBytes(5_000));
    const { out: whole } = await run(inFolder('from'), ['backup']);
    await mkdir(path('unpacked'));
    execFileSync('tar', ['-xf', '-', '-C', path('unpacked')], { input: whole });
    const members = (await readdir(path('unpacked'))).toSorted();
    const packed = (...names: string[]) => execFileSync('tar', ['-cf', '-', '-C', path('unpacked'), ...names]);
    const changed = Buffer.from(whole);
    changed.write('Eve', whole.indexOf('Ada Example'));
    const unfinished = packed(...members.filter((name) => name !== 'manifest.json'));
    const manifest = String(await readFile(path('unpacked/manifest.json')));
    await writeFile(
      path('unpacked/manifest.json'),
      manifest.replace(/"migration": "[^"]*"/, '"migration": "9999-later"'),
    );
    const damaged = 'The archive is incomplete or damaged, so nothing was changed. Use another archive.\n';
    for (const [what, archive, words] of [
      ['cut', whole.subarray(0, whole.length / 2), damaged],
      ['changed', changed, damaged],
      ['text', Buffer.from('this is no archive'), damaged],
      ['unfinished', unfinished, damaged],
      [
        'newer',
        packed(...members),
        'The archive is from another version. Restore it with that version. Nothing was changed.\n',
      ],
    ] as const)
      expect([what, await run(inFolder('to'), ['restore'], [archive])]).toMatchObject([what, { code: 1, words }]);
    expect(await contentsOf(inFolder('to'))).toMatchObject({ submissions: [], digests: {} });
  });

  it('--replace removes later submissions and files, and keeps later erasures', async () => {
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

  it('--replace repairs a damaged file, and keeps one that the archive lacks', async () => {
    const stored = await place('place');
    const [only, damaged] = [
      await fileOf(stored, await stored.application(Buffer.from('the only copy'))),
      await fileOf(stored, await stored.application(Buffer.from('the intact copy'))),
    ];
    await rename(only, path('away'));
    const { code, out } = await run(inFolder('place'), ['backup']);
    await rename(path('away'), only);
    await writeFile(damaged, 'the damaged one');
    await closeAll();
    const restored = await run(inFolder('place'), ['restore', '--replace'], [out]);
    expect([code, restored]).toMatchObject([6, { code: 0, words: 'Restored: 2 submissions, 2 files.\n' }]);
    const contents = await Promise.all([only, damaged].map(async (file) => String(await readFile(file))));
    expect(contents).toEqual(['the only copy', 'the intact copy']);
  });
});

const missing = PostgresServer.missing();
if (missing) process.stderr.write(`SKIPPED: from SQLite to PostgreSQL, because ${missing}\n`);

(missing ? describe.skip : describe)('backup and restore > other database', () => {
  it('keeps everything > from SQLite to PostgreSQL and back', async () => {
    const from = await place('from');
    const email = 'jose\u0301@m\u00FCller.example';
    await from.enquiry({ message: '[1] \u{1FA81} "quoted" \\ \n שלום', email });
    await from.enquiry({}, { state: 'failed', attempts: 9, error: 'SMTP 550', notifications: ['webhook'] });
    const released = await from.enquiry({}, { state: 'quarantined' });
    await from.submissions.requeue([released], { from: ['quarantined'], event: 'released', by: 'Grace' });
    for (const size of [0, 1, 511, 512, 513, 3_000_000]) await from.application(randomBytes(size));
    await from.enquiry({ email: 'gone@visitor.example' });
    expect((await run(inFolder('from'), ['erase', '--email', 'gone@visitor.example', '--yes'])).code).toBe(0);
    await closeAll();
    const before = await contentsOf(inFolder('from'));
    expect(before).toMatchObject({ submissions: { length: 9 }, notifications: [{}], erasures: [{}] });

    const server = await PostgresServer.shared();
    const cloud = { RESUMES_URL: `file:${path('moved')}`, DATABASE_URL: await server.createDatabase() };
    const archive = (await run(inFolder('from'), ['backup'])).out;
    expect((await run(cloud, ['restore'], [archive])).words).toBe('Restored: 9 submissions, 6 files.\n');
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
