import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withBuildLock } from './build-lock.ts';
import { StartError } from './start-error.ts';

interface Build {
  readonly workspace: string;
  /** Files and folders the result depends on. */
  readonly inputs: readonly string[];
  /** Variables the result depends on. */
  readonly variables: readonly string[];
  /** A file that is there when the build has been made. */
  readonly output: string;
}

const SHARED_INPUTS = ['package-lock.json', 'tsconfig.base.json', 'form-service/src/contract'];

const BUILDS: readonly Build[] = [
  {
    workspace: 'form-service',
    inputs: [
      ...SHARED_INPUTS,
      'form-service/src',
      'form-service/package.json',
      'form-service/tsconfig.json',
      'form-service/tsconfig.build.json',
    ],
    variables: [],
    output: 'form-service/dist/api.js',
  },
  {
    workspace: 'frontend',
    inputs: [...SHARED_INPUTS, 'frontend'],
    variables: ['SITE_URL', 'ANALYTICS_URL', 'SALES_INBOX', 'HR_INBOX', 'RETENTION_DAYS'],
    output: 'frontend/dist/site/index.html',
  },
];

const STAMPS = 'node_modules/.cache/kitewright';
const NOT_INPUT = /(^|\/)(node_modules|dist|coverage)$|\.(test|integration)\.tsx?$/;

/** Builds what has changed since it was last built, judged by content. Throws a {@link StartError} when a build fails. */
export function buildChanged(
  root: string,
  workspaces: readonly string[] = BUILDS.map(({ workspace }) => workspace),
): void {
  const isStale = (build: Build) => workspaces.includes(build.workspace) && !isCurrent(root, build);
  if (!BUILDS.some(isStale)) return;
  withBuildLock(join(root, STAMPS, 'build.lock'), () => {
    for (const build of BUILDS.filter(isStale)) runBuild(root, build);
  });
}

/** Has a workspace built at the next start, whatever its inputs then are: something else is about to write its output. */
export function forgetBuild(root: string, workspace: string): void {
  for (const build of BUILDS) if (build.workspace === workspace) rmSync(stampFile(root, build), { force: true });
}

function isCurrent(root: string, build: Build): boolean {
  const stamp = stampFile(root, build);
  return (
    existsSync(join(root, build.output)) &&
    existsSync(stamp) &&
    readFileSync(stamp, 'utf8') === digestInputs(root, build)
  );
}

function runBuild(root: string, build: Build): void {
  // Not to standard output, which may be going to a file: `npm run submissions -- export > file`.
  process.stderr.write(`Building ${build.workspace} ...\n`);
  const digest = digestInputs(root, build);
  const npm = spawnSync('npm', ['run', '--silent', 'build', '--workspace', build.workspace], {
    cwd: root,
    encoding: 'utf8',
  });
  if (npm.status !== 0)
    throw new StartError(`${npm.stdout}${npm.stderr}${build.workspace} could not be built (see above).`);
  writeFileSync(stampFile(root, build), digest);
}

function stampFile(root: string, { workspace }: Build): string {
  return join(root, STAMPS, `${workspace}.sha256`);
}

function digestInputs(root: string, { inputs, variables }: Build): string {
  const hash = createHash('sha256').update(process.version);
  for (const name of variables) hash.update(`${name}=${process.env[name] ?? ''}\n`);
  for (const path of inputs.flatMap((input) => filesUnder(root, input))) {
    hash.update(`${path}\0`).update(readFileSync(join(root, path)));
  }
  return hash.digest('hex');
}

function filesUnder(root: string, path: string): string[] {
  if (NOT_INPUT.test(path) || !existsSync(join(root, path))) return [];
  if (statSync(join(root, path)).isFile()) return [path];
  return readdirSync(join(root, path))
    .sort()
    .flatMap((name) => filesUnder(root, `${path}/${name}`));
}
