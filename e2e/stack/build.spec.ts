import { expect, test } from '@playwright/test';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildChanged, isCurrent } from '../../scripts/stack/build.ts';
import { root } from '../harness/stack-process.ts';
import { cloneWorkTree } from '../harness/work-tree.ts';

test('build > is current > generated schemas have changed', async () => {
  await buildChanged(root, ['frontend']);
  const folder = join(root, 'frontend/content/schema');
  const written = join(folder, 'written.json');
  mkdirSync(folder, { recursive: true });
  writeFileSync(written, '{}');
  try {
    expect(isCurrent(root, 'frontend')).toBe(true);
  } finally {
    rmSync(written);
  }
});

test('build > of the site names the photo that is damaged, and ends', () => {
  const clone = cloneWorkTree();
  const photo = join(clone, 'frontend/content/images/broken.jpg');
  // The first by name, so that nothing else is encoded before.
  writeFileSync(
    photo,
    readFileSync(join(clone, 'frontend/content/images/services/agentic-ai.jpg')).subarray(0, 20_000),
  );
  const build = spawnSync('npm', ['run', 'build', '--workspace', 'frontend'], { cwd: clone, encoding: 'utf8' });
  expect([build.status, build.stderr]).toEqual([
    1,
    expect.stringContaining('content/images/broken.jpg:1: is damaged: '),
  ]);
  rmSync(clone, { recursive: true });
});
