import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { changelogProblems, workflowProblems } from '../../scripts/checks/workflows.ts';

/** Careless edits, and what must be found: FILE: PATTERN => TO => FINDING. */
const MISTAKES = String.raw`
.github/workflows/release.yml: login-action@\w{40} # v[\d.]+ => login-action@v3 => login-action@v3 is not pinned
.github/workflows/checks.yml: (checkout@\w{40}) # v[\d.]+ => $1 => is not pinned to a commit, with its version
.github/workflows/checks.yml: checkout@\w{8} => checkout@00000000 => actions/checkout is used in several versions
.github/workflows/checks.yml: (?<=^permissions:\s+contents: )read => write => every job may write contents
.github/workflows/release.yml: ^permissions: \{\} => on_purpose: {} => every job may write everything
.github/workflows/release.yml: contents: write => packages: write => announce may write packages
.github/workflows/release.yml: timeout-minutes: 60 => continue-on-error: false => images has no time limit
CHANGELOG.md: ## \[\d+\.\d+\.\d+\] => ## [9.9.9] => CHANGELOG.md has no section of
e2e/package.json: "version": "[\d.]+" => "version": "9.9.9" => e2e is of version 9.9.9`;

const COPIED = [
  '.github/workflows',
  'CHANGELOG.md',
  'package.json',
  'frontend/package.json',
  'form-service/package.json',
  'e2e/package.json',
];

for (const mistake of MISTAKES.trim().split('\n')) {
  test(`a mistake is found: ${mistake}`, async ({}, { outputDir }) => {
    const [, file = '', from = '', to = '', finding = ''] = /^(\S+): (.+) => (.+) => (.+)$/.exec(mistake) ?? [];
    for (const path of COPIED) await cp(path, join(outputDir, path), { recursive: true });
    expect([...workflowProblems(outputDir), ...changelogProblems(outputDir)]).toEqual([]);
    const pattern = new RegExp(from, 'm');
    const text = await readFile(file, 'utf8');
    expect(text).toMatch(pattern);
    await writeFile(join(outputDir, file), text.replace(pattern, to));
    expect([...workflowProblems(outputDir), ...changelogProblems(outputDir)].join('\n')).toContain(finding);
  });
}
