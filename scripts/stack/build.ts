import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execaSync } from 'execa';
import { withLock } from './lock.ts';
import { StartError } from './start-error.ts';

interface Build {
  /** Files and folders that the result depends on. */
  readonly inputs: readonly string[];
  /** Variables that the result depends on. */
  readonly variables: readonly string[];
  /** A file that is there when the build has been made. */
  readonly output: string;
}

const SHARED_INPUTS = ['package-lock.json', 'tsconfig.base.json', 'form-service/src/contract'];

const BUILDS: Readonly<Record<string, Build>> = {
  'form-service': {
    inputs: [...SHARED_INPUTS, 'form-service'],
    variables: [],
    output: 'form-service/dist/api.js',
  },
  frontend: {
    inputs: [...SHARED_INPUTS, 'frontend'],
    variables: ['SITE_URL', 'ANALYTICS_URL', 'SALES_INBOX', 'HR_INBOX', 'RETENTION_DAYS'],
    output: 'frontend/dist/site/index.html',
  },
};

const STAMPS = 'node_modules/.cache/kitewright';
/** What builds and tests write, and the tests themselves. */
const NOT_INPUT =
  /(^|\/)(node_modules|dist|coverage)$|^form-service\/test$|^frontend\/content\/schema$|\.(test|integration)\.tsx?$/;

/** Builds what has changed since it was last built, judged by content. Throws a {@link StartError} when a build fails. */
export function buildChanged(root: string, workspaces: readonly string[] = Object.keys(BUILDS)): void {
  const isStale = (workspace: string) => !isCurrent(root, workspace);
  if (!workspaces.some(isStale)) return;
  withLock(join(root, STAMPS, 'builds.lock'), 'builds', () => {
    for (const workspace of workspaces.filter(isStale)) build(root, workspace);
  });
}

/** Has a workspace built at the next start, whatever its inputs then are: something else is about to write its output. */
export function forgetBuild(root: string, workspace: string): void {
  rmSync(stampFile(root, workspace), { force: true });
}

function isCurrent(root: string, workspace: string): boolean {
  const stamp = stampFile(root, workspace);
  const output = join(root, BUILDS[workspace]?.output ?? workspace);
  return existsSync(output) && existsSync(stamp) && readFileSync(stamp, 'utf8') === digestInputs(root, workspace);
}

function build(root: string, workspace: string): void {
  // Not to standard output, which may be going to a file: `npm run submissions -- export > file`.
  process.stderr.write(`Building ${workspace} ...\n`);
  const digest = digestInputs(root, workspace);
  const npm = execaSync('npm', ['run', '--silent', 'build', '--workspace', workspace], {
    cwd: root,
    all: true,
    reject: false,
  });
  if (npm.failed) throw new StartError(`${npm.all}\n${workspace} could not be built (see above).`);
  // The stamp must not outlive a power cut that the output does not.
  execaSync('sync', ['--file-system', join(root, workspace)], { reject: false });
  writeFileSync(stampFile(root, workspace), digest);
}

function stampFile(root: string, workspace: string): string {
  return join(root, STAMPS, `${workspace}.sha256`);
}

function digestInputs(root: string, workspace: string): string {
  const { inputs = [], variables = [] } = BUILDS[workspace] ?? {};
  const hash = createHash('sha256').update(process.version);
  for (const name of variables) hash.update(`${name}=${process.env[name] ?? ''}\n`);
  for (const path of inputs.flatMap((input) => filesUnder(root, input)))
    hash.update(`${path}\0`).update(readFileSync(join(root, path)));
  return hash.digest('hex');
}

function filesUnder(root: string, path: string): string[] {
  if (NOT_INPUT.test(path)) return [];
  if (statSync(join(root, path)).isFile()) return [path];
  return readdirSync(join(root, path))
    .sort()
    .flatMap((name) => filesUnder(root, `${path}/${name}`));
}
