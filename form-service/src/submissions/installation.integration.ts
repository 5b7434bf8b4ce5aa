import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { objectGatewayMissing, ObjectGateway } from '../../test/object-gateway.ts';
import { run } from '../../test/run-command.ts';
import { ServiceProcess } from '../../test/service-process.ts';
import { StoredSubmissions } from '../../test/stored-submissions.ts';
import { newEnquiry } from '../../test/submissions.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { Database } from '../database/database.ts';
import { Installation, installationId } from './installation.service.ts';
import { openFileStorage } from '../files/file-storage.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => folder.remove());

it('Installation > api and commands refuse files of another installation', async () => {
  const RESUMES_URL = `file:${folder.path}/resumes`;
  const first = await StoredSubmissions.open(folder.path);
  await first.application();
  await new Installation(first.database, first.files).confirm();
  await first.database.close();
  const before = await readdir(join(folder.path, 'resumes'), { recursive: true });

  const DATABASE_URL = `file:${folder.path}/other.db`;
  const environment = { DATABASE_URL, RESUMES_URL, REDIS_URL: 'redis://127.0.0.1:1' };
  const api = await ServiceProcess.start('api', environment);
  try {
    const words = 'RESUMES_URL: these are the résumés of another installation than DATABASE_URL';
    const enquiry = { method: 'POST', body: new URLSearchParams(newEnquiry().fields) };
    expect((await fetch(`${api.url}/api/contact`, enquiry)).status).toBe(503);
    expect(await (await fetch(`${api.url}/health/ready`)).text()).toContain(words);
    expect(api.log).toContain(words);
    expect(await run(environment, ['list'])).toMatchObject({ code: 1, words: expect.stringContaining(words) });
    expect(await readdir(join(folder.path, 'resumes'), { recursive: true })).toEqual(before);
  } finally {
    await api.end('SIGKILL');
  }
});

it('Installation > marks files without a marker', async () => {
  const stored = await StoredSubmissions.open(folder.path);
  await stored.application();
  const installation = new Installation(stored.database, stored.files);
  await installation.confirm();
  await installation.confirm();
  expect(await readFile(join(folder.path, 'resumes/installation'), 'utf8')).toBe(await installationId(stored.database));
  await stored.database.close();
});

const gatewayIsMissing = objectGatewayMissing();
(gatewayIsMissing ? it.skip : it)('Installation > replicas that start together on an empty bucket agree', async () => {
  const gateway = await ObjectGateway.shared();
  try {
    const settings = { ...gateway.settings('prefix'), DATABASE_URL: `file:${folder.path}/submissions.db` };
    const databases = await Promise.all([1, 2, 3].map(() => Database.open(settings.DATABASE_URL)));
    const replicas = await Promise.all(
      databases.map(async (database) => new Installation(database, await openFileStorage(settings))),
    );
    await Promise.all(replicas.map((one) => one.confirm()));
    await Promise.all(databases.map((database) => database.close()));
  } finally {
    await gateway.close();
  }
});
