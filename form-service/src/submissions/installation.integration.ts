import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { objectGatewayMissing, ObjectGateway } from '../../test/object-gateway.ts';
import { freePort } from '../../test/free-port.ts';
import { ServiceProcess } from '../../test/service-process.ts';
import { StoredSubmissions } from '../../test/stored-submissions.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { runCommand } from '../cli/program.ts';
import { Database } from '../database/database.ts';
import { Installation, installationId } from './installation.service.ts';
import { openFileStorage } from '../files/file-storage.ts';
import { SERVICE } from '../../test/services.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => folder.remove());

const ENQUIRY = JSON.stringify({
  name: 'Ada Example',
  email: 'ada@visitor.example',
  service: SERVICE,
  message: 'We need a new website.',
});

it('Installation > api and commands refuse files of another installation', async () => {
  const RESUMES_URL = `file:${folder.path}/resumes`;
  const first = await StoredSubmissions.open(folder.path);
  await first.application();
  await new Installation(first.database, first.files).confirm();
  await first.database.close();
  const before = await readdir(join(folder.path, 'resumes'), { recursive: true });

  const environment = {
    DATABASE_URL: `file:${folder.path}/other.db`,
    RESUMES_URL,
    REDIS_URL: `redis://127.0.0.1:${await freePort()}`,
  };
  const api = await ServiceProcess.start('api', environment);
  try {
    const words = 'RESUMES_URL: these are the résumés of another installation than DATABASE_URL';
    const headers = { 'Content-Type': 'application/json' };
    expect((await fetch(`${api.url}/api/contact`, { method: 'POST', headers, body: ENQUIRY })).status).toBe(503);
    expect(await (await fetch(`${api.url}/health/ready`)).text()).toContain(words);
    expect(api.log).toContain(words);
    let output = '';
    const stream = new Writable({ write: (chunk, _encoding, done) => ((output += String(chunk)), done()) });
    const streams = { stdin: Readable.from([]), stdout: stream, stderr: stream };
    expect(await runCommand(['list'], { ...streams, environment })).toBe(1);
    expect(output).toContain(words);
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
