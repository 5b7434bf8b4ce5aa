import { expect, test } from '@playwright/test';
import { execa } from 'execa';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeTemporaryFolder } from '../../test-support/temporary-folder.ts';
import { root } from '../harness/stack-process.ts';

/** Fake program: adds a line to `calls`. The call with the number $FAILS_AT fails. */
const RECORDED = `#!/bin/bash
echo "\${0##*/} $*" >> "$FOLDER/calls"
[ "$(wc -l < "$FOLDER/calls")" != "$FAILS_AT" ] || exit 1
`;

let folder: string;

test.beforeEach(() => {
  folder = makeTemporaryFolder();
  for (const name of ['bin', 'scripts']) mkdirSync(join(folder, name));
  for (const program of ['bin/docker', 'bin/git', 'scripts/backup-drill', 'scripts/update', 'scripts/make-secrets'])
    writeFileSync(join(folder, program), RECORDED, { mode: 0o755 });
  writeFileSync(join(folder, 'bin/restic'), '#!/bin/sh\n', { mode: 0o755 });
  for (const name of ['.env', 'submissions.tar', 'before-update.tar', 'erasures.jsonl'])
    writeFileSync(join(folder, name), '');
});
test.afterEach(() => rmSync(folder, { recursive: true }));

/** Runs shell commands with the fakes. @param failsAt number of the call that fails */
async function run(commands: string, failsAt = 0) {
  rmSync(join(folder, 'calls'), { force: true });
  const env = { PATH: `${join(folder, 'bin')}:${process.env['PATH']}`, FOLDER: folder, FAILS_AT: String(failsAt) };
  const { exitCode, stderr } = await execa('bash', ['-c', commands], { cwd: folder, env, reject: false });
  const calls = existsSync(join(folder, 'calls'))
    ? readFileSync(join(folder, 'calls'), 'utf8').split(/ *\n/).filter(Boolean)
    : [];
  return { exitCode, stderr, calls };
}

/** Returns the blocks of the operator's documents in which one command after another changes data. */
function changingBlocks(): readonly string[] {
  const text = ['docs/second-day.md', 'docs/operations.md']
    .map((name) => readFileSync(join(root, name), 'utf8'))
    .join('');
  const blocks = [...text.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, block = '']) => block);
  return blocks.filter(
    (block) => /submissions restore|scripts\/update/.test(block) && /\ngit|docker compose (stop|build)/.test(block),
  );
}

test('documents > end at the first command that fails > the commands change data', async () => {
  const blocks = changingBlocks();
  expect(blocks.length).toBeGreaterThanOrEqual(5);
  for (const block of blocks) {
    const { exitCode, calls, stderr } = await run(block);
    expect([exitCode, stderr], block).toEqual([0, '']);
    for (let number = 1; number <= calls.length; number += 1) {
      const failed = await run(block, number);
      expect([failed.exitCode, failed.calls], block).toEqual([1, calls.slice(0, number)]);
    }
  }
});

test('documents > stop the api and mail what is pending > a database is replaced', async () => {
  const blocks = changingBlocks().filter((block) => /docker compose stop/.test(block));
  expect(blocks.length).toBeGreaterThanOrEqual(3);
  for (const block of blocks) {
    const { calls } = await run(block);
    const indexOf = (pattern: RegExp) => calls.findIndex((call) => pattern.test(call));
    // An archive that is made after the stop has the pending submissions.
    const isSaved = indexOf(/submissions (list --state pending --wait|backup)/);
    expect(indexOf(/compose stop api/), block).toBeGreaterThanOrEqual(0);
    expect(isSaved, block).toBeGreaterThan(indexOf(/compose stop api/));
    expect(indexOf(/submissions restore/), block).toBeGreaterThan(isSaved);
    if (calls[isSaved]?.includes('--wait')) {
      expect(indexOf(/compose stop worker/), block).toBeGreaterThan(isSaved);
      expect(indexOf(/--changed-since/), block).toBeGreaterThan(isSaved);
    }
  }
});

test('documents > give the archive of an update one name', () => {
  for (const name of ['CHANGELOG.md', 'docs/operations.md', 'docs/second-day.md', 'scripts/update'])
    expect(readFileSync(join(root, name), 'utf8'), name).toContain('before-update.tar');
});
