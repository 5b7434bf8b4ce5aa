import { expect, test } from '@playwright/test';
import { execa } from 'execa';
import { once } from 'node:events';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeTemporaryFolder } from '../../scripts/checks/temporary-folder.ts';
import { endingWithParent } from '../../scripts/stack/end-with-parent.ts';
import { root } from '../harness/stack-process.ts';

const PROGRAM = `const { compileOnChange } = await import('${join(root, 'scripts/stack/compile.ts')}');
await compileOnChange(console.log, async () => {});
console.log('ready');`;

test('npm run dev > copies a template > its folder is new', async () => {
  const folder = makeTemporaryFolder();
  mkdirSync(join(folder, 'form-service/src'), { recursive: true });
  const program = endingWithParent('SIGTERM', process.execPath, ['--input-type=module', '-e', PROGRAM]);
  const watcher = execa(...program, { cwd: folder, reject: false });
  try {
    await once(watcher.stdout, 'data');
    mkdirSync(join(folder, 'form-service/src/added'));
    writeFileSync(join(folder, 'form-service/src/added/one.html'), 'one');
    await expect.poll(() => existsSync(join(folder, 'form-service/dist/added/one.html'))).toBe(true);
  } finally {
    watcher.kill();
    rmSync(folder, { recursive: true });
  }
});
