import { expect, test } from '@playwright/test';
import { mkdtempSync, readFileSync, readdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { identify } from '../../scripts/lock.mjs';
import { failToStart, startStack, type StackProcess } from '../harness/stack-process.ts';

const NAMES = ['api', 'mail', 'nginx', 'redis', 'worker'];

test.describe.configure({ mode: 'serial' });

let stack: StackProcess;
test.beforeAll(async () => {
  stack = await startStack();
});
test.afterAll(() => stack.stop());

const pidOf = (name: string) => Number(readFileSync(join(stack.dataDir, 'run', `${name}.pid`), 'utf8'));
const running = () =>
  readdirSync(join(stack.dataDir, 'run'))
    .filter((name) => name.endsWith('.pid'))
    .map((name) => name.replace('.pid', ''))
    .sort();
const siteAnswers = async () =>
  (await fetch(`${stack.siteUrl}/api/contact`, { method: 'POST' }).catch(() => undefined))?.status;
const mailAnswers = async () => (await fetch(`${stack.mailUrl}/api/healthz`).catch(() => undefined))?.status;

test('each process has its pid file and its log', () => {
  expect(running()).toEqual(NAMES);
  expect(readdirSync(join(stack.dataDir, 'log')).sort()).toEqual(NAMES.map((name) => `${name}.log`));
});

for (const name of NAMES) {
  test(`${name} is started again after kill -9`, async () => {
    const before = pidOf(name);
    process.kill(before, 'SIGKILL');
    // Not a poll, which gives up when it is thrown at: for a moment there is no pid file.
    await expect(() => expect(pidOf(name)).not.toBe(before)).toPass({ timeout: 20_000 });
    // An empty body is refused by the service itself, so every part in between works.
    await expect.poll(siteAnswers, { timeout: 20_000 }).toBeLessThan(500);
    await expect.poll(mailAnswers, { timeout: 20_000 }).toBe(200);
  });
}

test('a second start in the same folder says so in one line', async () => {
  const { code, errors } = await failToStart({ DATA_DIR: stack.dataDir });
  expect([code, errors]).toEqual([1, expect.stringMatching(/^Already running here \(process \d+\): .*\n$/)]);
});

test('a start after a crash clears away what was left, and goes on', async () => {
  const left = running().map(pidOf);
  process.kill(stack.pid, 'SIGKILL');
  process.kill(pidOf('nginx'), 'SIGKILL');
  const { port } = new URL(stack.siteUrl);
  stack = await startStack({ DATA_DIR: stack.dataDir, PORT: port, MAIL_UI_PORT: new URL(stack.mailUrl).port });
  expect(left.map(identify).filter(Boolean)).toEqual([]);
  expect(running()).toEqual(NAMES);
});

test('SIGTERM leaves no process and no pid file', async () => {
  const started = running().map(pidOf);
  const { dataDir } = stack;
  await stack.stop();
  expect(started.map(identify).filter(Boolean)).toEqual([]);
  expect(identify(stack.pid)).toBeUndefined();
  stack = await startStack({ DATA_DIR: dataDir });
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

  test('for wrong settings of the stack, all of them, without a value', async () => {
    const { code, errors } = await failToStart({ DATA_DIR: dataDir(), PORT: 'eighty', REDIS_URL: 'secret-host' });
    expect(code).toBe(1);
    expect(errors).toMatch(/^Wrong settings: PORT .*; REDIS_URL .*\.\n$/);
    expect(errors).not.toMatch(/eighty|secret/);
  });

  test('for wrong settings of the service', async () => {
    const { code, errors } = await failToStart({ DATA_DIR: dataDir(), RETENTION_DAYS: 'long', SALES_INBOX: 'nobody' });
    expect(code).toBe(1);
    expect(errors.trimEnd().split('\n')).toHaveLength(1);
    expect(errors).toMatch(/RETENTION_DAYS/);
    expect(errors).toMatch(/SALES_INBOX/);
  });
});
