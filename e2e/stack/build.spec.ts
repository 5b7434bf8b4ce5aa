import { expect, test } from '@playwright/test';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildChanged, isCurrent } from '../../scripts/stack/build.ts';
import { root } from '../harness/stack-process.ts';

test('build > is current > generated schemas have changed', () => {
  buildChanged(root, ['frontend']);
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
