import { describe, expect, jest, test } from '@jest/globals';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeTemporaryFolder } from '../../test-support/temporary-folder.ts';
import { buildChanged, isCurrent } from './build.ts';

/** Creates a checkout whose two workspaces have these programs as their builds. */
function checkout(builds: Readonly<Record<string, string>>): string {
  const root = makeTemporaryFolder();
  const files: Record<string, string> = {
    'package.json': JSON.stringify({ workspaces: Object.keys(builds) }),
    'package-lock.json': '{}',
    'tsconfig.base.json': '{}',
    'frontend/content/a.yaml': '',
  };
  for (const folder of ['contract', 'intake/pages', 'inbox', 'sign-in']) files[`form-service/src/${folder}/a.ts`] = '';
  for (const [name, program] of Object.entries(builds)) {
    files[`${name}/package.json`] = JSON.stringify({ name, version: '0.0.0', scripts: { build: 'node build.mjs' } });
    files[`${name}/build.mjs`] = program;
  }
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  return root;
}

/** A build that ends once the other one has begun. */
const meeting = (own: string, other: string, output: string) => `
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
writeFileSync('../${own}.begun', '');
for (let tries = 0; !existsSync('../${other}.begun') && tries < 1_000; tries += 1)
  await new Promise((resolve) => setTimeout(resolve, 20));
if (!existsSync('../${other}.begun')) process.exit(1);
mkdirSync(dirname('${output}'), { recursive: true });
writeFileSync('${output}', '');
`;
const SERVICE = meeting('form-service', 'frontend', 'dist/api.js');
const SITE = meeting('frontend', 'form-service', 'dist/site/index.html');

describe('builds of a start', () => {
  jest.setTimeout(60_000);

  test('run at the same time, and only once', async () => {
    const root = checkout({ 'form-service': SERVICE, frontend: SITE });
    await buildChanged(root);
    expect(['form-service', 'frontend'].map((workspace) => isCurrent(root, workspace))).toEqual([true, true]);
    writeFileSync(join(root, 'form-service/dist/api.js'), 'kept');
    await buildChanged(root);
    expect(readFileSync(join(root, 'form-service/dist/api.js'), 'utf8')).toBe('kept');
  });

  test('build again > a build has failed in between, and its input is as before', async () => {
    const root = checkout({ 'form-service': SERVICE, frontend: SITE });
    await buildChanged(root);
    const program = join(root, 'form-service/build.mjs');
    const half = "import { writeFileSync } from 'node:fs'; writeFileSync('dist/api.js', 'half'); process.exit(1)";
    writeFileSync(program, half);
    await expect(buildChanged(root, ['form-service'])).rejects.toThrow(/form-service could not be built/);
    writeFileSync(program, SERVICE);
    expect(isCurrent(root, 'form-service')).toBe(false);
  });
});
