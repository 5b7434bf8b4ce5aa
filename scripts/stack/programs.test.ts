import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeTemporaryFolder } from '../../test-support/temporary-folder.ts';
import { installPackages } from './programs.ts';

let folder: string;
let log: string;

/** Replaces a program of the system by a script, which logs its arguments. */
function put(name: string, script: string): void {
  const file = join(folder, name);
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
}

/** Returns the commands that apt-get got. */
const commands = () => [...readFileSync(log, 'utf8').matchAll(/ (update|install)\b/g)].map(([, name = '']) => name);

beforeEach(() => {
  folder = makeTemporaryFolder();
  log = join(folder, 'log');
  writeFileSync(log, '');
  jest.replaceProperty(process, 'env', { ...process.env, PATH: `${folder}:${process.env.PATH}`, CI: 'true' });
  put('apt-get', `echo "$@" >> ${log}`);
  put('apt-cache', 'echo nginx');
  put('sudo', 'shift; exec "$@"');
  put('systemctl', '');
});
afterEach(() => rmSync(folder, { recursive: true }));

test('installPackages > installs with a fresh index of apt', async () => {
  await installPackages(['nginx']);
  expect(commands()).toEqual(['update', 'install']);
});

/** Runs the installation at a terminal of its own, with what the user types. Returns what the terminal shows. */
function installAtTerminal(input: string): string {
  const code = `import('./scripts/stack/programs.ts').then(({ installPackages }) => installPackages(['nginx'])).catch(({ message }) => console.log(message))`;
  const command = `"${process.execPath}" --disable-warning=ExperimentalWarning -e "${code}"`;
  const env = { ...process.env, CI: '' };
  return spawnSync('script', ['-qec', command, '/dev/null'], { input, encoding: 'utf8', env }).stdout;
}

test('installPackages > asks > a user is at the terminal', () => {
  const refused = 'Run "sudo apt-get install nginx", then run this command again.';
  expect(installAtTerminal('no\n')).toContain(refused);
  expect(commands()).toEqual([]);
  expect(installAtTerminal('\n')).toContain('Install nginx with apt? [Y/n] ');
  expect(commands()).toEqual(['update', 'install']);
});

test('installPackages > installs nothing unasked > not CI, not root, no terminal', async () => {
  delete process.env.CI;
  jest.spyOn(process, 'getuid').mockReturnValue(1_000);
  // Others have agreed to nginx.
  await expect(installPackages(['redis-server'])).rejects.toThrow('sudo apt-get install redis-server');
  expect(commands()).toEqual([]);
});
