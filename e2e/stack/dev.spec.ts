import { expect, test } from '@playwright/test';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root, StackProcess } from '../harness/stack-process.ts';

const WORKSPACES = ['frontend', 'form-service'];
const COPIED = [
  ...WORKSPACES,
  'scripts',
  'nginx',
  'e2e/package.json',
  'package.json',
  'package-lock.json',
  'tsconfig.base.json',
];

/** A clone of the work tree as it is, with the same packages: the files of the real one must not change while others are tested. */
function cloneWorkTree(): string {
  const clone = mkdtempSync(join(tmpdir(), 'kitewright-dev-'));
  const isSource = (path: string) => !/\/(dist|node_modules)$/.test(path);
  for (const path of COPIED) cpSync(join(root, path), join(clone, path), { recursive: true, filter: isSource });
  const packages = join(clone, 'node_modules');
  mkdirSync(packages);
  for (const name of readdirSync(join(root, 'node_modules')).filter((one) => one !== '.cache')) {
    const target = WORKSPACES.includes(name) ? join(clone, name) : join(root, 'node_modules', name);
    symlinkSync(target, join(packages, name));
  }
  for (const workspace of WORKSPACES.filter((one) => existsSync(join(root, one, 'node_modules'))))
    symlinkSync(join(root, workspace, 'node_modules'), join(clone, workspace, 'node_modules'));
  return clone;
}

test.describe.configure({ mode: 'serial' });

let clone: string;
let stack: StackProcess;
test.beforeAll(async () => {
  test.setTimeout(240_000);
  clone = cloneWorkTree();
  stack = await StackProcess.start({}, { root: clone, isWatching: true });
});
test.afterAll(async () => {
  await stack?.stop();
  rmSync(clone, { recursive: true, force: true });
});

function edit(file: string, from: string, to: string): void {
  const path = join(clone, file);
  const text = readFileSync(path, 'utf8');
  expect(text).toContain(from);
  writeFileSync(path, text.replace(from, to));
}

const read = async (path: string) =>
  (await fetch(stack.siteUrl + path, { headers: { accept: '*/*' } }).catch(() => undefined))?.text();

for (const [what, file, from, to, address] of [
  ['page', 'frontend/src/app/head.ts', '</title>', ' changed</title>', '/'],
  ['style sheet', 'frontend/src/styles/app.css', '@import', '.changed { color: red }\n@import', '/src/styles/app.css'],
  [
    'file of the service',
    'form-service/src/intake/http-error.ts',
    'There is nothing',
    'All has changed',
    '/api/nothing',
  ],
] as const) {
  test(`npm run dev shows a changed ${what} without being started again`, async () => {
    await expect.poll(() => read(address)).not.toContain('changed');
    edit(file, from, to);
    await expect.poll(() => read(address)).toContain('changed');
  });
}

test('npm run dev names a file that cannot be compiled, and goes on when it is mended', async () => {
  edit('form-service/src/intake/http-error.ts', 'All has changed', 'All has changed`');
  await expect.poll(() => stack.output).toMatch(/Unterminated|Expected|error/i);
  await expect.poll(() => read('/api/nothing')).toContain('All has changed');
  edit('form-service/src/intake/http-error.ts', 'All has changed`', 'All is mended');
  await expect.poll(() => read('/api/nothing')).toContain('mended');
});
