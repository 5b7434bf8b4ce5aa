import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { until } from '../../test/until.ts';
import { Database } from './database.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => folder.remove());

it('A database file that cannot be opened is trouble that can pass, and names the setting and no path', async () => {
  const file = join(folder.path, 'submissions.db');
  await mkdir(file);
  await expect(Database.open(`file:${file}`)).rejects.toMatchObject({
    name: 'StorageUnavailableError',
    message: expect.stringMatching(/^DATABASE_URL: [A-Z_]+$/),
  });
});

it('A process that could not open the database at its start uses it as soon as it can be opened', async () => {
  const file = join(folder.path, 'submissions.db');
  await mkdir(file);
  const database = await Database.open(`file:${file}`, () => undefined);
  await rm(file, { recursive: true });
  await until('the database to be used', () => database.check().then(() => true, () => false));
  await database.close();
});
