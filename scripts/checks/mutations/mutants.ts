import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { execa } from 'execa';
import { changedRanges, survivorsIn, type Report } from './survivors.ts';

/**
 * Lists small changes of the form service that its unit tests do not notice (mutation testing with Stryker). The result
 * is for reading: many changes make no difference, and nothing depends on a score. Code that only integration tests run
 * is left out.
 *
 *     node scripts/run.mjs scripts/checks/mutations/mutants.ts [--since TIME] [FILE[:FROM-TO] ...]
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** Only lines that commits have changed since then, for example `yesterday`. */
    since: { type: 'string' },
  },
});

/** The packages stay out of package-lock.json: they are 137, and no check needs them. */
const VERSION = '10.0.0';
const PACKAGES = ['core', 'jest-runner'].map((name) => `--package=@stryker-mutator/${name}@${VERSION}`);

const CONFIG = join(import.meta.dirname, 'stryker.json');
const REPORT = '.data/stryker.json';

const mutate = values.since === undefined ? positionals : changedSince(values.since);
if (mutate.length === 0) process.stdout.write('No line of the form service to change.\n');
else {
  const args = ['exec', '--yes', ...PACKAGES, '--', 'stryker', 'run', CONFIG, '--mutate', mutate.join(',')];
  await execa('npm', args, { stdio: ['ignore', 'inherit', 'inherit'] });
  const { survivors, count } = survivorsIn(JSON.parse(readFileSync(REPORT, 'utf8')) as Report);
  process.stdout.write([...survivors, `${survivors.length} of ${count} changes were not noticed`, ''].join('\n'));
}

/** Changed lines of the form service, without its tests, as Stryker names them. */
function changedSince(time: string): readonly string[] {
  const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' });
  const before = git('rev-list', '-1', `--before=${time}`, 'HEAD').trim();
  return before === '' ? [] : changedRanges(git('diff', '--unified=0', before, '--', 'form-service/src'));
}
