import { describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeFolderInMemory, removeAbandonedFolders, temporaryParents } from '../../scripts/checks/temporary-folder.ts';
import { isRunning } from '../../scripts/stack/process-group.ts';
import config from '../jest.config.js';
import { clamdMissing } from './clamd-missing.ts';
import { descendantsOf } from './descendants.ts';
import { objectGatewayMissing } from './object-gateway.ts';
import { PostgresServer } from './postgres-server.ts';
import { until } from './until.ts';

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** Starts every kind of server that can run here. */
const STARTS: readonly string[] = [
  "(await load('redis-server')).RedisServer.start()",
  "(await load('service-process')).ServiceProcess.start('worker', await service())",
  ...(PostgresServer.missing() ? [] : ["(await load('postgres-server')).PostgresServer.start()"]),
  ...(clamdMissing() ? [] : ["(await load('clamd')).Clamd.reserve().then((daemon) => daemon.start())"]),
  ...(objectGatewayMissing() ? [] : ["(await load('object-gateway')).ObjectGateway.shared()"]),
];

/** A test file whose test starts servers, writes the file `started`, and never ends. */
const hanging = (starts: readonly string[], started: string) => `
import { writeFileSync } from 'node:fs';
const load = (name) => import(${JSON.stringify(here('.'))} + name + '.ts');
const service = async () => {
  const { path } = await (await load('temporary-folder')).temporaryFolder();
  const own = { DATABASE_URL: 'file:' + path + '/submissions.db', RESUMES_URL: 'file:' + path + '/resumes' };
  return { ...own, REDIS_URL: 'redis://127.0.0.1:1', SMTP_URL: 'smtp://127.0.0.1:1' };
};
test('hangs', async () => {
  await Promise.all([${starts.join(', ')}]);
  writeFileSync(${JSON.stringify(started)}, '');
  await new Promise(() => {});
});
`;

const foldersOf = (owners: readonly string[]) =>
  temporaryParents()
    .flatMap((parent) => readdirSync(parent))
    .filter((name) => owners.some((owner) => name.startsWith(`kitewright-${owner}-`)));

describe('killed run', () => {
  it('leaves no process, and no folder to the next run', async () => {
    const folder = makeFolderInMemory();
    const shared = join(folder, 'shared');
    mkdirSync(shared);
    // Two files, so that Jest starts worker processes.
    const files = [STARTS, []].map((starts, at) => [join(folder, `${at}.started`), starts] as const);
    for (const [at, [started, starts]] of files.entries())
      writeFileSync(join(folder, `${at}.mjs`), hanging(starts, started));
    const project = config.projects?.find((one) => typeof one === 'object' && one.displayName === 'integration');
    const without = { globalSetup: undefined, globalTeardown: undefined, testPathIgnorePatterns: undefined };
    const own = { roots: [folder], testMatch: [`${folder}/*.mjs`], testTimeout: 240_000 };
    const json = JSON.stringify({ ...(project as object), ...without, ...own });
    const jest = here('../../node_modules/jest/bin/jest.js');
    const run = spawn(process.execPath, ['--experimental-vm-modules', jest, '--config', json, '--maxWorkers=2'], {
      env: { ...process.env, KITEWRIGHT_SHARED_SERVERS: shared },
      stdio: 'ignore',
    });
    await until('all servers', () => files.every(([started]) => existsSync(started)) || run.exitCode !== null);
    expect(run.exitCode).toBeNull();
    const processes = descendantsOf(run.pid ?? 0);
    expect(processes.length).toBeGreaterThan(STARTS.length + 1);
    run.kill('SIGKILL');
    const rest = () => processes.filter(isRunning);
    await until('the end of all processes', () => rest().length === 0, 15_000).catch(() => expect(rest()).toEqual([]));
    expect(foldersOf(processes).length).toBeGreaterThan(0);
    removeAbandonedFolders();
    expect(foldersOf(processes)).toEqual([]);
  });
});
