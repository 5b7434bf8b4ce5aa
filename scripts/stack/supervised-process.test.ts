import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { makeTemporaryFolder } from '../checks/temporary-folder.ts';
import { reasonIn } from './log-reason.ts';
import { RunFolder } from './run-folder.ts';
import { StartError } from './start-error.ts';
import { SupervisedProcess } from './supervised-process.ts';

const AWAY = '{"level":"error","event":"database unavailable","cause":"DATABASE_URL: ECONNREFUSED"}';
const STARTED = '{"level":"info","event":"listening","url":"http://127.0.0.1:1"}';

test.each([
  [AWAY, 'database unavailable: DATABASE_URL: ECONNREFUSED'],
  [`${AWAY}\n${STARTED}`, 'database unavailable: DATABASE_URL: ECONNREFUSED'],
  [
    'The environment has mistakes:\n  A must be x\n  B must be y\n{"level":"error","event":"error","error":"SettingsError"}\n',
    'A must be x; B must be y',
  ],
  [
    'file:///api.ts:1\nthrow new Error("no")\n^\n\nTypeError: no\n    at file:///api.ts:1\n\nNode.js v24.1.0',
    'TypeError: no',
  ],
  ['Error [ERR_MODULE_NOT_FOUND]: Cannot find x', 'Error [ERR_MODULE_NOT_FOUND]: Cannot find x'],
  ['nginx: [emerg] bind() failed', 'nginx: [emerg] bind() failed'],
  [
    "1:M 26 Nov 2026 12:00:00.000 # Can't open the log: denied",
    "1:M 26 Nov 2026 12:00:00.000 # Can't open the log: denied",
  ],
  [STARTED, undefined],
  ['1:M * Ready to accept connections', undefined],
  ['', undefined],
])('reasonIn > finds what stops a start > %j', (log, reason) => {
  expect(reasonIn(log)).toBe(reason);
});

let path: string;
let folder: RunFolder;
let said: string[];

beforeEach(async () => {
  path = makeTemporaryFolder();
  folder = new RunFolder(path);
  await folder.claim();
  said = [];
});
afterEach(() => {
  folder.release();
  rmSync(path, { recursive: true });
});

/** A process of Node.js that never becomes ready. */
const running = (code: string, { onSay = () => {}, hintAfterMs = 50 } = {}) => {
  const isReady = async () => false;
  const spec = { name: 'api', command: process.execPath, args: ['-e', code], stopSignal: 'SIGTERM', isReady } as const;
  const say = (sentence: string) => {
    said.push(sentence);
    onSay();
  };
  return new SupervisedProcess(spec, folder, say, hintAfterMs);
};

test('SupervisedProcess > says once what it waits for > it does not become ready', async () => {
  const api = running(`console.log(${JSON.stringify(AWAY)}); setInterval(() => {}, 1000)`);
  const started = api.start();
  const enoughMs = 20_000;
  for (const until = Date.now() + enoughMs; said.length === 0 && Date.now() < until;)
    await new Promise((resolve) => setTimeout(resolve, 20));
  await new Promise((resolve) => setTimeout(resolve, 200));
  await api.stop(1_000);
  await started;
  expect(said).toEqual(['api waits: database unavailable: DATABASE_URL: ECONNREFUSED']);
});

test('SupervisedProcess > says its reason once > it ends after it has waited', async () => {
  const gone = JSON.stringify({ level: 'error', event: 'queue unavailable' });
  for (const [atEnd, message] of [
    ['', /^api did not start\. See /],
    [`console.log(${JSON.stringify(gone)});`, /^api did not start: queue unavailable \(/],
  ] as const) {
    said = [];
    // It ends once the hint has been given.
    const file = join(path, 'said');
    const end = `if (require('node:fs').existsSync(${JSON.stringify(file)})) { ${atEnd} process.exit(1); }`;
    const waiting = running(`console.log(${JSON.stringify(AWAY)}); setInterval(() => { ${end} }, 5)`, {
      onSay: () => writeFileSync(file, ''),
    });
    await expect(waiting.start()).rejects.toThrow(message);
    expect(said).toEqual(['api waits: database unavailable: DATABASE_URL: ECONNREFUSED']);
    rmSync(file);
  }
});

test('SupervisedProcess > fails with the reason of this run > an earlier one had another', async () => {
  // Not before the end, also on a busy machine.
  const hintAfterMs = 60_000;
  const wrong = 'console.error("The environment has mistakes:\\n  A must be x"); process.exitCode = 1';
  await expect(running(wrong, { hintAfterMs }).start()).rejects.toThrow('api did not start: A must be x (');
  const second = running('throw new RangeError("no such thing")', { hintAfterMs }).start();
  await expect(second).rejects.toThrow(StartError);
  await expect(second).rejects.toThrow('api did not start: RangeError: no such thing (');
});
