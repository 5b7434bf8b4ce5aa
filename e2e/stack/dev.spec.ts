import { expect, test } from '@playwright/test';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StackProcess } from '../harness/stack-process.ts';
import { cloneWorkTree } from '../harness/work-tree.ts';

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

/** Changes a file in its place, or replaces it by another one, as many editors and git do. */
function edit(file: string, from: string, to: string, isReplaced = false): void {
  const path = join(clone, file);
  const text = readFileSync(path, 'utf8');
  expect(text).toContain(from);
  const written = isReplaced ? `${path}.tmp` : path;
  writeFileSync(written, text.replace(from, to));
  if (isReplaced) renameSync(written, path);
}

const read = async (path: string) =>
  (await fetch(stack.siteUrl + path, { headers: { accept: '*/*' } }).catch(() => undefined))?.text();

for (const [what, file, from, to, address] of [
  ['page', 'frontend/src/app/head.ts', '</title>', ' changed</title>', '/'],
  ['style sheet', 'frontend/src/styles/app.css', '@import', '.changed { color: red }\n@import', '/src/styles/app.css'],
  ['file of the service', 'form-service/src/http/http-error.ts', 'words.notFound', "'All has changed'", '/api/nothing'],
] as const) {
  test(`npm run dev > shows a changed ${what} without a restart`, async () => {
    await expect.poll(() => read(address)).not.toContain('changed');
    edit(file, from, to);
    await expect.poll(() => read(address)).toContain('changed');
  });
}

const WORDS = 'frontend/content/wording.yaml';

test('npm run dev > shows changed words of a form > in page and service', async () => {
  const plain = async () => {
    const body = new URLSearchParams({ name: 'Ada' });
    const headers = { accept: 'text/html' };
    const answer = await fetch(`${stack.siteUrl}/api/contact`, { method: 'POST', body, headers }).catch(
      () => undefined,
    );
    return answer?.text();
  };
  edit(WORDS, 'label: Phone\n', 'label: Telephone\n');
  await expect.poll(() => read('/contact')).toContain('Telephone');
  await expect.poll(plain).toContain('Telephone');
});

test('npm run dev > shows each change > a file of the service is replaced twice', async () => {
  const file = 'form-service/src/http/http-error.ts';
  for (const [from, to] of [
    ['All has changed', 'All was replaced'],
    ['All was replaced', 'All has changed'],
  ] as const) {
    edit(file, from, to, true);
    await expect.poll(() => read('/api/nothing')).toContain(to);
  }
});

test('npm run dev > prints a mistake, and links to its place', async () => {
  const file = join(clone, 'frontend/content/jobs/kite-maker.md');
  writeFileSync(file, '---\ntitle: Kite Maker\napplyBy: 1 March\n---\n\nYou make kites.\n');
  const mistake = 'content/jobs/kite-maker.md:3: applyBy must be a date';
  await expect.poll(() => stack.output).toContain(mistake);
  await expect.poll(() => read('/careers')).toContain(mistake);
  // Vite's overlay links to the first mistake.
  expect(await read('/careers')).toContain(`"file":"${file}","line":2,`);
  rmSync(file);
  await expect.poll(() => read('/careers')).toContain('<h1');
});

test('npm run dev > prints a syntax error, and continues after the fix', async () => {
  const before = stack.output.length;
  edit('form-service/src/http/http-error.ts', 'All has changed', "All has changed'");
  await expect.poll(() => stack.output.slice(before)).toContain('Syntax Error');
  await expect.poll(() => read('/api/nothing')).toContain('All has changed');
  edit('form-service/src/http/http-error.ts', "All has changed'", 'All is fixed');
  await expect.poll(() => read('/api/nothing')).toContain('All is fixed');
});
