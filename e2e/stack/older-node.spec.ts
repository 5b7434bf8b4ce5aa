import { expect, test } from '@playwright/test';
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { delimiter, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { makeTemporaryFolder } from '../../scripts/checks/temporary-folder.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** npm command that runs Node.js 20, which does not support TypeScript. */
const OLD_NODE = ['exec', '--yes', '--prefer-offline', `--package=node-${process.platform}-${process.arch}@20`];

let path: string;
test.beforeAll(() => {
  try {
    const node = execFileSync('npm', [...OLD_NODE, '--', 'node', '-p', 'process.execPath'], { encoding: 'utf8' });
    path = [dirname(node.trim()), process.env.PATH].join(delimiter);
  } catch {
    test.skip(true, 'npm has no Node.js 20 for this machine');
  }
});

const run = (args: readonly string[], settings: Readonly<Record<string, string>> = {}) =>
  execa('node', ['scripts/run.mjs', 'e2e/stack/which-node.ts', ...args], {
    cwd: root,
    env: { PATH: path, NODE_OPTIONS: '', ...settings },
    reject: false,
  });

test('old Node.js > runs the command, its children and npm with a newer one', async () => {
  const { stdout, stderr, exitCode } = await run([]);
  expect(stderr).toMatch(/^This is Node\.js 20\.\S+, and 22\.18 or newer is required\. npm downloads a newer one.*\.$/);
  const [own, ofPrograms, ofNpm] = stdout.split(' ');
  expect(own).toMatch(/^v2[4-9]\./);
  expect([ofPrograms, ofNpm, exitCode]).toEqual([own, own, 0]);
});

test('old Node.js > passes on signals and the exit code', async () => {
  const command = run(['wait']);
  command.stdout.once('data', () => command.kill('SIGTERM'));
  expect((await command).exitCode).toBe(7);
});

test('old Node.js > prints the version to install > npm is offline', async () => {
  const cache = makeTemporaryFolder();
  const { stdout, stderr, exitCode } = await run([], { npm_config_cache: cache, npm_config_offline: 'true' });
  rmSync(cache, { recursive: true, force: true });
  expect([stdout, exitCode]).toEqual(['', 1]);
  expect(stderr.split('\n').at(-1)).toMatch(/^npm could not download node-\S+ \(see above\)\. Install Node\.js 24\.$/);
});
