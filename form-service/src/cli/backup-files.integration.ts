import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { run } from '../../test/run-command.ts';
import { StoredSubmissions } from '../../test/stored-submissions.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { until } from '../../test/until.ts';
import { lastRun } from '../database/properties.ts';
import { Installation } from '../submissions/installation.service.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let stored: StoredSubmissions;
let environment: Record<string, string>;
beforeEach(async () => {
  folder = await temporaryFolder();
  stored = await StoredSubmissions.open(folder.path);
  environment = stored.environment;
  await new Installation(stored.database, stored.files).confirm();
});
afterEach(async () => {
  await stored.database.close();
  await folder.remove();
});

/** Returns the path of a submission's résumé. */
async function fileOf(id: string): Promise<string> {
  const { resume } = (await stored.submissions.find(id)) ?? {};
  return join(folder.path, 'resumes', resume?.key ?? '');
}

/** More than the buffers of the streams between the command and its output. */
const LARGE = Buffer.alloc(1_000_000, 'x');

/** Returns a function that runs the work at its first call only. */
function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => (done ??= work());
}

function manifestIn(archive: Buffer): unknown {
  return JSON.parse(execFileSync('tar', ['-xO', 'manifest.json'], { input: archive }).toString());
}

/** Returns the time at which the latest archive was begun. */
const archivedAt = () =>
  stored.database.run((db) => db.selectFrom('lastRuns').select('at').where('task', '=', 'archive').executeTakeFirst());

describe('backup > résumés', () => {
  it('fails and is not recorded > a file cannot be read', async () => {
    const file = await fileOf(await stored.application());
    await rm(file);
    await mkdir(file);
    expect(await run(environment, ['backup'])).toMatchObject({
      code: 1,
      words: expect.stringMatching(/The file of KW-.* cannot be read \(RESUMES_URL: EISDIR\).*No backup was made/),
    });
    expect(await archivedAt()).toBeUndefined();
  });

  it('is refused > the folder is not mounted', async () => {
    await stored.application();
    await rename(join(folder.path, 'resumes'), join(folder.path, 'elsewhere'));
    const unmounted = { ...environment, RESUMES_URL: `file:${join(folder.path, 'not-mounted')}` };
    for (const place of [environment, unmounted]) {
      const { code, words, out } = await run(place, ['backup']);
      expect([code, words, out.length]).toEqual([1, expect.stringContaining('Is the folder mounted?'), 0]);
    }
    expect(await archivedAt()).toBeUndefined();
  });

  it('is refused and creates nothing > there is no database', async () => {
    const DATABASE_URL = `file:${join(folder.path, 'elsewhere/submissions.db')}`;
    const { code, words } = await run({ ...environment, DATABASE_URL }, ['backup']);
    expect([code, words]).toEqual([1, 'DATABASE_URL: the file does not exist. Check path and mount.\n']);
    expect(await readdir(folder.path)).not.toContain('elsewhere');
  });

  it('counts missing and damaged files in manifest, messages, exit code and record', async () => {
    const [lost, damaged] = [await stored.application(), await stored.application(), await stored.application()];
    await rm(await fileOf(lost));
    await writeFile(await fileOf(damaged), 'dam');
    const { code, words, out } = await run(environment, ['backup']);
    expect(code).toBe(6);
    expect(words).toContain(`The file of ${lost} is left out, because the storage has no such file.`);
    expect(words).toContain(`The file of ${damaged} is left out, because the stored file is damaged.`);
    expect(words).toContain('Files that the backup lacks, because the storage does: 2.');
    expect(manifestIn(out)).toMatchObject({ counts: { submissions: 3, files: 1, filesMissing: 2 } });
    expect(await archivedAt()).toBeDefined();
    expect(await lastRun(stored.database, 'archive')).toMatchObject({ filesMissing: 2 });
  });

  it('does not count the file of a submission that is deleted meanwhile', async () => {
    for (let count = 0; count < 30; count++) await stored.application(LARGE);
    const last = (await stored.ids()).at(-1) ?? '';
    const file = await fileOf(last);
    const whenTaken = once(async () => {
      await stored.submissions.erase([last]);
      await rm(file);
    });
    expect(await run(environment, ['backup'], [], { taken: whenTaken })).toMatchObject({ code: 0, words: '' });
  });

  it('is recorded with the time of its beginning > with --done, after it was stored elsewhere', async () => {
    await stored.application(LARGE);
    let takenAt = 0;
    const whenTaken = once(async () => {
      takenAt = Date.now();
      await until('the clock to go on', () => Date.now() > takenAt + 1);
    });
    const done = async () => (await run(environment, ['backup', '--done'])).code;
    expect(await done()).toBe(1);
    expect((await run(environment, ['backup'], [], { taken: whenTaken })).code).toBe(0);
    expect([await lastRun(stored.database, 'backup'), await done()]).toEqual([undefined, 0]);
    expect((await lastRun(stored.database, 'backup'))?.at).toBeLessThanOrEqual(takenAt);
  });
});

describe('restore > --replace', () => {
  it('keeps the file that a restored submission names > the archive lacks it', async () => {
    const id = await stored.application(Buffer.from('the only copy'));
    const file = await fileOf(id);
    await rename(file, join(folder.path, 'away'));
    const { code, out } = await run(environment, ['backup']);
    expect(code).toBe(6);
    await rename(join(folder.path, 'away'), file);
    const unnamed = await fileOf(await stored.application());
    await stored.database.close();
    expect(await run(environment, ['restore', '--replace'], [out])).toMatchObject({
      code: 0,
      words: 'Restored: 1 submissions, 1 files.\n',
    });
    expect(String(await readFile(file))).toBe('the only copy');
    await expect(readFile(unnamed)).rejects.toThrow('ENOENT');
  });

  it('repairs a damaged file from the archive', async () => {
    const id = await stored.application(Buffer.from('the intact copy'));
    const file = await fileOf(id);
    const { out } = await run(environment, ['backup']);
    await writeFile(file, 'the damaged one');
    await stored.database.close();
    expect(await run(environment, ['restore', '--replace'], [out])).toMatchObject({
      code: 0,
      words: 'Restored: 1 submissions, 1 files.\n',
    });
    expect(String(await readFile(file))).toBe('the intact copy');
  });
});
