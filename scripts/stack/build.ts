import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { execa } from 'execa';
import { CONTENT_NAME } from '../../form-service/src/contract/words.ts';
import { endingWithParent } from './end-with-parent.ts';
import { waitForLock } from './lock.ts';
import { StartError } from './start-error.ts';

interface Build {
  /** Files and folders that the output depends on. */
  readonly inputs: readonly string[];
  /** Environment variables that the output depends on. */
  readonly variables: readonly string[];
  /** A file that the build creates. */
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
    // The style sheet has the classes of the service's pages (`@source` in app.css).
    inputs: [
      ...SHARED_INPUTS,
      'frontend',
      CONTENT_NAME,
      'form-service/src/intake/pages',
      'form-service/src/inbox',
      'form-service/src/sign-in',
    ],
    variables: ['SITE_URL', 'ANALYTICS_URL', 'SALES_INBOX', 'HR_INBOX', 'RETENTION_DAYS'],
    output: 'frontend/dist/site/index.html',
  },
};

const STAMPS = 'node_modules/.cache/kitewright';
/** Generated files and tests, which do not affect the output. */
const NOT_INPUT =
  /(^|\/)(node_modules|dist|coverage)$|^form-service\/test$|^frontend\/(content\/schema|src\/styles\/brand\.css)$|\.(test|integration)\.tsx?$/;

/**
 * Builds workspaces whose inputs have changed, by content hash, at the same time: most of a build uses one core. Throws a
 * {@link StartError} at the first build that fails.
 */
export async function buildChanged(root: string, workspaces = Object.keys(BUILDS)): Promise<void> {
  const builds = workspaces.map(async (workspace) => {
    if (isCurrent(root, workspace)) return;
    const unlock = await waitForLock(join(root, STAMPS, `${workspace}.lock`));
    try {
      if (!isCurrent(root, workspace)) await build(root, workspace);
    } finally {
      unlock();
    }
  });
  await Promise.all(builds);
}

/** Makes the next start build the workspace, because something else is about to write its output. */
export function invalidateBuild(root: string, workspace: string): void {
  rmSync(stampFile(root, workspace), { force: true });
}

/** Whether the output of a workspace is that of its inputs. */
export function isCurrent(root: string, workspace: string): boolean {
  const stamp = stampFile(root, workspace);
  const output = join(root, BUILDS[workspace]?.output ?? workspace);
  return existsSync(output) && existsSync(stamp) && readFileSync(stamp, 'utf8') === digestInputs(root, workspace);
}

async function build(root: string, workspace: string): Promise<void> {
  // Not to standard output, which may be redirected: `npm run submissions -- export > file`.
  process.stderr.write(`Building ${workspace} ...\n`);
  const digest = digestInputs(root, workspace);
  // A build that fails or is killed leaves half of its output, which would count as that of the stamp's inputs.
  invalidateBuild(root, workspace);
  // npm passes the signal on to the script, whose shell is replaced by its program (`exec`).
  const program = endingWithParent('SIGTERM', 'npm', ['run', '--silent', 'build', '--workspace', workspace]);
  const npm = await execa(...program, { cwd: root, all: true, reject: false });
  if (npm.failed) throw new StartError(`${npm.all}\n${workspace} could not be built (see above).`);
  writeFileSync(stampFile(root, workspace), digest);
}

function stampFile(root: string, workspace: string): string {
  return join(root, STAMPS, `${workspace}.sha256`);
}

function digestInputs(root: string, workspace: string): string {
  const { inputs = [], variables = [] } = BUILDS[workspace] ?? {};
  const hash = createHash('sha256').update(process.version);
  for (const name of variables) hash.update(`${name}=${process.env[name] ?? ''}\n`);
  for (const path of new Set(inputs.flatMap((input) => filesUnder(root, input))))
    hash.update(`${path}\0`).update(readFileSync(resolve(root, path)));
  return hash.digest('hex');
}

function filesUnder(root: string, path: string): string[] {
  if (NOT_INPUT.test(path)) return [];
  if (statSync(resolve(root, path)).isFile()) return [path];
  return readdirSync(resolve(root, path))
    .sort()
    .flatMap((name) => filesUnder(root, `${path}/${name}`));
}
