import { closeSync, readdirSync, rmSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { RunFolder } from './run-folder.ts';
import { makeTemporaryFolder } from '../checks/temporary-folder.ts';

const MIB = 1024 * 1024;

let path: string;
let folder: RunFolder;

beforeEach(async () => {
  path = makeTemporaryFolder();
  folder = new RunFolder(path);
  await folder.claim();
});
afterEach(() => {
  folder.release();
  rmSync(path, { recursive: true });
});

const modeOf = (file: string) => (statSync(file).mode & 0o777).toString(8);

test('RunFolder > logs and state are readable by their user only', () => {
  closeSync(folder.openLog('api'));
  folder.add('api', process.pid);
  const files = [folder.logFile('api'), folder.pidFile('api'), join(path, 'run/stack.json')];
  expect(files.map(modeOf)).toEqual(['600', '600', '600']);
});

test('RunFolder > a log of more than 10 MiB is rotated at the next start', () => {
  const logs = () => readdirSync(join(path, 'log')).toSorted();
  for (const [bytes, expected] of [
    [10 * MIB, ['api.log']],
    [10 * MIB + 1, ['api.log', 'api.log.1']],
  ] as const) {
    closeSync(folder.openLog('api'));
    truncateSync(folder.logFile('api'), bytes);
    closeSync(folder.openLog('api'));
    expect(logs()).toEqual(expected);
  }
});
