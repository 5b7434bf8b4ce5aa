import { addCounts, summaryLine, type Count } from './count.ts';

/** A step that has ended. */
export interface Result {
  readonly name: string;
  readonly count: Count;
  readonly seconds: number;
}

/** Lists failures and skipped tests by step, and ends with `N passed, N failed`. */
export function summaryOf(results: readonly Result[]): string {
  const lines = results.flatMap(({ name, count, seconds }) => [
    `${count.failed > 0 ? 'FAILED' : 'ok    '} ${name}: ${summaryLine(count)} (${seconds.toFixed(1)} s)`,
    ...(count.failures ?? []).map((failure) => `         ${failure}`),
  ]);
  const skips = results.flatMap(({ name, count }) => (count.skips ?? []).map((what) => `  ${name}: ${what}`));
  if (skips.length > 0) lines.push('', 'Skipped:', ...skips);
  return `\n${lines.join('\n')}\n\n${summaryLine(addCounts(results.map(({ count }) => count)))}\n`;
}

/** Lists what `--changed` has left out although it can notice the change. */
export function leftOutOf(leftOut: readonly string[]): string {
  if (leftOut.length === 0) return '';
  return `\nLeft out, although the change may concern it:\n  ${leftOut.join('\n  ')}\nnpm test runs everything.\n`;
}

/** Returns the exit code: 1 if a test failed or none passed. A selection may be empty. */
export function exitCodeOf(results: readonly Result[], isSelection = false): 0 | 1 {
  if (isSelection && results.length === 0) return 0;
  const { passed, failed } = addCounts(results.map(({ count }) => count));
  return failed > 0 || passed === 0 ? 1 : 0;
}
