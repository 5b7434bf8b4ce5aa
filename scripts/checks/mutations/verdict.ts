import type { Count } from '../count.ts';

export const VERDICTS = ['caught', 'SURVIVED', 'BROKEN', 'TIMED OUT'] as const;

/**
 * - `caught`: the report names a test that failed
 * - `SURVIVED`: all tests passed
 * - `BROKEN`: no test ran, for example because the fault does not compile or a setup failed
 * - `TIMED OUT`: no test failed in time
 */
export type Verdict = (typeof VERDICTS)[number];

/** Judges a run of the tests with a fault by its report. */
export function verdictOf({ passed, failed, failures = [], unrunnable = [] }: Count, timedOut: boolean): Verdict {
  if (failures.length > unrunnable.length) return 'caught';
  if (timedOut) return 'TIMED OUT';
  return failed === 0 && passed > 0 ? 'SURVIVED' : 'BROKEN';
}
