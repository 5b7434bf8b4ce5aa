import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { makeTemporaryFolder } from '../test-support/temporary-folder.ts';

interface Step {
  readonly name?: string;
  readonly uses?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly run?: string;
}

interface Job {
  readonly if?: string;
  readonly needs?: readonly string[];
  readonly uses?: string;
  readonly steps?: readonly Step[];
}

const jobsOf = (name: string): Readonly<Record<string, Job>> =>
  parse(readFileSync(fileURLToPath(new URL(`../.github/workflows/${name}`, import.meta.url)), 'utf8')).jobs;
const release = jobsOf('release.yml');
const checks = jobsOf('checks.yml');
const steps = [release, checks].flatMap((jobs) => Object.values(jobs).flatMap((job) => job.steps ?? []));

describe('workflows', () => {
  it('use actions by their commit', () => {
    const actions = steps.flatMap(({ uses }) => uses ?? []);
    expect(actions.filter((uses) => !/@[0-9a-f]{40}$/.test(uses))).toEqual([]);
  });

  it('run with the Node.js of .node-version, or the versions of a matrix', () => {
    const inputs = steps.filter(({ uses }) => uses?.startsWith('actions/setup-node@')).map((step) => step.with);
    expect(inputs.length).toBeGreaterThan(1);
    for (const { 'node-version-file': file, 'node-version': version } of inputs as Record<string, unknown>[])
      expect([file, version ?? '${{ matrix.node }}']).toEqual(['.node-version', '${{ matrix.node }}']);
  });

  it('publish and announce only what has passed the complete tests', () => {
    expect(checks['all']?.if).toContain("startsWith(github.ref, 'refs/tags/')");
    expect(checks['all']?.steps?.map(({ run }) => run)).toContain('npm run test:all');
    expect(release['checks']?.uses).toBe('./.github/workflows/checks.yml');
    expect([release['images']?.needs, release['announce']?.needs]).toEqual([
      ['version', 'checks'],
      ['version', 'images'],
    ]);
  });
});

describe('release', () => {
  let folder: string;
  beforeEach(() => {
    folder = makeTemporaryFolder();
    writeFileSync(join(folder, 'package.json'), '{ "version": "1.2.3" }');
    writeFileSync(join(folder, 'CHANGELOG.md'), '## [1.2.3]\n\nNew words.\n\n## [1.2.2]\n\nOld words.\n');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  // Like GitHub without the user's bashrc, which bash reads when its input is a socket.
  const bash = (script: string, env: Readonly<Record<string, string>> = {}) =>
    spawnSync('bash', ['--norc', '-ec', script], {
      cwd: folder,
      env: { PATH: process.env.PATH, ...env },
      encoding: 'utf8',
    });

  /** Runs a step of a job as GitHub does. Returns its exit status, and the values that it hands on. */
  function runStep(job: string, name: RegExp, env: Readonly<Record<string, string>>): readonly [number | null, string] {
    const script = release[job]?.steps?.find((step) => name.test(step.name ?? ''))?.run ?? '';
    const output = join(folder, 'output');
    writeFileSync(output, '');
    const { status } = bash(script, { GITHUB_OUTPUT: output, ...env });
    return [status, readFileSync(output, 'utf8').trim()];
  }

  it('accepts a tag that names the version of a commit on main', () => {
    const commit = 'git -c user.name=Test -c user.email=test@example.org commit -q --allow-empty -m Test';
    bash(`git init -q --template= && ${commit} && git update-ref refs/remotes/origin/main HEAD`);
    const check = (tag: string) =>
      runStep('version', /^The tag/, { GITHUB_REF_NAME: tag, GITHUB_SHA: bash('git rev-parse HEAD').stdout.trim() });
    expect(check('v1.2.3')).toEqual([0, 'number=1.2.3']);
    expect(check('v1.2.4')).toEqual([1, '']);
    bash(commit);
    expect(check('v1.2.3')).toEqual([1, '']);
  });

  it('names images in lower case', () => {
    const env = { GITHUB_REPOSITORY: 'Acme/Site', NAME: 'nginx' };
    expect(runStep('images', /^Name of the image/, env)).toEqual([0, 'name=ghcr.io/acme/site/nginx']);
  });

  it('announces the words of the version, with the digests of the images', () => {
    mkdirSync(join(folder, 'bin'));
    const download =
      'mkdir -p digests/a digests/b && echo one > digests/a/digest.txt && echo two > digests/b/digest.txt';
    writeFileSync(join(folder, 'bin/gh'), `#!/bin/sh\n[ "$1" != run ] || { ${download}; }\n`, { mode: 0o755 });
    const announce = (VERSION: string) =>
      runStep('announce', /^Publish/, { PATH: [join(folder, 'bin'), process.env.PATH].join(delimiter), VERSION })[0];
    expect(announce('1.2.3')).toBe(0);
    const written = ['notes.md', 'digests.txt'].map((name) => readFileSync(join(folder, name), 'utf8').trim());
    expect(written).toEqual(['New words.', 'one\ntwo']);
    expect(announce('1.2.4')).toBe(1);
  });
});
