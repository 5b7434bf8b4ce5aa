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
  for (const program of ['bin/docker', 'bin/git', 'scripts/make-secrets'])
    writeFileSync(join(folder, program), RECORDED, { mode: 0o755 });
  writeFileSync(join(folder, 'bin/restic'), '#!/bin/sh\n', { mode: 0o755 });
  for (const name of ['.env', 'submissions.tar', 'before-update.tar']) writeFileSync(join(folder, name), '');
  writeFileSync(join(folder, 'erasures.jsonl'), '{}\n');
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

/** Returns the blocks of the operator's document in which one command after another changes data. */
function changingBlocks(): readonly string[] {
  const text = readFileSync(join(root, 'docs/operations.md'), 'utf8');
  const blocks = [...text.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, block = '']) => block);
  return blocks.filter((block) => /docker compose (stop|build)/.test(block));
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

test('documents > write what is pending to a file > a database is replaced', async () => {
  const blocks = changingBlocks().filter((block) => /docker compose stop/.test(block));
  expect(blocks.length).toBeGreaterThanOrEqual(3);
  for (const block of blocks) {
    const { calls } = await run(block);
    const indexOf = (pattern: RegExp) => calls.findIndex((call) => pattern.test(call));
    const written = indexOf(/submissions (export|backup)/);
    expect(indexOf(/compose stop api/), block).toBeGreaterThanOrEqual(0);
    // The service accepts no more submissions, so the file has all of them.
    expect(written, block).toBeGreaterThan(indexOf(/compose stop api/));
    expect(indexOf(/submissions restore/), block).toBeGreaterThan(written);
  }
});

test('update > writes the archive that going back restores, before it replaces anything', async () => {
  const update = changingBlocks().find((block) => block.includes('git pull')) ?? '';
  const { calls } = await run(update);
  const archived = calls.findIndex((call) => call.includes('submissions backup'));
  expect(archived).toBeGreaterThanOrEqual(0);
  expect(calls.findIndex((call) => call.includes('compose up'))).toBeGreaterThan(archived);
  expect(update).toContain('> before-update.tar');
  expect(changingBlocks().some((block) => block.includes('restore < before-update.tar'))).toBe(true);
});
