import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeTemporaryFolder } from '../../test-support/temporary-folder.ts';
import { installPackages } from './programs.ts';

const { PATH, CI } = process.env;
let folder: string;

/** Replaces a program of the system by a script, which logs its arguments. */
function put(name: string, script: string): void {
  const file = join(folder, name);
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
}

/** Installs a package, and returns the commands that apt-get got. */
async function install(name = 'nginx'): Promise<string[]> {
  const log = join(folder, 'log');
  writeFileSync(log, '');
  await installPackages([name]).catch(() => undefined);
  return [...readFileSync(log, 'utf8').matchAll(/ (update|install)\b/g)].map(([, command = '']) => command);
}

beforeEach(() => {
  folder = makeTemporaryFolder();
  process.env.PATH = `${folder}:${PATH}`;
  process.env.CI = 'true';
  put('apt-get', `echo "$@" >> ${folder}/log`);
  put('apt-cache', 'echo nginx');
  put('sudo', 'shift; exec "$@"');
  put('systemctl', '');
});
afterEach(() => {
  process.env.PATH = PATH;
  if (CI === undefined) delete process.env.CI;
  else process.env.CI = CI;
  rmSync(folder, { recursive: true });
});
test('installPackages > installs with a fresh index of apt', async () => {
  expect(await install()).toEqual(['update', 'install']);
});

/** Runs the installation at a terminal of its own, with what the user types. Returns what the terminal shows, and the log of apt-get. */
function installAtTerminal(input: string) {
  const log = join(folder, 'log');
  writeFileSync(log, '');
  const code = `import('./scripts/stack/programs.ts').then(({ installPackages }) => installPackages(['nginx'])).catch(({ message }) => console.log(message))`;
  const command = `"${process.execPath}" --disable-warning=ExperimentalWarning -e "${code}"`;
  const env = { ...process.env, CI: '' };
  const { stdout } = spawnSync('script', ['-qec', command, '/dev/null'], { input, encoding: 'utf8', env });
  return { shown: stdout, log: readFileSync(log, 'utf8') };
}

test('installPackages > asks > a user is at the terminal', () => {
  const agreed = installAtTerminal('\n');
  expect(agreed.shown).toContain('Install nginx with apt? [Y/n] ');
  expect(agreed.log).toContain('install -y');
  const declined = installAtTerminal('no\n');
  expect(declined.shown).toContain('Run "sudo apt-get install nginx", then run this command again.');
  expect(declined.log).toBe('');
});

test('installPackages > installs nothing unasked > not CI, not root, no terminal', async () => {
  delete process.env.CI;
  const user = jest.spyOn(process, 'getuid').mockReturnValue(1_000);
  // Others have agreed to nginx.
  const installed = await install('redis-server');
  user.mockRestore();
  expect(installed).toEqual([]);
});
