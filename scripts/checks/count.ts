import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { JSONReport, JSONReportSuite } from '@playwright/test/reporter';

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

const CLOSING = /^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$/m;

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

/** Tests in a report of Jest. What was skipped is named by its group; `reasons` are told beside it. */
export function countJest(path: string, isGood: boolean, reasons: readonly string[] = []): Count {
  const report = read<JestReport>(path);
  if (report === undefined) return countOne(false);
  const failures = report.testResults.flatMap(({ name, status, assertionResults }) => {
    const failed = assertionResults.filter((test) => test.status === 'failed').map(({ fullName }) => fullName);
    if (status === 'failed' && failed.length === 0) failed.push('could not be run');
    return failed.map((what) => `${relative('.', name)}: ${what}`);
  });
  const skips = report.testResults
    .flatMap(({ assertionResults }) => assertionResults.filter((test) => test.status === 'pending'))
    .map(({ ancestorTitles }) => ancestorTitles.join(' '));
  skips.push(...reasons);
  return orFailed(isGood, { passed: report.numPassedTests, skipped: report.numPendingTests, failures, skips });
}

/** Tests in a report of Playwright; one that passed only at a second try counts as failed. */
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

/** What a program of ours that breaks the product says: `SKIPPED: REASON` where it cannot do something, and its closing line. */
export function countOwn(output: string, isGood: boolean): Count {
  const [passed = 0, failed = 0, skips = 0] =
    CLOSING.exec(output)
      ?.slice(1)
      .map((count = '0') => Number(count)) ?? [];
  const reasons = [...output.matchAll(/SKIPPED: (.+)/g)].map(([, reason = '']) => reason);
  return { passed, failed: failed || (isGood ? 0 : 1), skipped: skips, skips: reasons };
}

/** A runner that ended badly without a failed test counts as one failure. */
function orFailed(isGood: boolean, { failures = [], skips = [], ...count }: Omit<Count, 'failed'>): Count {
  return { ...count, failed: failures.length || (isGood ? 0 : 1), failures, skips: [...new Set(skips)] };
}

function read<Report>(path: string): Report | undefined {
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Report) : undefined;
}

export function addCounts(counts: readonly Count[]): Count {
  const sum = (name: 'passed' | 'failed' | 'skipped') => counts.reduce((total, count) => total + count[name], 0);
  return { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') };
}

/** The plain closing line of a run. */
export function closingLine({ passed, failed, skipped }: Count): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}
