import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { execa } from 'execa';
import { endingWithParent } from '../../stack/end-with-parent.ts';
import { acquireLock } from '../../stack/lock.ts';
import { countJest, countPlaywright, type Count } from '../count.ts';
import { requireFor } from '../packages.ts';
import { makeTemporaryFolder } from '../temporary-folder.ts';
import { faultsIn, type Fault } from './fault.ts';
import { VERDICTS, verdictOf, type Verdict } from './verdict.ts';

/**
 * Mutation tests: applies one fault at a time to the source, and runs the test that must fail. A fault that no test
 * notices, that cannot be judged or whose code no longer exists fails the run. The checkout contains faults during the run,
 * so use a separate one.
 *
 *     node scripts/run.mjs scripts/checks/mutations/run.ts [--unit] [--faults FOLDER] [PATH ...]
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** Only faults that a unit test notices. */
    unit: { type: 'boolean', default: false },
    /** Folder of modules that export `faults`. */
    faults: { type: 'string', default: join(import.meta.dirname, 'faults') },
  },
});

/** Held while the checkout contains faults: a second run would take the fault of the first for the source. */
const LOCK = '.data/mutations.lock';

/** Maximum time of one test file. */
const TEST_MAX_MS = 10 * 60_000;

if (!acquireLock(LOCK)) {
  process.stderr.write('Another run injects faults into this checkout.\n');
  process.exit(1);
}

const reports = makeTemporaryFolder();
const all = await faultsIn(values.faults);
const chosen = all.filter(
  ({ file, test }) =>
    (!values.unit || isUnit({ test })) &&
    (positionals.length === 0 || positionals.some((path) => file.startsWith(path) || test.startsWith(path))),
);
if (!chosen.every(isUnit)) await requireFor('The stack', 'The virus scan', 'Object storage', 'PostgreSQL');
if (chosen.some(({ test }) => test.startsWith('e2e/'))) await requireFor('The stack', 'TLS', 'Chromium');

// The exit handler in judge() restores the source.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));

/** Test files whose chosen tests have passed without a fault. */
const green = new Set<string>();
const counts: Record<Verdict, number> = { caught: 0, SURVIVED: 0, BROKEN: 0, 'TIMED OUT': 0 };
for (const fault of chosen) {
  const startedAt = performance.now();
  const { verdict, why } = await judge(fault);
  counts[verdict] += 1;
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
  process.stdout.write(`${verdict.padEnd(9)} ${fault.file}: ${fault.breaks} (${seconds} s)\n          ${why}\n`);
}
const sums = VERDICTS.map((verdict) => `${counts[verdict]} ${verdict.toLowerCase()}`);
process.stdout.write(`\n${all.length} faults, ${chosen.length} chosen: ${sums.join(', ')}\n`);
process.exitCode = counts.caught === chosen.length && chosen.length > 0 ? 0 : 1;

/** Runs the tests of the file without a fault, once, and then the test with the fault. @returns the verdict and its reason */
async function judge(fault: Fault): Promise<{ readonly verdict: Verdict; readonly why: string }> {
  const { file, test } = fault;
  const original = existsSync(file) ? readFileSync(file, 'utf8') : undefined;
  if (original === undefined) return { verdict: 'BROKEN', why: 'there is no such file' };
  let faulty: string;
  try {
    faulty = fault.apply(original, file);
  } catch (error) {
    return { verdict: 'BROKEN', why: (error as Error).message };
  }
  if (!green.has(test)) {
    const { verdict, why } = await run({ test, title: titlesIn(test) });
    if (verdict !== 'SURVIVED') return { verdict: 'BROKEN', why: `without the fault: ${why}` };
    green.add(test);
  }
  const restore = () => writeFileSync(file, original);
  process.once('exit', restore);
  try {
    writeFileSync(file, faulty);
    return await run(fault);
  } finally {
    restore();
    process.removeListener('exit', restore);
  }
}

/** Pattern of all tests of a file that the chosen faults name; undefined for the whole file. */
function titlesIn(test: string): string | undefined {
  const titles = chosen.filter((fault) => fault.test === test).map(({ title }) => title);
  return titles.includes(undefined) ? undefined : titles.join('|');
}

/** Runs the tests of a fault, and names the test that failed. */
async function run({
  test,
  title,
}: Pick<Fault, 'test' | 'title'>): Promise<{ readonly verdict: Verdict; readonly why: string }> {
  const report = join(reports, `${crypto.randomUUID()}.json`);
  const isBrowser = test.startsWith('e2e/');
  const [folder, args] = isBrowser ? playwright(test, title) : jest(test, report, title);
  const env = { PLAYWRIGHT_JSON_OUTPUT_FILE: report };
  const options = { cwd: folder, env, stdin: 'ignore', all: true, reject: false, timeout: TEST_MAX_MS } as const;
  const {
    all: output,
    failed,
    timedOut,
  } = await execa(...endingWithParent('SIGTERM', process.execPath, args), options);
  const count: Count = isBrowser ? countPlaywright(report, !failed) : countJest(report, !failed);
  const verdict = verdictOf(count, timedOut);
  const [first = lastLineOf(output)] = count.failures ?? [];
  return { verdict, why: verdict === 'SURVIVED' ? `${count.passed} tests of ${test} passed` : first };
}

function lastLineOf(output: string): string {
  return output.trim().split('\n').at(-1) ?? '';
}

function namePattern(option: string, title?: string): readonly string[] {
  return title === undefined ? [] : [`${option}=${title}`];
}

function playwright(test: string, title?: string): readonly [folder: string, args: readonly string[]] {
  const [, folder = ''] = test.split('/');
  const project = ['nginx', 'stack'].includes(folder) ? folder : 'desktop';
  const options = ['--config=e2e/playwright.config.ts', '--reporter=json', `--project=${project}`];
  return ['.', ['node_modules/@playwright/test/cli.js', 'test', ...options, ...namePattern('--grep', title), test]];
}

function jest(test: string, report: string, title?: string): readonly [folder: string, args: readonly string[]] {
  const [workspace = '', ...path] = test.split('/');
  const pattern = `--testPathPatterns=${path.join('/').replaceAll('.', String.raw`\.`)}$`;
  // A test that a fault fails may leave a connection open, which would keep Jest alive.
  const options = [
    '--json',
    `--outputFile=${report}`,
    `--selectProjects=${projectOf(test)}`,
    '--silent',
    '--forceExit',
  ];
  const program = ['--experimental-vm-modules', resolve('node_modules/jest/bin/jest.js')];
  return [workspace, [...program, ...options, pattern, ...namePattern('--testNamePattern', title)]];
}

function projectOf(test: string): string {
  if (test.startsWith('scripts/')) return 'scripts';
  if (test.startsWith('frontend/')) return test.startsWith('frontend/test/') ? 'built site' : 'source';
  return test.endsWith('.integration.ts') ? 'integration' : 'unit';
}

function isUnit({ test }: Pick<Fault, 'test'>): boolean {
  return /\.test\.tsx?$/.test(test);
}
