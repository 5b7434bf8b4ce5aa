import { expect, test } from '@playwright/test';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { identify } from '../../scripts/lock.mjs';

const LOCK = fileURLToPath(new URL('../../scripts/lock.mjs', import.meta.url));

let folder: string;
test.beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kitewright-lock-'));
});
test.afterEach(() => rmSync(folder, { recursive: true }));

const lock = () => join(folder, 'the.lock');

/** Processes that each take the lock some times, and note where they find another one in what it guards. */
async function contend(processes: number, times: number): Promise<string> {
  const guarded = join(folder, 'guarded');
  const script = `
    import { mkdirSync, rmdirSync, appendFileSync } from 'node:fs';
    const { withLock } = await import(${JSON.stringify(LOCK)});
    for (let time = 0; time < ${times}; time++)
      withLock(${JSON.stringify(lock())}, 'tests', () => {
        try { mkdirSync(${JSON.stringify(guarded)}); } catch { appendFileSync(${JSON.stringify(join(folder, 'met'))}, 'two at once '); }
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
        rmdirSync(${JSON.stringify(guarded)});
      });`;
  const all = Array.from({ length: processes }, () =>
    spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'ignore' }),
  );
  const codes = await Promise.all(all.map(async (one) => (await once(one, 'close'))[0]));
  expect(codes).toEqual(all.map(() => 0));
  return existsSync(join(folder, 'met')) ? readFileSync(join(folder, 'met'), 'utf8') : 'one at a time';
}

test('never do two processes hold a lock at once, and none is left at the end', async () => {
  expect(await contend(6, 10)).toBe('one at a time');
  expect(existsSync(lock())).toBe(false);
});

for (const [left, entry] of [
  ['by a process that is gone', () => `${spawnSync('true').pid}-1`],
  ['by an earlier process with the number of one that runs', () => `${process.pid}-1`],
  ['empty, by one that died as it took it', () => undefined],
] as const) {
  test(`a lock that was left ${left} is taken by one process`, async () => {
    mkdirSync(lock());
    const name = entry();
    if (name !== undefined) writeFileSync(join(lock(), name), '');
    expect(await contend(4, 2)).toBe('one at a time');
  });
}

test('a lock is waited for while its process runs, and the wait says for whom', async () => {
  mkdirSync(lock());
  const own = join(lock(), identify(process.pid) ?? '');
  writeFileSync(own, '');
  const script = `(await import(${JSON.stringify(LOCK)})).withLock(${JSON.stringify(lock())}, 'tests', () => console.log('in'))`;
  const waiting = spawn(process.execPath, ['--input-type=module', '-e', script]);
  const [said] = await once(waiting.stderr, 'data');
  expect(String(said)).toBe(`Waiting for process ${process.pid}, which tests ...\n`);
  rmSync(own);
  const [result] = await once(waiting.stdout, 'data');
  expect(String(result)).toBe('in\n');
  await once(waiting, 'close');
});
