import { expect, test } from '@playwright/test';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { dirname, join } from 'node:path';
import { MailServer } from '../../form-service/test/mail-server.ts';
import { until } from '../../form-service/test/until.ts';
import { makeTemporaryFolder } from '../../scripts/checks/temporary-folder.ts';
import { endingWithParent } from '../../scripts/stack/end-with-parent.ts';
import { freePorts } from '../../scripts/stack/ports.ts';
import { identify } from '../../scripts/stack/process-group.ts';
import { failToStart, root, StackProcess } from '../harness/stack-process.ts';

/** Detects hangs: a process restarts within seconds, on a busy machine later. */
const RESTART_MAX_MS = 120_000;

const NAMES = ['api', 'mail', 'nginx', 'redis', 'worker'];

test.describe.configure({ mode: 'serial' });

let stack: StackProcess;
test.beforeAll(async () => {
  // nginx, Redis, SQLite and URLs each have their own quoting of paths.
  const dataDir = join(makeTemporaryFolder(), "it's My 50% Projects; {ü}");
  stack = await StackProcess.start({ DATA_DIR: dataDir });
});
test.afterAll(async () => {
  await stack?.stop();
  rmSync(dirname(stack.dataDir), { recursive: true });
});

const pidOf = (name: string) => Number(readFileSync(join(stack.dataDir, 'run', `${name}.pid`), 'utf8'));
const running = () =>
  readdirSync(join(stack.dataDir, 'run'))
    .filter((name) => name.endsWith('.pid'))
    .map((name) => name.replace('.pid', ''))
    .sort();
const siteAnswers = async () =>
  (await fetch(`${stack.siteUrl}/api/contact`, { method: 'POST' }).catch(() => undefined))?.status;
const mailAnswers = async () => (await fetch(`${stack.mailUrl}/api/healthz`).catch(() => undefined))?.status;

/** Returns the IPv4 and IPv6 addresses at which a process listens, from /proc. */
function listensAt(pid: number): Set<string> {
  const own = new Set(readdirSync(`/proc/${pid}/fd`).map((fd) => linkOf(`/proc/${pid}/fd/${fd}`)));
  const rows = ['tcp', 'tcp6'].flatMap((table) =>
    readFileSync(`/proc/${pid}/net/${table}`, 'utf8').split('\n').slice(1),
  );
  return new Set(
    rows
      .map((row) => row.trim().split(/\s+/))
      .filter(([, , , state, , , , , , inode]) => state === '0A' && own.has(`socket:[${inode}]`))
      .map(([, local = '']) => (local.startsWith('0100007F:') ? '127.0.0.1' : local)),
  );
}

/** Returns the target of a descriptor, or an empty string if it has been closed. */
function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

test('npm start > writes a pid file and a log for each process', () => {
  expect(running()).toEqual(NAMES);
  expect(readdirSync(join(stack.dataDir, 'log')).sort()).toEqual(NAMES.map((name) => `${name}.log`));
});

test('npm start > is healthy for doctor, which finds the mail catcher', async () => {
  const env = { PATH: process.env['PATH'], DATA_DIR: stack.dataDir };
  const options = { cwd: root, encoding: 'utf8', env } as const;
  const doctor = spawnSync(process.execPath, ['scripts/run.mjs', 'scripts/stack/submissions.ts', 'doctor'], options);
  expect([doctor.status, doctor.stderr], doctor.stdout).toEqual([0, '']);
  expect(doctor.stdout).toContain('ok    mail server');
});

test('npm start > listens only on the loopback address, without an inbox by default', async () => {
  for (const name of NAMES) expect([name, listensAt(pidOf(name))]).toEqual([name, new Set(['127.0.0.1'])]);
  const inbox = await fetch(`${stack.siteUrl}/inbox`);
  expect([inbox.status, inbox.headers.get('www-authenticate')]).toEqual([404, null]);
  expect(await inbox.text()).toBe(await (await fetch(`${stack.siteUrl}/nothing`)).text());
});

