import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { makeTemporaryFolder } from '../test-support/temporary-folder.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const version = readFileSync(join(root, '.node-version'), 'utf8').trim();

describe('Node.js', () => {
  it('has one exact version', () => {
    expect(version).toMatch(/^\d+\.\d+\.\d+$/);
  });

  it('has the same version in every image', () => {
    const files = globSync(['*/Dockerfile', '*.yml', 'kubernetes/**/*.yaml'], { cwd: root });
    const names = files.flatMap((file) => readFileSync(join(root, file), 'utf8').match(/\bnode:\d[\w.-]*/g) ?? []);
    expect(names.length).toBeGreaterThan(1);
    expect(names.filter((name) => name !== `node:${version}-trixie-slim`)).toEqual([]);
  });
});

describe('.ci/run', () => {
  let folder: string;
  beforeEach(() => {
    folder = makeTemporaryFolder();
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** Runs it with an npm that answers `exec` with these lines, and otherwise prints which Node.js is in PATH. */
  function run(exec: string): string {
    const npm = `case $1 in exec) ${exec} ;; *) echo "$* with $(command -v node)"; echo '1 passed, 0 failed' ;; esac`;
    for (const [name, text] of Object.entries({ npm, docker: 'exit 1' }))
      writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
    const env = { HOME: folder, PATH: [folder, process.env.PATH].join(delimiter), DOCKER_ENGINE_SCRIPTS: '' };
    const { stdout, stderr, status } = spawnSync(join(root, '.ci/run'), { encoding: 'utf8', env });
    expect(stdout).toMatch(/\n2 passed, 0 failed\n$/);
    expect([status, stderr]).toEqual([0, '']);
    return stdout;
  }

  it('runs the tests with this version', () => {
    const node = join(folder, 'pinned/node');
    mkdirSync(join(folder, 'pinned'));
    writeFileSync(node, '', { mode: 0o755 });
    const output = run(`case "$*" in *"=node-${process.platform}-${process.arch}@${version} "*) echo ${node} ;; esac`);
    expect(output).toContain(`test with ${node}\n`);
    expect(output).toContain(`run test:all with ${node}\n`);
  });

  it('runs the tests with the Node.js in PATH > npm has no such package', () => {
    const output = run('exit 1');
    expect(output).toContain(`@${version}: the tests run with Node.js ${process.version}.\n`);
    expect(output).not.toContain('pinned');
  });
});
