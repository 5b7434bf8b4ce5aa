import { describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { languageProblems } from './language.ts';
import { shellScripts } from './shell-scripts.ts';
import { makeTemporaryFolder } from './temporary-folder.ts';

describe('files of the repository', () => {
  it('are checked before they are added, unless they are ignored or deleted', () => {
    const root = makeTemporaryFolder();
    const git = (...args: string[]) => execFileSync('git', ['-C', root, ...args]);
    const title = 'x'.repeat(91);
    for (const name of ['added', 'new', 'ignored', 'deleted']) {
      writeFileSync(join(root, `${name}.test.ts`), `it('${title}', () => {});\n`);
      writeFileSync(join(root, name), '#!/bin/sh\n');
    }
    writeFileSync(join(root, '.gitignore'), 'ignored*\n');
    git('init', '-q');
    git('add', 'added', 'added.test.ts', 'deleted', 'deleted.test.ts', '.gitignore');
    for (const file of ['deleted', 'deleted.test.ts']) rmSync(join(root, file));
    const places = languageProblems(root).map((problem) => problem.split(':')[0]);
    expect(places.toSorted()).toEqual(['added.test.ts', 'new.test.ts']);
    expect(shellScripts(root).toSorted()).toEqual(['added', 'new']);
    rmSync(root, { recursive: true });
  });
});
