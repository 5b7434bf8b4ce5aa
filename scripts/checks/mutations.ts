import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { execa } from 'execa';
import { parse } from 'yaml';
import { requirePrograms } from '../stack/programs.ts';
import { requireChromium } from './browser.ts';
import { installOptional } from './optional-programs.ts';

/**
 * Mutation tests: applies one realistic fault at a time to the source, and runs the test that must fail. Survivors, and
 * faults whose code no longer exists, fail the run. The checkout contains faults during the run, so use a separate one.
 *
 *     node scripts/run.mjs scripts/checks/mutations.ts [--unit] [--since TIME] [PATH ...]
 */
interface Fault {
  readonly fault: string;
  readonly code: string;
  readonly becomes: string;
  /** Path of the test file that catches the fault. */
  readonly test: string;
  /** Pattern of the tests to run, as Jest's `--testNamePattern`. */
  readonly title?: string;
  /** Reason why the fault may survive. It is skipped. */
  readonly accepted?: string;
}

type Mutation = Fault & { readonly file: string };
type Verdict = 'caught' | 'SURVIVED' | 'BROKEN';

/** Maximum time of one test file. After it there is no verdict: the machine may be busy. */
const TEST_MAX_MS = 10 * 60_000;

const FAULTS = 'scripts/checks/mutations.yaml';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** Only faults that a unit test catches. */
    unit: { type: 'boolean', default: false },
    /** Only files that commits have changed since then, for example `yesterday`. */
    since: { type: 'string' },
  },
});

const isUnit = ({ test }: Pick<Fault, 'test'>) => /\.test\.tsx?$/.test(test);
const byFile = parse(readFileSync(FAULTS, 'utf8')) as Record<string, Fault[]>;
const all = Object.entries(byFile).flatMap(([file, faults]) => faults.map((fault): Mutation => ({ ...fault, file })));
const changed = values.since === undefined ? undefined : changedSince(values.since);
const chosen = all.filter(
  ({ file, test }) =>
    (!values.unit || isUnit({ test })) &&
    (!changed || changed.has(file) || changed.has(test)) &&
    (positionals.length === 0 || positionals.some((path) => file.startsWith(path) || test.startsWith(path))),
);

const count = { caught: 0, SURVIVED: 0, BROKEN: 0, accepted: 0 };
const unfit = chosen.filter((mutation) => occurrences(mutation) !== 1);
const runnable = chosen.filter((mutation) => occurrences(mutation) === 1 && mutation.accepted === undefined);
for (const { file, fault, code } of unfit) {
  count.BROKEN += 1;
  process.stdout.write(`BROKEN    ${file}: ${fault} (the file does not have exactly one ${JSON.stringify(code)})\n`);
}
count.accepted = chosen.length - unfit.length - runnable.length;

if (!runnable.every(isUnit)) {
  requirePrograms(true);
  for (const subject of ['The virus scan', 'Object storage', 'PostgreSQL'] as const) installOptional(subject);
}
if (runnable.some(({ test }) => test.startsWith('e2e/'))) await requireChromium();

// The exit handler in judge() restores the source.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const green = new Set<string>();
for (const mutation of runnable) {
  const startedAt = performance.now();
  const verdict = await judge(mutation);
  count[verdict] += 1;
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
  process.stdout.write(`${verdict.padEnd(9)} ${mutation.file}: ${mutation.fault} (${mutation.test}, ${seconds} s)\n`);
}
process.stdout.write(
  `\n${all.length} faults, ${chosen.length} chosen: ${count.caught} caught, ${count.SURVIVED} survived, ` +
    `${count.accepted} accepted, ${count.BROKEN} broken\n`,
);
process.exitCode = count.SURVIVED + count.BROKEN > 0 ? 1 : 0;

/** Runs the test without the fault, unless it has passed before, and then with it. */
async function judge(mutation: Mutation): Promise<Verdict> {
  const { file, code, becomes, test, title = '' } = mutation;
  if (!green.has(test + title)) {
    if ((await run(mutation)) !== 'passed') return 'BROKEN';
    green.add(test + title);
  }
  const original = readFileSync(file, 'utf8');
  const restore = () => writeFileSync(file, original);
  process.once('exit', restore);
  try {
    writeFileSync(
      file,
      original.replace(code, () => becomes),
    );
    return ({ passed: 'SURVIVED', failed: 'caught', unreadable: 'BROKEN' } as const)[await run(mutation)];
  } finally {
    restore();
    process.removeListener('exit', restore);
  }
}

/** Runs the tests of a mutation. A syntax error, a timeout or a title that no test has is no verdict. */
async function run({ test, title }: Mutation): Promise<'passed' | 'failed' | 'unreadable'> {
  const [workspace = ''] = test.split('/');
  const [folder, args] =
    workspace === 'e2e'
      ? ['.', ['node_modules/@playwright/test/cli.js', 'test', ...playwright(test)]]
      : [workspace, ['--experimental-vm-modules', '../node_modules/jest/bin/jest.js', ...jest(test, title)]];
  const options = { cwd: folder, stdin: 'ignore', all: true, reject: false, timeout: TEST_MAX_MS } as const;
  const { all: output, failed, timedOut } = await execa(process.execPath, args, options);
  if (/^Tests: +\d+ skipped, \d+ total$/m.test(output)) return 'unreadable';
  if (!failed) return 'passed';
  if (timedOut) return 'unreadable';
  return /Syntax Error|SyntaxError/.test(output) ? 'unreadable' : 'failed';
}

function playwright(test: string): string[] {
  const [, folder = ''] = test.split('/');
  const project = ['nginx', 'stack'].includes(folder) ? folder : 'desktop';
  return ['--config=e2e/playwright.config.ts', '--reporter=line', `--project=${project}`, test];
}

function jest(test: string, title?: string): string[] {
  const [, path = ''] = /^[^/]+\/(.*)$/.exec(test) ?? [];
  const project = test.startsWith('frontend/test/')
    ? 'built site'
    : test.startsWith('frontend/')
      ? 'source'
      : test.endsWith('.integration.ts')
        ? 'integration'
        : 'unit';
  const selection = [`--selectProjects=${project}`, `--testPathPatterns=${path.replaceAll('.', String.raw`\.`)}$`];
  return [...selection, ...(title === undefined ? [] : [`--testNamePattern=${title}`]), '--silent', '--bail'];
}

function occurrences({ file, code }: Mutation): number {
  return existsSync(file) ? readFileSync(file, 'utf8').split(code).length - 1 : 0;
}

/** Files changed by commits since `time`, and those with uncommitted changes. */
function changedSince(time: string): ReadonlySet<string> {
  const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).split('\n');
  return new Set([...git('log', `--since=${time}`, '--name-only', '--format='), ...git('diff', '--name-only', 'HEAD')]);
}
