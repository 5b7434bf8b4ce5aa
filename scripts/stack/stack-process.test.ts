import { expect, test } from '@jest/globals';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../../form-service/test/until.ts';
import { makeTemporaryFolder } from '../../test-support/temporary-folder.ts';
import { StackProcess } from './stack-process.ts';

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test('StackProcess > loses no process > it is restarted twice at once', async () => {
  const folder = makeTemporaryFolder();
  const file = join(folder, 'pids');
  const pids = () => (existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1).map(Number) : []);
  const spec = {
    name: 'sleeper',
    command: 'sh',
    args: ['-c', `echo $$ >> ${file}; exec sleep 1000`],
    stopSignal: 'SIGTERM',
    isReady: async () => pids().some(isAlive),
  } as const;
  const failures: string[] = [];
  const stackProcess = new StackProcess(spec, join(folder, 'log'), (_process, reason) => failures.push(reason));
  await stackProcess.start();
  await Promise.all([stackProcess.restart(), stackProcess.restart()]);
  await until('three processes started', () => pids().length === 3);
  await stackProcess.stop(60_000);
  expect([pids().filter(isAlive), failures]).toEqual([[], []]);
  rmSync(folder, { recursive: true });
});
