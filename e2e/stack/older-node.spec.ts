import { expect, test } from '@playwright/test';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A Node.js from before it read TypeScript, as npm brings it for this machine. */
const OLD_NODE = ['exec', '--yes', '--prefer-offline', `--package=node-${process.platform}-${process.arch}@20`];

let path: string;
test.beforeAll(() => {
  try {
    const node = execFileSync('npm', [...OLD_NODE, '--', 'node', '-p', 'process.execPath'], { encoding: 'utf8' });
    path = [dirname(node.trim()), process.env.PATH].join(delimiter);
  } catch {
    test.skip(true, 'npm brings no Node.js 20 for this machine');
  }
});

const run = (args: readonly string[], settings: Readonly<Record<string, string>> = {}) =>
  execa('node', ['scripts/run.mjs', 'e2e/stack/which-node.ts', ...args], {
    cwd: root,
    env: { PATH: path, NODE_OPTIONS: '', ...settings },
    reject: false,
  });

test('where Node.js is too old, a command, its programs and npm run with the one that npm brings, as one line says', async () => {
  const { stdout, stderr, exitCode } = await run([]);
  expect(stderr).toMatch(/^Node\.js 22\.18 or newer is needed, and this is 20\.\S+: npm brings a newer one.*\.$/);
  const [own, ofPrograms, ofNpm] = stdout.split(' ');
  expect(own).toMatch(/^v2[4-9]\./);
  expect([ofPrograms, ofNpm, exitCode]).toEqual([own, own, 0]);
});

test('a signal reaches the command under the newer Node.js, and its status comes back', async () => {
  const command = run(['wait']);
  command.stdout.once('data', () => command.kill('SIGTERM'));
  expect((await command).exitCode).toBe(7);
});

test('where npm cannot bring a newer one either, the last line says which to install', async () => {
  const cache = mkdtempSync(join(tmpdir(), 'kitewright-npm-'));
  const { stdout, stderr, exitCode } = await run([], { npm_config_cache: cache, npm_config_offline: 'true' });
  rmSync(cache, { recursive: true, force: true });
  expect([stdout, exitCode]).toEqual(['', 1]);
  expect(stderr.split('\n').at(-1)).toMatch(/^npm has no node-\S+ for us \(see above\): please install Node\.js 24\.$/);
});
