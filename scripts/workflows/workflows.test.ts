import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { makeTemporaryFolder } from '../../test-support/temporary-folder.ts';
import { DIGEST, DryRun } from './dry-run.ts';
import { fill, githubOf, isWanted, readWorkflows } from './workflow.ts';

/** Steps that no test runs, and why. All others run here. */
const NOT_RUN: Readonly<Record<string, string>> = {
  'npm test': '.ci/run runs it',
  'npm run test:all': '.ci/run runs it',
  'npm audit --omit=dev --audit-level=high': 'asks the registry for advisories',
  'pipx run zizmor==1.32.0 --offline --min-severity high .github/workflows': 'comes from PyPI',
};

const TAG = { event_name: 'push', ref: 'refs/tags/v1.2.3' };
const PUSH = { event_name: 'push', ref: 'refs/heads/main' };
const NIGHTLY = { event_name: 'schedule', ref: 'refs/heads/main', schedule: '17 2 * * 1-6' };

const root = fileURLToPath(new URL('../..', import.meta.url));

let folder: string;
let repository: string;
beforeEach(() => {
  folder = makeTemporaryFolder();
  repository = makeTemporaryFolder();
  for (const file of ['.node-version', 'form-service/Dockerfile', 'nginx/Dockerfile'])
    cpSync(join(root, file), join(repository, file), { recursive: true });
  writeFileSync(join(repository, 'package.json'), '{ "version": "1.2.3" }');
  writeFileSync(
    join(repository, 'CHANGELOG.md'),
    '## [1.2.3] - 2027-01-01\n\nNew words.\n\n## [1.2.2]\n\nOld words.\n',
  );
  git('init', '--quiet', '--template=');
  commit();
  git('update-ref', 'refs/remotes/origin/main', 'HEAD');
});
afterEach(() => {
  for (const path of [folder, repository]) rmSync(path, { recursive: true });
});

function git(...args: readonly string[]): string {
  const author = ['-c', 'user.name=Test', '-c', 'user.email=test@example.org'];
  return execFileSync('git', ['-C', repository, ...author, ...args], { encoding: 'utf8' }).trim();
}

function commit(): void {
  git('add', '--all');
  git('commit', '--quiet', '--allow-empty', '--message', 'Test');
}

/** Runs the workflow of a tag on the repository. */
function release(ref = TAG.ref): DryRun {
  const github = { ...githubOf({ ...TAG, ref }), sha: git('rev-parse', 'HEAD') };
  const run = new DryRun(folder, repository, github, Object.keys(NOT_RUN));
  run.workflow('release.yml');
  return run;
}

const jobsOf = ({ ran }: DryRun) => [...new Set(ran.map(({ job }) => job))];

const IMAGES = ['form-service', 'nginx'].map((name) => `ghcr.io/acme/site/${name}`);

describe('release', () => {
  it('publishes both images, then the changelog with their digests', () => {
    const { ran } = release();
    const lines = ran.filter(({ last }) => last).map(({ job, what, last }) => [job, what, last]);
    expect(lines).toEqual([
      ['version', 'The tag names the version of this commit, which is on main', 'number=1.2.3'],
      ['test', expect.stringMatching(/^sudo /), expect.stringMatching(/^sudo sysctl /)],
      ['all', expect.stringMatching(/^sudo /), expect.stringMatching(/^sudo sysctl /)],
      ...IMAGES.flatMap((image) => [
        ['images', 'Build for the scan', `scanned:${image.replace(/.*\//, '')}`],
        ['images', 'Name of the image, in lower case', `name=${image}`],
        ['images', 'Build and publish', `${image}:1.2.3`],
        ['images', 'Sign the published image by its digest', `cosign sign --yes --recursive ${image}@${DIGEST}`],
      ]),
      ['announce', expect.stringMatching(/^Publish /), 'gh release create v1.2.3'],
    ]);
    const announced = (name: string) => readFileSync(join(folder, 'announce-0', name), 'utf8').trim();
    expect(announced('notes.md')).toBe('New words.');
    expect(announced('digests.txt').split('\n')).toEqual(IMAGES.map((image) => `${image}@${DIGEST}`));
  });

  it('publishes nothing > the tag names another version', () => {
    expect(jobsOf(release('refs/tags/v1.2.4'))).not.toContain('images');
  });

  it('publishes nothing > the commit is not on main', () => {
    commit();
    expect(jobsOf(release())).not.toContain('images');
  });

  it('publishes nothing > the complete tests fail', () => {
    const github = { ...githubOf(TAG), sha: git('rev-parse', 'HEAD') };
    const run = new DryRun(folder, repository, github, ['npm test']);
    run.workflow('release.yml');
    expect(run.ran).toContainEqual({ job: 'all', what: 'failed', last: expect.stringContaining('npm run test:all') });
    expect(jobsOf(run)).not.toContain('images');
  });

  it('announces nothing > the changelog has no section of the version', () => {
    writeFileSync(join(repository, 'CHANGELOG.md'), '## [1.2.2]\n\nOld words.\n');
    expect(release().ran.at(-1)).toMatchObject({ job: 'announce', what: 'failed' });
  });
});

describe('checks', () => {
  const { jobs = {}, concurrency } = readWorkflows()['checks.yml'] ?? {};

  it.each([
    ['a push', PUSH, false],
    ['a pull request', { event_name: 'pull_request', ref: 'refs/pull/1/merge' }, false],
    ['the night', NIGHTLY, true],
    ['a tag', TAG, true],
  ])('run the complete tests only at night and for a tag > %s', (_, event, isComplete) => {
    const chosen = Object.keys(jobs).filter((name) => isWanted(jobs[name] ?? {}, { github: githubOf(event) }));
    expect(chosen).toEqual(['test', ...(isComplete ? ['all'] : []), 'audit', 'code-scan']);
  });

  it('of the night and of a push do not cancel each other', () => {
    const [push, night] = [PUSH, NIGHTLY].map((event) => fill(concurrency?.group ?? '', { github: githubOf(event) }));
    expect(push).not.toBe(night);
  });
});

describe('workflows', () => {
  const steps = Object.values(readWorkflows()).flatMap(({ jobs }) =>
    Object.values(jobs).flatMap((job) => job.steps ?? []),
  );
  const runs = steps.filter(({ run }) => run !== undefined);

  it('have no step that nobody runs', () => {
    const ran = new Set(release().ran.map(({ what }) => what));
    const missing = runs.filter(({ run = '', name = run }) => !ran.has(name) && !(run.trim() in NOT_RUN));
    expect(missing).toEqual([]);
  });

  it('have each step that is left out', () => {
    expect(Object.keys(NOT_RUN).filter((text) => !runs.some(({ run }) => run?.trim() === text))).toEqual([]);
  });

  it('use actions by their commit', () => {
    const actions = steps.flatMap(({ uses }) => uses ?? []);
    expect(actions.filter((uses) => !/@[0-9a-f]{40}$/.test(uses))).toEqual([]);
  });
});
