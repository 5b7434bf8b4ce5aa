import { expect, test } from '@playwright/test';
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { makeTemporaryFolder } from '../../test-support/temporary-folder.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

const NODE_VERSION = readFileSync(join(root, '.node-version'), 'utf8').trim();

/** npm command that runs Node.js 20, which does not support TypeScript. */
const OLD_NODE = ['exec', '--yes', '--prefer-offline', `--package=node-${process.platform}-${process.arch}@20.20.2`];

/** PATH with Node.js 20 first. */
let path: string;
let folder: string;
test.beforeAll(() => {
  folder = makeTemporaryFolder();
  try {
    const node = execFileSync('npm', [...OLD_NODE, '--', 'node', '-p', 'process.execPath'], { encoding: 'utf8' });
    path = [dirname(node.trim()), process.env.PATH].join(delimiter);
  } catch {
    test.skip(true, 'npm has no Node.js 20 for this machine');
  }
});

test.afterAll(() => rmSync(folder, { recursive: true }));

const run = (programs = path) =>
  execa('node', ['scripts/run.mjs', 'e2e/stack/which-node.ts'], {
    cwd: root,
    env: { PATH: programs, NODE_OPTIONS: '' },
    reject: false,
  });

test('old Node.js > runs the command, its children and npm with a newer one', async () => {
  const { stdout, stderr, exitCode } = await run();
  expect(stderr).toMatch(
    /^This is Node\.js 20\.\S+, and 22\.18 or newer is required\. npm downloads \S+ into its cache\.$/,
  );
  const [own, ofPrograms, ofNpm] = stdout.split(' ');
  expect(own).toBe(`v${NODE_VERSION}`);
  expect([ofPrograms, ofNpm, exitCode]).toEqual([own, own, 0]);
});

test('old Node.js > prints the version to install > npm is offline', async () => {
  writeFileSync(join(folder, 'npm'), '#!/bin/sh\necho "npm error code ENOTCACHED" >&2; exit 1\n', { mode: 0o755 });
  const { stdout, stderr, exitCode } = await run([folder, path].join(delimiter));
  expect([stdout, exitCode]).toEqual(['', 1]);
  const [, error, last] = stderr.split('\n');
  expect(error).toBe('npm error code ENOTCACHED');
  const wanted = `node-${process.platform}-${process.arch}@${NODE_VERSION}`;
  expect(last).toBe(`npm could not download ${wanted} (see above). Install Node.js ${NODE_VERSION}.`);
});
