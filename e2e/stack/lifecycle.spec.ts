import { expect, test } from '@playwright/test';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { makeTemporaryFolder } from '../../test-support/temporary-folder.ts';
import { freePorts } from '../../scripts/stack/ports.ts';
import { CLEAN_ENVIRONMENT } from '../harness/clean-environment.ts';
import { failToStart, root, StackProcess } from '../harness/stack-process.ts';

const NAMES = ['api', 'mail', 'nginx', 'redis', 'worker'];

// All tests share one stack, which takes longer to start than any of them. After a failure the next ones get a new one.
test.describe.configure({ mode: 'default' });

let stack: StackProcess;
test.beforeAll(async () => {
  // nginx, Redis, SQLite and URLs each have their own quoting of paths.
  const dataDir = join(makeTemporaryFolder(), "it's My 50% Projects; {ü}");
  stack = await StackProcess.start({ DATA_DIR: dataDir });
});
test.afterAll(() => {
  stack.kill();
  rmSync(dirname(stack.dataDir), { recursive: true });
});

/** Whether a process with this pid runs, also as a zombie. */
const isThere = (pid: number) => existsSync(`/proc/${pid}`);

/** Connects to another address of this machine than the one that a server with HOST=127.0.0.1 has. */
async function reach(url: string): Promise<void> {
  const socket = connect({ host: '127.0.0.2', port: Number(new URL(url).port) });
  await once(socket, 'connect');
  socket.destroy();
}

test('npm start > is healthy for doctor, which finds the mail catcher', async () => {
  const env = { PATH: process.env['PATH'], DATA_DIR: stack.dataDir };
  const options = { cwd: root, encoding: 'utf8', env } as const;
  const doctor = spawnSync(process.execPath, ['scripts/run.mjs', 'scripts/stack/submissions.ts', 'doctor'], options);
  expect([doctor.status, doctor.stderr], doctor.stdout).toEqual([0, '']);
  expect(doctor.stdout).toContain('ok    mail server');
});

test('npm start > listens only on the loopback address, without an inbox', async () => {
  const { API_URL = '', WORKER_URL = '', REDIS_URL = '', SMTP_URL = '' } = stack.connections;
  for (const url of [stack.siteUrl, stack.mailUrl, API_URL, WORKER_URL, REDIS_URL, SMTP_URL])
    await expect(reach(url), url).rejects.toThrow('ECONNREFUSED');
  const inbox = await fetch(`${stack.siteUrl}/inbox`);
  expect([inbox.status, inbox.headers.get('www-authenticate')]).toEqual([404, null]);
  expect(await inbox.text()).toBe(await (await fetch(`${stack.siteUrl}/nothing`)).text());
});

test('npm start > names the process > the stack already runs', async () => {
  const { port } = new URL(stack.siteUrl);
  const { errors } = await failToStart({ DATA_DIR: stack.dataDir, PORT: port });
  expect(errors.split('. ')[0]).toBe(`The stack already runs here (process ${stack.pid})`);
});

test('npm start > shows mails only on loopback, dies as a whole > HOST is 0.0.0.0', async () => {
  const open = await StackProcess.start({ HOST: '0.0.0.0' });
  await reach(open.siteUrl);
  await expect(reach(open.mailUrl), 'the mails, which need no password').rejects.toThrow('ECONNREFUSED');
  const pids = await Promise.all(NAMES.map((name) => open.pidOf(name)));
  process.kill(open.pid, 'SIGKILL');
  await expect.poll(() => pids.filter(isThere)).toEqual([]);
});

test('npm start > leaves no process > SIGTERM ends only the shell of npm', async () => {
  const [port = 0, mailPort = 0] = await freePorts(2);
  const settings = { DATA_DIR: makeTemporaryFolder(), PORT: `${port}`, MAIL_UI_PORT: `${mailPort}` };
  const npm = execa('npm', ['start'], { cwd: root, env: { ...CLEAN_ENVIRONMENT, ...settings }, reject: false });
  for await (const line of npm) if (line === 'Ready.') npm.kill('SIGTERM');
  // Every process has ended: each of them writes to the same pipe or ends with the one that does.
  expect((await npm).stdout).toContain('\nStopping ...');
  expect(existsSync(join(settings.DATA_DIR, 'run.json'))).toBe(false);
  await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow('fetch failed');
  rmSync(settings.DATA_DIR, { recursive: true });
});

// The same code sees the end of each process. nginx has children of its own. The last test: it ends the shared stack.
test('npm start > prints the reason and leaves no process > nginx has ended', async () => {
  const pids = await Promise.all(NAMES.map((one) => stack.pidOf(one)));
  await stack.killProcess('nginx');
  expect(await stack.ended()).toBe(1);
  expect(stack.output).toContain(`nginx ended (SIGKILL). The end of ${stack.logFile('nginx')}:`);
  expect(pids.filter(isThere)).toEqual([]);
});
