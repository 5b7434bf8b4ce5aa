import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';

/** How a step went. A step that is one yes or no counts as one. */
export interface Count {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** Names of the failed tests, where the step has a report that tells. */
  readonly failures?: readonly string[];
  /** What was skipped and why, as far as the step can tell. */
  readonly skips?: readonly string[];
}

/** One test of a report. */
interface Outcome {
  readonly status: 'passed' | 'failed' | 'skipped';
  /** Of a failed test its name, of a skipped one the reason. */
  readonly what: string;
}

interface JestReport {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly ancestorTitles: readonly string[];
      readonly status: string;
    }[];
  }[];
}

interface PlaywrightReport {
  readonly suites: readonly PlaywrightSuite[];
  readonly errors: readonly { readonly message?: string }[];
}

interface PlaywrightSuite {
  readonly suites?: readonly PlaywrightSuite[];
  readonly specs: readonly {
    readonly file: string;
    readonly line: number;
    readonly title: string;
    readonly tests: readonly {
      readonly projectName: string;
      readonly status: string;
      readonly annotations: readonly { readonly description?: string }[];
    }[];
  }[];
}

/** One check that passed or failed as a whole. */
export function countOne(isGood: boolean): Count {
  return { passed: isGood ? 1 : 0, failed: isGood ? 0 : 1, skipped: 0 };
}

/** A step that this machine cannot do. */
export function skipped(reason: string): Count {
  return { passed: 0, failed: 0, skipped: 1, skips: [reason] };
}

/** Tests in a report of Jest. It has no place for the reasons why tests were skipped: these are told beside what was. */
export function countJest(path: string, isGood: boolean, reasons: readonly string[] = []): Count {
  const count = countReport(path, isGood, ({ testResults }: JestReport) =>
    testResults.flatMap(({ name, status, assertionResults }) => {
      const file = relative('.', name);
      if (status === 'failed' && !assertionResults.some((test) => test.status === 'failed'))
        return [{ status, what: `${file} could not be run` }];
      return assertionResults.flatMap(({ status: outcome, fullName, ancestorTitles }): Outcome[] => {
        if (outcome === 'pending') return [{ status: 'skipped', what: ancestorTitles.join(' ') }];
        return outcome === 'passed' || outcome === 'failed' ? [{ status: outcome, what: `${file}: ${fullName}` }] : [];
      });
    }),
  );
  return { ...count, skips: [...(count.skips ?? []), ...reasons] };
}

/** Tests in a report of Playwright; one that passed only at a second try counts as failed. */
export function countPlaywright(path: string, isGood: boolean): Count {
  const outcomesIn = ({ suites = [], specs }: PlaywrightSuite): Outcome[] => [
    ...specs.flatMap(({ file, line, title, tests }) =>
      tests.map(({ projectName, status, annotations }): Outcome => {
        if (status === 'skipped')
          return { status, what: `${file}: ${annotations[0]?.description ?? 'no reason given'}` };
        return {
          status: status === 'expected' ? 'passed' : 'failed',
          what: `[${projectName}] ${file}:${line}: ${title}`,
        };
      }),
    ),
    ...suites.flatMap(outcomesIn),
  ];
  return countReport(path, isGood, ({ suites, errors }: PlaywrightReport) => [
    ...suites.flatMap(outcomesIn),
    ...errors.map(({ message = 'An error outside of every test' }) => ({ status: 'failed', what: message }) as const),
  ]);
}

/** A runner that ended badly without a failed test, or without a report, counts as one failure. */
function countReport<Report>(path: string, isGood: boolean, read: (report: Report) => readonly Outcome[]): Count {
  if (!existsSync(path)) return countOne(false);
  const outcomes = read(JSON.parse(readFileSync(path, 'utf8')) as Report);
  const having = (status: Outcome['status']) => outcomes.filter((one) => one.status === status).map(({ what }) => what);
  const [failures, skips] = [having('failed'), having('skipped')];
  const failed = failures.length || (isGood ? 0 : 1);
  return { passed: having('passed').length, failed, skipped: skips.length, failures, skips: [...new Set(skips)] };
}

export function addCounts(counts: readonly Count[]): Count {
  const sum = (name: 'passed' | 'failed' | 'skipped') => counts.reduce((total, count) => total + count[name], 0);
  return { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') };
}

/** The plain closing line of a run. */
export function closingLine({ passed, failed, skipped }: Count): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}
