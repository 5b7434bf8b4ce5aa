import { readFileSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { JSONReport, JSONReportSuite } from '@playwright/test/reporter';
import { execa } from 'execa';
import { buildChanged } from '../stack/build.ts';
import { endingWithParent } from '../stack/end-with-parent.ts';
import { messageOf } from '../stack/start-error.ts';
import { readArguments } from '../usage.ts';
import { installForTests } from './packages.ts';
import { hasEngine, longRuns, shortRuns, staticChecks } from './steps.ts';

const USAGE = `Runs static checks, Jest and Playwright at the same time, and ends with "N passed, N failed".
--quick leaves out what needs a server or a browser. --complete runs complete matrices, npm's commands, long faults and containers.
A part: npx jest FILE; npx playwright test -c e2e/playwright.config.ts FILE; --onlyChanged or --only-changed of either.`;
const { values } = readArguments(USAGE, { options: { quick: { type: 'boolean' }, complete: { type: 'boolean' } } });

// Hundreds of processes need not compile the same files again.
process.env.NODE_COMPILE_CACHE ??= resolve('node_modules/.cache/kitewright/compiled');
if (values.complete) process.env.TEST_MATRIX = 'complete';

/** Message of Jest about an open handle, for which it waits at the end of every run. */
const LEAK = 'failed to exit gracefully';

const [JEST, PLAYWRIGHT] = ['node_modules/jest/bin/jest.js', 'node_modules/@playwright/test/cli.js'];
const UNIT_PROJECTS = ['unit', 'source', 'built site', 'scripts'];
const BROWSER_PROJECTS = ['desktop', 'phone', 'other browsers'];

const total = { passed: 0, failed: 0, skipped: 0 };
const failures: string[] = [];

function count(passed: number, failed: number, skipped: number, name: string): void {
  total.passed += passed;
  total.failed += failed;
  total.skipped += skipped;
  if (failed > 0) failures.push(`${name}: ${failed} failed`);
}

/** Names a failed test at the end of the output, with the first lines of its error. */
function nameFailure(test: string, error = ''): void {
  const lines = stripVTControlCharacters(error)
    .split('\n')
    .filter((line) => line.trim());
  failures.push([test, ...lines.slice(0, 10)].join('\n    '));
}

/** Runs a command, and prints its output when it has ended, because others print at the same time. */
async function run(program: string, args: readonly string[]): Promise<boolean> {
  const startedAt = performance.now();
  const command = endingWithParent('SIGTERM', program === 'node' ? process.execPath : program, args);
  const { all, failed } = await execa(...command, { stdin: 'ignore', all: true, reject: false });
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
  process.stdout.write(`${all}\n--- ${[program, ...args].join(' ')} (${seconds} s)\n`);
  return !failed && !all.includes(LEAK);
}

/** Runs commands in turn, each of which counts as one test. */
async function inTurn(commands: readonly string[]): Promise<void> {
  for (const command of commands) {
    const [program = '', ...args] = command.split(' ');
    const isGood = await run(program, args);
    count(Number(isGood), Number(!isGood), 0, command);
  }
}

/** Counts the tests of a runner's JSON report. A runner that fails without a failed test counts as one. */
function countReport(runner: string, file: string, isGood: boolean, read: (report: never) => readonly number[]): void {
  try {
    const [passed = 0, failed = 0, skipped = 0] = read(JSON.parse(readFileSync(file, 'utf8')) as never);
    count(passed, failed || Number(!isGood), skipped, runner);
  } catch {
    count(0, 1, 0, runner);
  }
}

interface JestReport extends Readonly<Record<`num${string}`, number>> {
  readonly testResults: readonly { readonly name: string; readonly status: string; readonly message: string }[];
}

async function jest(projects: readonly string[]): Promise<void> {
  const report = 'node_modules/.cache/kitewright/jest.json';
  rmSync(report, { force: true });
  const options = ['--silent', '--json', '--outputFile', report, '--selectProjects', ...projects];
  const isGood = await run('node', ['--experimental-vm-modules', JEST, ...options]);
  countReport('Jest', report, isGood, (results: JestReport) => {
    for (const { name, status, message } of results.testResults) if (status === 'failed') nameFailure(name, message);
    const { numPassedTests = 0, numFailedTests = 0, numRuntimeErrorTestSuites = 0, numPendingTests = 0 } = results;
    return [numPassedTests, numFailedTests + numRuntimeErrorTestSuites, numPendingTests];
  });
}

function namePlaywright({ title, specs, suites = [] }: JSONReportSuite): void {
  for (const { file, line, title: test, tests } of specs) {
    for (const { projectName, status, results } of tests) {
      if (status !== 'unexpected' && status !== 'flaky') continue;
      nameFailure(`${status} [${projectName}] ${file}:${line} ${title} ${test}`, results[0]?.error?.message);
    }
  }
  for (const suite of suites) namePlaywright(suite);
}

async function playwright(folder: string, projects: readonly string[] = []): Promise<void> {
  const report = resolve(`node_modules/.cache/kitewright/playwright-${folder.replaceAll('/', '-')}.json`);
  rmSync(report, { force: true });
  process.env.PLAYWRIGHT_JSON_OUTPUT_FILE = report;
  const selection = projects.map((project) => `--project=${project}`);
  const options = ['-c', `${folder}/playwright.config.ts`, '--reporter=list,json', ...selection];
  const isGood = await run('node', [PLAYWRIGHT, 'test', ...options]);
  countReport(folder, report, isGood, ({ stats, suites }: JSONReport) => {
    for (const suite of suites) namePlaywright(suite);
    return [stats.expected + stats.flaky, stats.unexpected, stats.skipped];
  });
}

async function runContainers(): Promise<void> {
  if (await hasEngine()) return playwright('e2e/containers');
  process.stdout.write('SKIPPED: the container tests, because no Docker engine is running\n');
  count(0, 0, 1, 'containers');
}

async function runAll(): Promise<void> {
  if (values.complete) {
    await Promise.all([jest(['integration']), playwright('e2e', ['stack', ...BROWSER_PROJECTS])]);
    await inTurn(longRuns);
    return runContainers();
  }
  const units = values.quick ? [] : ['integration'];
  const browsers = async () => {
    await playwright('e2e', ['nginx', ...BROWSER_PROJECTS]);
    await inTurn(shortRuns);
  };
  await Promise.all([
    inTurn(staticChecks()),
    jest([...UNIT_PROJECTS, ...units]),
    values.quick ? undefined : browsers(),
  ]);
}

try {
  if (!values.quick) await installForTests();
  await buildChanged(process.cwd());
  await runAll();
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`);
  count(0, 1, 0, 'npm test');
}
const { passed, failed, skipped } = total;
process.stdout.write(`\n${failures.map((line) => `${line}\n`).join('')}${passed} passed, ${failed} failed`);
process.stdout.write(skipped > 0 ? `, ${skipped} skipped\n` : '\n');
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
