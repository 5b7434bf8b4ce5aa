import { expect, test } from '@playwright/test';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { join } from 'node:path';
import { freePorts } from '../../scripts/stack/ports.ts';
import { identify } from '../../scripts/stack/process-group.ts';
import { findProgram } from '../../scripts/stack/programs.ts';
import { failToStart, root, StackProcess } from '../harness/stack-process.ts';

/** Ends what is stuck: a process is back within seconds, or as soon as a busy machine has started it. */
const LIMIT_MS = 120_000;

const NAMES = ['api', 'mail', 'nginx', 'redis', 'worker'];

test.describe.configure({ mode: 'serial' });

let stack: StackProcess;
test.beforeAll(async () => {
  stack = await StackProcess.start();
});
test.afterAll(() => stack?.stop());

const pidOf = (name: string) => Number(readFileSync(join(stack.dataDir, 'run', `${name}.pid`), 'utf8'));
const running = () =>
  readdirSync(join(stack.dataDir, 'run'))
    .filter((name) => name.endsWith('.pid'))
    .map((name) => name.replace('.pid', ''))
    .sort();
const siteAnswers = async () =>
  (await fetch(`${stack.siteUrl}/api/contact`, { method: 'POST' }).catch(() => undefined))?.status;
const mailAnswers = async () => (await fetch(`${stack.mailUrl}/api/healthz`).catch(() => undefined))?.status;

/** The IPv4 and IPv6 addresses at which a process listens, as Linux lists them. */
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

/** What an open file is; one that was closed meanwhile is nothing. */
function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

test('each process has its pid file and its log', () => {
  expect(running()).toEqual(NAMES);
  expect(readdirSync(join(stack.dataDir, 'log')).sort()).toEqual(NAMES.map((name) => `${name}.log`));
});

test('nothing of it can be reached from another machine, and without users there is no inbox', async () => {
  for (const name of NAMES) expect([name, listensAt(pidOf(name))]).toEqual([name, new Set(['127.0.0.1'])]);
  const inbox = await fetch(`${stack.siteUrl}/inbox`);
  expect([inbox.status, inbox.headers.get('www-authenticate')]).toEqual([404, null]);
});

for (const name of NAMES) {
  test(`${name} is started again after kill -9`, async () => {
    const before = pidOf(name);
    process.kill(before, 'SIGKILL');
    // Not a poll, which gives up when it is thrown at: for a moment there is no pid file.
    await expect(() => expect(pidOf(name)).not.toBe(before)).toPass();
    // An empty body is refused by the service itself, so every part in between works.
    await expect.poll(siteAnswers, { timeout: LIMIT_MS }).toBeLessThan(500);
    await expect.poll(mailAnswers, { timeout: LIMIT_MS }).toBe(200);
  });
}

test('a second start in the same folder says in one line which process runs, and where', async () => {
  const { code, errors } = await failToStart({ DATA_DIR: stack.dataDir });
  const { port } = new URL(stack.siteUrl);
  expect([code, errors.split('. ')[0]]).toEqual([
    1,
    `Already running here (process ${stack.pid}): Site http://localhost:${port}, Mail ${stack.mailUrl.replace('127.0.0.1', 'localhost')}`,
  ]);
});

test('what a build writes for editors of the content is no reason to build again', async () => {
  const written = join(root, 'frontend/content/schema/written.json');
  writeFileSync(written, '{}');
  try {
    expect((await failToStart({ DATA_DIR: stack.dataDir })).errors).not.toContain('Building');
  } finally {
    rmSync(written);
  }
});

