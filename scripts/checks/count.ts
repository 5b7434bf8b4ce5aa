import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { JSONReport, JSONReportSuite } from '@playwright/test/reporter';

/** Result of a step. A step without tests of its own counts as one. */
export interface Count {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** Names of the failed tests, if the report of the step has them, and of test files that could not be run. */
  readonly failures?: readonly string[];
  /** Those of the failures that could not be run: files, and tests whose setup failed. */
  readonly unrunnable?: readonly string[];
  /** Skipped tests with the reason, as far as the step knows it. */
  readonly skips?: readonly string[];
}

/** Warning of Jest about an open handle, for which it waits at the end of every run. */
export const LEAK = /failed to exit gracefully/;

const SUMMARY = /^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$/m;

interface JestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly ancestorTitles: readonly string[];
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

/** How `form-service/test/environment.js` marks the failures of tests that did not run. */
const SETUP_FAILURE = 'Setup failed: ';

const isFailed = ({ status }: { readonly status: string }) => status === 'failed';

/** One check that passed or failed as a whole. */
export function countOne(isGood: boolean): Count {
  return { passed: isGood ? 1 : 0, failed: isGood ? 0 : 1, skipped: 0 };
}

/** A step that cannot run on this machine. */
export function skipped(reason: string): Count {
  return { passed: 0, failed: 0, skipped: 1, skips: [reason] };
}

/** Tests in a report of Jest. Skipped tests are listed by their `describe`, followed by `reasons`. */
export function countJest(path: string, isGood: boolean, reasons: readonly string[] = []): Count {
  const report = read<JestReport>(path);
  if (report === undefined) return countOne(false);
  const testFailures = report.testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.filter(isFailed).map(({ fullName, failureMessages: [message = ''] }) => ({
      what: `${relative('.', name)}: ${fullName}`,
      hasRun: !message.startsWith(SETUP_FAILURE),
    })),
  );
  const files = report.testResults
    .filter(({ status, assertionResults }) => status === 'failed' && !assertionResults.some(isFailed))
    .map(({ name }) => `${relative('.', name)}: could not be run`);
  const failures = [...testFailures.map(({ what }) => what), ...files];
  const unrunnable = [...testFailures.filter(({ hasRun }) => !hasRun).map(({ what }) => what), ...files];
  const skips = report.testResults
    .flatMap(({ assertionResults }) => assertionResults.filter((test) => test.status === 'pending'))
    .map(({ ancestorTitles }) => ancestorTitles.join(' '));
  skips.push(...reasons);
  const { numPassedTests: passed, numPendingTests: skipped } = report;
  return orFailed(isGood, { passed, skipped, failures, unrunnable, skips });
}

/** Tests in a report of Playwright. A flaky test counts as failed. */
export function countPlaywright(path: string, isGood: boolean): Count {
  const report = read<JSONReport>(path);
  if (report === undefined) return countOne(false);
  const specsIn = ({ specs, suites = [] }: JSONReportSuite): JSONReportSuite['specs'] => [
    ...specs,
    ...suites.flatMap(specsIn),
  ];
  const all = report.suites
    .flatMap(specsIn)
    .flatMap(({ file, title, tests }) => tests.map((test) => ({ ...test, what: `${file}: ${title}` })));
  const left = all.filter(({ status }) => status === 'skipped');
  const failed = all.filter(({ status }) => status !== 'skipped' && status !== 'expected');
  return orFailed(isGood, {
    passed: all.length - left.length - failed.length,
    skipped: left.length,
    failures: failed.map(({ projectName, what }) => `[${projectName}] ${what}`),
    skips: left.map(({ what, annotations }) => annotations[0]?.description ?? `${what}: no reason given`),
  });
}

/** Checks of `e2e/faults` and `e2e/power-cut`, by their summary line and their lines `SKIPPED: REASON`. */
export function countProduct(output: string, isGood: boolean): Count {
  const [passed = 0, failed = 0, skips = 0] =
    SUMMARY.exec(output)
      ?.slice(1)
      .map((count = '0') => Number(count)) ?? [];
  const reasons = [...output.matchAll(/SKIPPED: (.+)/g)].map(([, reason = '']) => reason);
  // A program that ends well without a summary has checked nothing.
  const isEmpty = passed + skips === 0;
  return { passed, failed: failed || (isGood && !isEmpty ? 0 : 1), skipped: skips, skips: reasons };
}

/** A test runner that fails without a failed test counts as one failure. */
function orFailed(isGood: boolean, { failures = [], skips = [], ...count }: Omit<Count, 'failed'>): Count {
  return { ...count, failed: failures.length || (isGood ? 0 : 1), failures, skips: [...new Set(skips)] };
}

/** Returns undefined if the runner has written no report, or was killed while it wrote. */
function read<Report>(path: string): Report | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Report;
  } catch {
    return undefined;
  }
}

export function addCounts(counts: readonly Count[]): Count {
  const sum = (name: 'passed' | 'failed' | 'skipped') => counts.reduce((total, count) => total + count[name], 0);
  const all = (name: 'failures' | 'unrunnable' | 'skips') => counts.flatMap((count) => count[name] ?? []);
  return {
    passed: sum('passed'),
    failed: sum('failed'),
    skipped: sum('skipped'),
    failures: all('failures'),
    unrunnable: all('unrunnable'),
    skips: all('skips'),
  };
}

export function summaryLine({ passed, failed, skipped }: Count): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}
