import { expect, test } from '@playwright/test';
import { execa } from 'execa';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeTemporaryFolder } from '../../test-support/temporary-folder.ts';
import { endingWithParent } from '../../scripts/stack/end-with-parent.ts';
import { root } from '../harness/stack-process.ts';

const PROGRAM = `const { compileOnChange } = await import('${join(root, 'scripts/stack/compile.ts')}');
await compileOnChange(console.log, async () => {});
console.log('ready');`;

let folder: string;
let watcher: ReturnType<typeof watch>;

const watch = (cwd: string) =>
  execa(...endingWithParent('SIGTERM', process.execPath, ['--input-type=module', '-e', PROGRAM]), {
    cwd,
    reject: false,
  });
const write = (name: string, text: string) => writeFileSync(join(folder, 'form-service/src', name), text);
const compiled = (name: string) => join(folder, 'form-service/dist', name);

test.beforeEach(async () => {
  folder = makeTemporaryFolder();
  for (const watched of ['form-service/src', 'frontend/content']) mkdirSync(join(folder, watched), { recursive: true });
  write('old.ts', 'export const old = true;');
  watcher = watch(folder);
  await once(watcher.stdout, 'data');
});
test.afterEach(() => {
  watcher.kill();
  rmSync(folder, { recursive: true });
});

test('npm run dev > copies a template > its folder is new', async () => {
  mkdirSync(join(folder, 'form-service/src/added'));
  write('added/one.html', 'one');
  await expect.poll(() => existsSync(compiled('added/one.html'))).toBe(true);
});

test('npm run dev > compiles a change > that comes right after another one', async () => {
  for (const value of [1, 2, 3, 4, 5]) {
    write('old.ts', `export const old = ${value};`);
    const text = () => existsSync(compiled('old.js')) && readFileSync(compiled('old.js'), 'utf8');
    await expect.poll(text, { intervals: [1] }).toContain(`old = ${value}`);
  }
});

test('npm run dev > keeps a compiled file > an editor empties it before it writes', async () => {
  let said = '';
  watcher.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  write('old.ts', 'export const old = false;');
  await expect.poll(() => said).toContain('old.ts');
  write('old.ts', '');
  write('next.ts', 'export const next = true;');
  await expect.poll(() => said).toContain('next.ts');
  expect(readFileSync(compiled('old.js'), 'utf8')).toContain('false');
});
