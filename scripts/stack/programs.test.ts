import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { chmodSync, existsSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeTemporaryFolder } from '../../test-support/temporary-folder.ts';
import { installPackages } from './programs.ts';

const { PATH } = process.env;
let folder: string;
let stamp: string;

/** Replaces a program of the system by a script, which logs its arguments. */
function put(name: string, script: string): void {
  const file = join(folder, name);
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
}

/** Installs a package, and returns the commands that apt-get got. */
async function install(): Promise<string[]> {
  const log = join(folder, 'log');
  writeFileSync(log, '');
  await installPackages(['nginx'], [], stamp).catch(() => undefined);
  return [...readFileSync(log, 'utf8').matchAll(/ (update|install)\b/g)].map(([, command = '']) => command);
}

beforeEach(() => {
  folder = makeTemporaryFolder();
  stamp = join(folder, 'cache/stamp');
  process.env.PATH = `${folder}:${PATH}`;
  put('apt-get', `echo "$@" >> ${folder}/log; case "$*" in *"$(cat ${folder}/failing)"*) exit 1; esac`);
  put('apt-cache', 'echo nginx');
  put('sudo', 'shift; exec "$@"');
  put('systemctl', '');
  fail('nothing');
});
afterEach(() => {
  process.env.PATH = PATH;
  rmSync(folder, { recursive: true });
});
/** Makes the command of apt-get with this argument fail. */
const fail = (argument: string) => writeFileSync(join(folder, 'failing'), argument);

test('installPackages > updates the index once an hour', async () => {
  expect([await install(), await install()]).toEqual([['update', 'install'], ['install']]);
  const hourAgo = Date.now() / 1_000 - 3_600;
  utimesSync(stamp, hourAgo, hourAgo);
  expect(await install()).toEqual(['update', 'install']);
});

test('installPackages > updates a recent index > it lacks a package', async () => {
  await install();
  fail('install');
  expect(await install()).toEqual(['install', 'update', 'install']);
});

test('installPackages > updates again > the update has failed', async () => {
  fail('update');
  expect([await install(), existsSync(stamp)]).toEqual([['update', 'install'], false]);
  expect(await install()).toEqual(['update', 'install']);
});
