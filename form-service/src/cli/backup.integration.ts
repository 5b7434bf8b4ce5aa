import { spawn, execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { StoredSubmissions } from '../../test/stored-submissions.ts';
import { newApplication } from '../../test/submissions.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { until } from '../../test/until.ts';
import { runCommand } from './program.ts';

const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

describe('Backup and restore', () => {
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
  const environment = (name: string) => ({
    DATABASE_URL: `file:${path(name)}/submissions.db`,
    REDIS_URL: 'redis://127.0.0.1:1',
  });
  async function place(name: string): Promise<StoredSubmissions> {
    const stored = await StoredSubmissions.open(path(name));
    open.push(stored);
    return stored;
  }
  async function closeAll() {
    for (const stored of open.splice(0)) await stored.database.close();
  }
  async function run(name: string, ...args: string[]) {
    const words: string[] = [];
    const stream = () => new Writable({ write: (chunk, _encoding, done) => (words.push(String(chunk)), done()) });
    const resources = { stdin: Readable.from([]), stdout: stream(), stderr: stream(), environment: environment(name) };
    return { code: await runCommand(args, resources), words: words.join('') };
  }
  async function contentsOf(name: string) {
    const stored = await place(name);
    const { rows } = await stored.database.run((db) =>
      sql<{ integrityCheck: string }>`PRAGMA integrity_check`.execute(db),
    );
    expect(rows).toEqual([{ integrityCheck: 'ok' }]);
    const ids = await stored.ids();
    await closeAll();
    return ids;
  }
  const names = async (name: string) => (await readdir(path(name))).toSorted();

  it('A backup that is made while others write has everything that was accepted before, with the files', async () => {
    const first = await place('first');
    const accepted: string[] = [];
    const stop = new AbortController();
    const writing = Promise.all(
      [1, 2, 3].map(async (client) => {
        while (!stop.signal.aborted) {
          accepted.push(
            client === 1
              ? await first.application()
              : await first.enquiry({}, { state: client === 2 ? 'delivered' : 'pending' }),
          );
        }
      }),
    );
    let before: string[] = [];
    for (let number = 1; before.length === 0 || accepted.length === before.length; number++) {
      await until('some accepted', () => accepted.length > 50 * number);
      before = [...accepted];
      expect(await run('first', 'backup', '--out', path(`${number}.tgz`))).toEqual({ code: 0, words: '' });
      await rm(path('archive.tgz'), { force: true });
      await promisify(execFile)('ln', [path(`${number}.tgz`), path('archive.tgz')]);
    }
    stop.abort();
    await writing;
    expect(await names('first')).toEqual(['resumes', 'submissions.db', 'submissions.db-shm', 'submissions.db-wal']);

    const restored = await run('second', 'restore', '--in', path('archive.tgz'));
    expect(restored).toEqual({ code: 0, words: expect.stringMatching(/^Restored: \d+ delivered, \d+ pending\.\n$/) });
    const second = await place('second');
    expect(await second.ids()).toEqual(expect.arrayContaining(before));
    for await (const one of second.submissions.select({ states: ['pending'] })) {
      expect(await second.submissions.acquire(one.id)).toBeDefined();
      if (one.form !== 'application') continue;
      let bytes = 0;
      for await (const chunk of await second.files.open(one.resume.key)) bytes += (chunk as Buffer).length;
      expect(bytes).toBe(one.resume.size);
    }
    expect((await names('second')).filter((name) => name.startsWith('copy'))).toEqual([]);
  });

  it('An interrupted backup leaves no copy of the database behind', async () => {
    const stored = await place('place');
    for (let count = 0; count < 5; count++) await stored.application(randomBytes(1_000_000));
    // Nobody reads what it writes, so it waits in the middle.
    const env = { ...process.env, NODE_OPTIONS: '', ...environment('place') };
    const backup = spawn(process.execPath, [CLI, 'backup'], { env, stdio: ['ignore', 'pipe', 'ignore'] });
    const copies = async () => (await names('place')).filter((name) => name.startsWith('copy-'));
    await until('the copy', async () => (await copies()).length > 0);
    backup.kill('SIGTERM');
    await once(backup, 'exit');
    expect(await copies()).toEqual([]);
  });

  it('Backup and restore refuse to overwrite an archive or submissions, a database in use, and a broken archive', async () => {
    const from = await place('from');
    const id = await from.enquiry();
    expect((await run('from', 'backup', '--out', path('archive.tgz'))).code).toBe(0);
    expect(await run('from', 'backup', '--out', path('archive.tgz'))).toMatchObject({
      code: 1,
      words: expect.stringContaining('EEXIST'),
    });
    expect(await run('from', 'restore', '--replace', '--in', path('archive.tgz'))).toMatchObject({
      code: 5,
      words: expect.stringMatching(/in use/),
    });
    await closeAll();
    expect(await run('from', 'restore', '--in', path('archive.tgz'))).toMatchObject({
      code: 1,
      words: expect.stringMatching(/not empty/),
    });

    await mkdir(path('other'));
    await writeFile(path('other/submissions.db'), 'no database');
    await promisify(execFile)('tar', ['-czf', path('other.tgz'), '-C', path('other'), 'submissions.db']);
    await rm(path('other'), { recursive: true });
    await truncate(path('archive.tgz'), 400);
    for (const archive of ['archive.tgz', 'other.tgz']) {
      const refused = await run('from', 'restore', '--replace', '--in', path(archive));
      expect(refused).toEqual({ code: 1, words: 'This is no whole archive of submissions.\n' });
    }
    expect(await contentsOf('from')).toEqual([id]);
    const postgres = { ...environment('from'), DATABASE_URL: 'postgres://127.0.0.1:1/none' };
    expect(
      await runCommand(['backup', '--out', path('x.tgz')], {
        stdout: process.stdout,
        stderr: new Writable({ write() {} }),
        environment: postgres,
      }),
    ).toBe(1);
  });

  it('Restore refuses an archive of a newer version', async () => {
    const from = await place('from');
    await from.database.run((db) => sql`INSERT INTO kysely_migration VALUES ('9999-later', '2030-01-01')`.execute(db));
    await promisify(execFile)('tar', [
      '-czf',
      path('newer.tgz'),
      '-C',
      path('from'),
      'submissions.db',
      'submissions.db-wal',
    ]);
    expect(await run('to', 'restore', '--in', path('newer.tgz'))).toEqual({
      code: 1,
      words: 'The archive is of a newer version of this service.\n',
    });
  });

  it('Restore with --replace keeps later erasures, and names missing files', async () => {
    const stored = await place('place');
    const grace = { fields: { ...newApplication(Buffer.alloc(0)).fields, email: 'grace@visitor.example' } };
    const [erased, erasedToo] = [await stored.application(), await stored.enquiry()];
    const kept = await stored.application(undefined, grace);
    const missing = await stored.application(undefined, grace);
    const found = await stored.submissions.find(missing);
    if (found?.form === 'application') await stored.files.remove(found.resume.key);
    await stored.submissions.acquire(erasedToo);
    expect((await run('place', 'backup', '--out', path('archive.tgz'))).code).toBe(0);
    await stored.database.run((db) =>
      db.updateTable('submissions').set({ leaseToken: null, leaseUntil: null }).execute(),
    );
    expect((await run('place', 'erase', '--email', 'ada@visitor.example', '--yes')).code).toBe(0);
    await stored.enquiry({ message: 'Accepted after the backup was made.' });
    await closeAll();
    await rm(path('place/resumes'), { recursive: true });

    const { code, words } = await run('place', 'restore', '--replace', '--in', path('archive.tgz'));
    expect({ code, words }).toEqual({ code: 0, words: `Restored: 2 pending.\nThe résumé of ${missing} is missing.\n` });
    expect(await contentsOf('place')).toEqual([kept, missing].toSorted());
    const files = (await readdir(path('place/resumes'), { recursive: true })).filter((name) => name.includes('KW-'));
    expect(files).toEqual([expect.stringContaining(kept)]);
    const again = await place('place');
    expect(await again.erasedIds()).toEqual([erased, erasedToo].toSorted());
  });

  it('A restore that is killed at any moment leaves the old or the new submissions, and can be repeated', async () => {
    const from = await place('from');
    for (let count = 0; count < 20; count++)
      await Promise.all(Array.from({ length: 200 }, () => from.enquiry({ message: 'x'.repeat(2_000) })));
    await from.application();
    const newer = await from.ids();
    expect((await run('from', 'backup', '--out', path('archive.tgz'))).code).toBe(0);
    const to = await place('to');
    const older = [await to.enquiry(), await to.enquiry()].toSorted();
    await closeAll();

    const has = async (pattern: RegExp) =>
      (await readdir(path('to'), { recursive: true }).catch(() => [])).some((name) => pattern.test(name));
    const isBeingWritten = async () =>
      (await has(/submissions\.db-journal$/)) && (await stat(path('to/submissions.db'))).size > 1_000_000;
    const moments = [
      () => has(/copy-[^/]*$/),
      () => has(/copy-.*\/submissions\.db$/),
      () => has(/resumes\/[0-9a-f]{2}\/KW/),
      isBeingWritten,
      () => false,
    ];
    const outcomes = new Set<string>();
    for (const moment of moments) {
      const restoring = spawn(process.execPath, [CLI, 'restore', '--replace', '--in', path('archive.tgz')], {
        env: { ...process.env, NODE_OPTIONS: '', ...environment('to') },
        stdio: 'ignore',
      });
      const ended = once(restoring, 'exit');
      await until('the moment, or the end', async () => restoring.exitCode !== null || (await moment()));
      restoring.kill('SIGKILL');
      await ended;
      const ids = await contentsOf('to');
      expect([older, newer]).toContainEqual(ids);
      outcomes.add(ids.length === older.length ? 'old' : 'new');
      await rm(path('to/resumes'), { recursive: true, force: true });
    }
    expect(outcomes).toEqual(new Set(['old', 'new']));
    expect(await has(/copy-/)).toBe(false);
  }, 300_000);
});