for (const name of NAMES) {
  test(`npm start > restarts ${name} after kill -9`, async () => {
    const before = pidOf(name);
    process.kill(before, 'SIGKILL');
    // toPass instead of poll, which does not retry after an exception: the pid file is missing for a moment.
    await expect(() => expect(pidOf(name)).not.toBe(before)).toPass();
    // The service itself rejects an empty body, so nginx and api both work.
    await expect.poll(siteAnswers, { timeout: RESTART_MAX_MS }).toBeLessThan(500);
    await expect.poll(mailAnswers, { timeout: RESTART_MAX_MS }).toBe(200);
  });
}

test('npm start > prints process and addresses > the stack already runs', async () => {
  const { code, errors } = await failToStart({ DATA_DIR: stack.dataDir });
  const { port } = new URL(stack.siteUrl);
  expect([code, errors.split('. ')[0]]).toEqual([
    1,
    `The stack already runs here (process ${stack.pid}): Site http://localhost:${port}, Mail ${stack.mailUrl.replace('127.0.0.1', 'localhost')}`,
  ]);
});

test('npm start > does not rebuild > after a change of generated schemas', async () => {
  const written = join(root, 'frontend/content/schema/written.json');
  writeFileSync(written, '{}');
  try {
    expect((await failToStart({ DATA_DIR: stack.dataDir })).errors).not.toContain('Building');
  } finally {
    rmSync(written);
  }
});

test('npm start > ends orphaned processes, but no process with a reused pid', async () => {
  const left = running().map(pidOf);
  process.kill(stack.pid, 'SIGKILL');
  process.kill(pidOf('nginx'), 'SIGKILL');
  const stranger = spawn(...endingWithParent('SIGTERM', 'sleep', ['600']), { detached: true, stdio: 'ignore' });
  const register = join(stack.dataDir, 'run/stack.json');
  const { processes, ...rest } = JSON.parse(readFileSync(register, 'utf8')) as { readonly processes: object };
  // A start time that differs from that of the process.
  const leftover = `${stranger.pid}-1`;
  writeFileSync(register, JSON.stringify({ ...rest, processes: { ...processes, leftover } }));
  const { port } = new URL(stack.siteUrl);
  stack = await StackProcess.start({ DATA_DIR: stack.dataDir, PORT: port, MAIL_UI_PORT: new URL(stack.mailUrl).port });
  expect(left.map(identify).filter(Boolean)).toEqual([]);
  expect(stranger.kill()).toBe(true);
  expect(running()).toEqual(NAMES);
});

test('npm start > opens the site when forms work, and mails only on loopback', async () => {
  const [port = 0] = await freePorts(1);
  const starting = StackProcess.start({ PORT: String(port), HOST: '0.0.0.0' });
  const statuses = new Set<number | undefined>();
  const post = () => fetch(`http://127.0.0.1:${port}/api/contact`, { method: 'POST' }).then(({ status }) => status);
  for (let isOver = false; !isOver;) {
    statuses.add(await post().catch(() => undefined));
    isOver = await Promise.race([starting.then(() => true), pause(5, false)]);
  }
  const started = await starting;
  statuses.add(await post());
  const elsewhere = connect({ host: '127.0.0.2', port: Number(new URL(started.mailUrl).port) });
  await expect(once(elsewhere, 'connect'), 'the mails, which need no password').rejects.toThrow('ECONNREFUSED');
  await started.stop();
  expect([...statuses]).toEqual([undefined, 415]);
});

test('npm start > leaves no process and pid file > SIGTERM after its terminal closed', async () => {
  stack.stopReading();
  const started = running().map(pidOf);
  const { dataDir } = stack;
  await stack.stop();
  expect(started.map(identify).filter(Boolean)).toEqual([]);
  expect(identify(stack.pid)).toBeUndefined();
  stack = await StackProcess.start({ DATA_DIR: dataDir });
});

test('npm start > finishes a mail whose acceptance takes 12 s > SIGTERM', async () => {
  const mail = await MailServer.start();
  mail.answerAfterMs = 12_000;
  const started = await StackProcess.start({ SMTP_URL: mail.url });
  const body = new URLSearchParams({
    name: 'Ana Patient',
    email: 'ana@example.org',
    service: 'Web Development',
    message: 'An enquiry before the end.',
  });
  const { status } = await fetch(`${started.siteUrl}/api/contact`, { method: 'POST', body });
  await until('a complete message', () => mail.held === 1);
  await started.stop();
  expect([status, mail.received.length]).toEqual([202, 1]);
  await mail.stop();
});
