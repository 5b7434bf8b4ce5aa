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

interface JestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numRuntimeErrorTestSuites: number;
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
  readonly stats: {
    readonly expected: number;
    readonly unexpected: number;
    readonly flaky: number;
    readonly skipped: number;
  };
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
      readonly annotations: readonly { readonly type: string; readonly description?: string }[];
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

/** Tests in a report of Jest, which has no place for the reasons why tests were skipped. */
export function countJest(path: string, isGood: boolean, reasons: readonly string[] = []): Count {
  return countReport(path, isGood, (report: JestReport) => ({
    passed: report.numPassedTests,
    failed: report.numFailedTests + report.numRuntimeErrorTestSuites,
    skipped: report.numPendingTests,
    skips: [
      ...new Set(
        report.testResults.flatMap(({ assertionResults }) =>
          assertionResults
            .filter(({ status }) => status === 'pending')
            .map(({ ancestorTitles }) => ancestorTitles.join(' ')),
        ),
      ),
      ...reasons,
    ],
    failures: report.testResults.flatMap(({ name, status, assertionResults }) => {
      const failed = assertionResults
        .filter((test) => test.status === 'failed')
        .map(({ fullName }) => `${relative('.', name)}: ${fullName}`);
      return status === 'failed' && failed.length === 0 ? [`${relative('.', name)} could not be run`] : failed;
    }),
  }));
}

/** Tests in a report of Playwright; one that passed only at a second try counts as failed. */
export function countPlaywright(path: string, isGood: boolean): Count {
  return countReport(path, isGood, ({ stats, errors, suites }: PlaywrightReport) => ({
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky + errors.length,
    skipped: stats.skipped,
    skips: [...new Set(suites.flatMap(skipsIn))],
    failures: [
      ...suites.flatMap(failuresIn),
      ...errors.map(({ message }) => message ?? 'An error outside of every test'),
    ],
  }));
}

function failuresIn({ suites = [], specs }: PlaywrightSuite): string[] {
  const own = specs.flatMap(({ file, line, title, tests }) =>
    tests
      .filter(({ status }) => status === 'unexpected' || status === 'flaky')
      .map(({ projectName }) => `[${projectName}] ${file}:${line}: ${title}`),
  );
  return [...own, ...suites.flatMap(failuresIn)];
}

function skipsIn({ suites = [], specs }: PlaywrightSuite): string[] {
  const own = specs.flatMap(({ file, tests }) =>
    tests
      .filter(({ status }) => status === 'skipped')
      .flatMap(({ annotations }) =>
        annotations.map(({ description = 'no reason given' }) => `${file}: ${description}`),
      ),
  );
  return [...own, ...suites.flatMap(skipsIn)];
}

/** A runner that ended badly without a failed test, or without a report, counts as one failure. */
function countReport<Report>(path: string, isGood: boolean, read: (report: Report) => Count): Count {
  if (!existsSync(path)) return countOne(false);
  const count = read(JSON.parse(readFileSync(path, 'utf8')) as Report);
  return isGood || count.failed > 0 ? count : { ...count, failed: 1 };
}

export function addCounts(counts: readonly Count[]): Count {
  return counts.reduce(
    (sum, count) => ({
      passed: sum.passed + count.passed,
      failed: sum.failed + count.failed,
      skipped: sum.skipped + count.skipped,
    }),
    { passed: 0, failed: 0, skipped: 0 },
  );
}

/** The plain closing line of a run. */
export function closingLine({ passed, failed, skipped }: Count): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}
