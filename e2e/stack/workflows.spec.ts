import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { changelogProblems, workflowProblems } from '../../scripts/checks/workflows.ts';

/** One careless edit, and what must be found. */
const MISTAKES: readonly (readonly [file: string, from: RegExp, to: string, finding: RegExp])[] = [
  [
    '.github/workflows/release.yml',
    /login-action@[0-9a-f]{40} # v[\d.]+/,
    'login-action@v3',
    /release.yml: docker\/login-action@v3 is not pinned/,
  ],
  [
    '.github/workflows/checks.yml',
    /(checkout@[0-9a-f]{40}) # v[\d.]+/,
    '$1',
    /checks.yml: actions\/checkout@\w+ is not pinned/,
  ],
  [
    '.github/workflows/checks.yml',
    /checkout@[0-9a-f]{40}/,
    `checkout@${'0'.repeat(40)}`,
    /actions\/checkout is used in several versions/,
  ],
  [
    '.github/workflows/checks.yml',
    /permissions:\n {2}contents: read/,
    'permissions:\n  contents: write',
    /every job may write contents/,
  ],
  ['.github/workflows/release.yml', /permissions: \{\}\n/, '', /every job may write everything/],
  [
    '.github/workflows/release.yml',
    /contents: write\n/,
    'contents: write\n      packages: write\n',
    /announce may write packages/,
  ],
  ['.github/workflows/release.yml', /timeout-minutes: 60/, 'continue-on-error: false', /images has no time limit/],
  ['CHANGELOG.md', /## \[\d+\.\d+\.\d+\]/, '## [9.9.9]', /CHANGELOG.md has no section of/],
  ['e2e/package.json', /"version": "[\d.]+"/, '"version": "9.9.9"', /e2e is of version 9.9.9/],
];

const COPIED = [
  '.github/workflows',
  'CHANGELOG.md',
  'package.json',
  'frontend/package.json',
  'form-service/package.json',
  'e2e/package.json',
];

for (const [file, from, to, finding] of MISTAKES) {
  test(`a mistake in ${file} is found: ${finding.source}`, async ({}, { outputDir }) => {
    for (const path of COPIED) await cp(path, join(outputDir, path), { recursive: true });
    expect([...workflowProblems(outputDir), ...changelogProblems(outputDir)]).toEqual([]);
    const text = await readFile(file, 'utf8');
    expect(text).toMatch(from);
    await writeFile(join(outputDir, file), text.replace(from, to));
    expect([...workflowProblems(outputDir), ...changelogProblems(outputDir)].join('\n')).toMatch(finding);
  });
}
