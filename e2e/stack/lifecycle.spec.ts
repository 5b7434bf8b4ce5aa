import { expect, test } from '@playwright/test';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { dirname, join } from 'node:path';
import { MailServer } from '../../form-service/test/mail-server.ts';
import { until } from '../../form-service/test/until.ts';
import { makeTemporaryFolder } from '../../scripts/checks/temporary-folder.ts';
import { endingWithParent } from '../../scripts/stack/end-with-parent.ts';
import { freePorts } from '../../scripts/stack/ports.ts';
import { identify } from '../../scripts/stack/process-group.ts';
import { refusalOf, root, StackProcess } from '../harness/stack-process.ts';
import { SERVICE } from '../../form-service/test/services.ts';

/** Detects hangs: a process restarts within seconds, on a busy machine later. */
const RESTART_MAX_MS = 120_000;

const NAMES = ['api', 'mail', 'nginx', 'redis', 'worker'];

// All tests share one stack, which takes longer to start than any of them. After a failure the next ones get a new one.
test.describe.configure({ mode: 'default' });

let stack: StackProcess;
/** Answers to a post, or undefined without one, from the start of the first process until the stack was ready. */
const statuses = new Set<number | undefined>();
test.beforeAll(async () => {
  // nginx, Redis, SQLite and URLs each have their own quoting of paths.
  const dataDir = join(makeTemporaryFolder(), "it's My 50% Projects; {ü}");
  const [port = 0] = await freePorts(1);
  const starting = StackProcess.start({ DATA_DIR: dataDir, PORT: String(port) });
  const post = () => fetch(`http://127.0.0.1:${port}/api/contact`, { method: 'POST' }).then(({ status }) => status);
  for (let isReady = false; !isReady;) {
    statuses.add(await post().catch(() => undefined));
    isReady = await Promise.race([starting.then(() => true), pause(5, false)]);
  }
  stack = await starting;
  statuses.add(await post());
});
test.afterAll(async () => {
  await stack?.stop();
  rmSync(dirname(stack.dataDir), { recursive: true });
});

const pidOf = (name: string, { dataDir } = stack) => Number(readFileSync(join(dataDir, 'run', `${name}.pid`), 'utf8'));
/** Names of the processes that have a pid file. */
const running = ({ dataDir } = stack) =>
  readdirSync(join(dataDir, 'run'))
    .filter((name) => name.endsWith('.pid'))
    .map((name) => name.replace('.pid', ''))
    .sort();
const siteAnswers = async () =>
  (await fetch(`${stack.siteUrl}/api/contact`, { method: 'POST' }).catch(() => undefined))?.status;
const mailAnswers = async () => (await fetch(`${stack.mailUrl}/api/healthz`).catch(() => undefined))?.status;

/** Returns the addresses other than loopback, and `loopback` for these, at which a process listens, from /proc. */
function listensAt(pid: number): Set<string> {
  const own = new Set(readdirSync(`/proc/${pid}/fd`).map((fd) => linkOf(`/proc/${pid}/fd/${fd}`)));
  const rows = ['tcp', 'tcp6'].flatMap((table) =>
    readFileSync(`/proc/${pid}/net/${table}`, 'utf8').split('\n').slice(1),
  );
  return new Set(
    rows
      .map((row) => row.trim().split(/\s+/))
      .filter(([, , , state, , , , , , inode]) => state === '0A' && own.has(`socket:[${inode}]`))
      .map(([, local = '']) => (/^(?:0100007F|0{24}01000000):/.test(local) ? 'loopback' : local)),
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

test('npm start > opens the site > forms work', () => expect([...statuses]).toEqual([undefined, 415]));

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
  for (const name of NAMES) expect([name, listensAt(pidOf(name))]).toEqual([name, new Set(['loopback'])]);
  const { status } = await fetch(`${stack.siteUrl.replace('127.0.0.1', '[::1]')}/about`);
  expect(status, 'localhost can be the address of IPv6').toBe(200);
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
  const { port } = new URL(stack.siteUrl);
  const addresses = `Site http://localhost:${port}, Mail ${stack.mailUrl.replace('127.0.0.1', 'localhost')}`;
  const refusal = await refusalOf({ DATA_DIR: stack.dataDir, PORT: port });
  expect(refusal.split('. ')[0]).toBe(`The stack already runs here (process ${stack.pid}): ${addresses}`);
});

test.describe('npm start after a crash', () => {
  let left: readonly number[];
  let stranger: ChildProcess;
  test.beforeAll(async () => {
    left = running().map((name) => pidOf(name));
    process.kill(stack.pid, 'SIGKILL');
    process.kill(pidOf('nginx'), 'SIGKILL');
    stranger = spawn(...endingWithParent('SIGTERM', 'sleep', ['600']), { detached: true, stdio: 'ignore' });
    const register = join(stack.dataDir, 'run/stack.json');
    const { processes, ...rest } = JSON.parse(readFileSync(register, 'utf8')) as { readonly processes: object };
    // A start time that differs from that of the process.
    const leftover = `${stranger.pid}-1`;
    writeFileSync(register, JSON.stringify({ ...rest, processes: { ...processes, leftover } }));
    const ports = { PORT: new URL(stack.siteUrl).port, MAIL_UI_PORT: new URL(stack.mailUrl).port };
    stack = await StackProcess.start({ DATA_DIR: stack.dataDir, HOST: '0.0.0.0', ...ports });
  });
  test.afterAll(() => void stranger.kill());

  test('ends orphaned processes, but no process with a reused pid', () => {
    expect(left.map(identify).filter(Boolean)).toEqual([]);
    expect(identify(stranger.pid ?? 0)).toBeDefined();
    expect(running()).toEqual(NAMES);
  });

  test('shows the site at every address, and the mails only on loopback > HOST is 0.0.0.0', async () => {
    const reach = async (url: string) => {
      const { port } = new URL(url);
      const socket = connect({ host: '127.0.0.2', port: Number(port) });
      return once(socket, 'connect').then(() => socket.destroy());
    };
    await reach(stack.siteUrl);
    await expect(reach(stack.mailUrl), 'the mails, which need no password').rejects.toThrow('ECONNREFUSED');
  });
});

test('npm start > finishes a slow mail and leaves no process > SIGTERM, terminal closed', async () => {
  const mail = await MailServer.start();
  mail.answerAfterMs = 12_000;
  const started = await StackProcess.start({ SMTP_URL: mail.url });
  const processes = running(started).map((name) => pidOf(name, started));
  const body = new URLSearchParams({
    name: 'Ana Patient',
    email: 'ana@example.org',
    service: SERVICE,
    message: 'An enquiry before the end.',
  });
  const { status } = await fetch(`${started.siteUrl}/api/contact`, { method: 'POST', body });
  await until('a complete message', () => mail.held === 1);
  started.stopReading();
  await started.stop();
  expect([status, mail.received.length]).toEqual([202, 1]);
  expect([started.pid, ...processes].map(identify).filter(Boolean)).toEqual([]);
  expect(existsSync(join(started.dataDir, 'run'))).toBe(false);
  await mail.stop();
});