test('a start after a crash clears away what was left, spares who has got the number of one of them, and goes on', async () => {
  const left = running().map(pidOf);
  process.kill(stack.pid, 'SIGKILL');
  process.kill(pidOf('nginx'), 'SIGKILL');
  const stranger = spawn('sleep', ['600'], { detached: true, stdio: 'ignore' });
  const register = join(stack.dataDir, 'run/stack.json');
  const { processes, ...rest } = JSON.parse(readFileSync(register, 'utf8')) as { readonly processes: object };
  // Began at another time than what was noted.
  const leftover = `${stranger.pid}-1`;
  writeFileSync(register, JSON.stringify({ ...rest, processes: { ...processes, leftover } }));
  const { port } = new URL(stack.siteUrl);
  stack = await StackProcess.start({ DATA_DIR: stack.dataDir, PORT: port, MAIL_UI_PORT: new URL(stack.mailUrl).port });
  expect(left.map(identify).filter(Boolean)).toEqual([]);
  expect(stranger.kill()).toBe(true);
  expect(running()).toEqual(NAMES);
});

test('whoever is answered while it starts can also send something, and caught mails are for this machine alone', async () => {
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

test('SIGTERM leaves no process and no pid file, also when nobody reads any more what npm start says', async () => {
  stack.stopReading();
  const started = running().map(pidOf);
  const { dataDir } = stack;
  await stack.stop();
  expect(started.map(identify).filter(Boolean)).toEqual([]);
  expect(identify(stack.pid)).toBeUndefined();
  stack = await StackProcess.start({ DATA_DIR: dataDir });
});

test.describe('a start that cannot work is one clear line', () => {
  const dataDir = () => mkdtempSync(join(tmpdir(), 'kitewright-e2e-'));

  test('for a port in use', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await new Promise((listening) => taken.once('listening', listening));
    const address = taken.address();
    const port = typeof address === 'object' ? String(address?.port) : '';
    const { code, errors } = await failToStart({ DATA_DIR: dataDir(), PORT: port });
    taken.close();
    expect([code, errors]).toEqual([
      1,
      `Port ${port} is in use: stop what listens there, or set PORT to another port.\n`,
    ]);
  });

  test('for a full disk', async () => {
    test.skip(process.getuid?.() !== 0, 'root is needed to mount a small disk');
    const disk = dataDir();
    expect(spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=10M', 'tmpfs', disk]).status).toBe(0);
    const { code, errors } = await failToStart({ DATA_DIR: disk });
    spawnSync('umount', ['--lazy', disk]);
    expect([code, errors]).toEqual([1, `The disk of ${disk} is full: 10 MB are free, and a start needs 32 MB.\n`]);
  });

  test('for a folder that cannot be written', async () => {
    const { code, errors } = await failToStart({ DATA_DIR: '/dev/null/data' });
    expect([code, errors]).toEqual([1, 'Cannot write /dev/null/data (ENOTDIR).\n']);
  });

  test('for a machine without nginx, where none can be installed', async () => {
    test.skip(process.getuid?.() !== 0, 'root is needed to hide programs');
    const hidden = ['nginx', 'apt-get'].flatMap((name) => findProgram(name) ?? []);
    const hide = hidden.map((path) => `mount --bind /dev/null ${path}`).join(' && ');
    const start = `${hide} && exec ${process.execPath} scripts/run.mjs scripts/stack/start.ts`;
    const { status, stderr } = spawnSync('unshare', ['--mount', 'sh', '-c', start], {
      env: { PATH: process.env.PATH, DATA_DIR: dataDir() },
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([
      1,
      "Please install: nginx (with your system's package manager), then run this again.\n",
    ]);
  });

  test('for wrong settings of the stack and of the service, all of them, without a value', async () => {
    const wrong = { PORT: 'eighty', REDIS_URL: 'secret-host', RETENTION_DAYS: 'long' };
    const { code, errors } = await failToStart({ DATA_DIR: dataDir(), ...wrong });
    expect(code).toBe(1);
    expect(errors).toMatch(/^Wrong settings: PORT .*; REDIS_URL .*; RETENTION_DAYS .*\.\n$/);
    expect(errors).not.toMatch(/eighty|secret|long/);
  });
});
