import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { Gauge } from 'prom-client';
import type { Check, CheckResult, HealthReport } from './checks.ts';
import { checksFor, PARTS, type Parts } from './checks.ts';
import { VERSION } from '../settings/version.ts';

const checkOk = new Gauge({
  name: 'kitewright_health_check_ok',
  help: 'Health of a dependency: 1, or 0 when it is degraded or down',
  labelNames: ['check'],
});

/** Runs the checks for which a process has the parts. */
@Injectable()
export class HealthService {
  /** Time for which the results are cached, in milliseconds. */
  cacheMs = 2_000;
  /** Timeout of a check, in milliseconds. After it the part counts as down. */
  timeoutMs = 2_000;
  readonly checks: Check[];
  /**
   * Runs that no report has had yet. A check that hangs is not started again, so that its statements do not pile up. A
   * result that came too late for a report is in the next one.
   */
  private readonly running = new Map<Check, Promise<CheckResult>>();
  private latest: { readonly at: number; readonly results: Promise<ReadonlyMap<Check, CheckResult>> } | undefined;

  constructor(@Inject(PARTS) parts: Partial<Parts>) {
    this.checks = checksFor(parts);
  }

  async report(): Promise<HealthReport> {
    return reportOf(await this.results());
  }

  /** Returns the latest results, at most {@link cacheMs} old. */
  results(): Promise<ReadonlyMap<Check, CheckResult>> {
    const now = performance.now();
    if (!this.latest || now - this.latest.at >= this.cacheMs) this.latest = { at: now, results: this.runAll() };
    return this.latest.results;
  }

  private async runAll(): Promise<ReadonlyMap<Check, CheckResult>> {
    const run = async (check: Check) => [check, await this.resultOf(check)] as const;
    const results = new Map(await Promise.all(this.checks.map(run)));
    checkOk.reset();
    for (const [{ name }, { status }] of results) checkOk.set({ check: name }, status === 'ok' ? 1 : 0);
    return results;
  }

  private async resultOf(check: Check): Promise<CheckResult> {
    const run = this.running.get(check) ?? resultOf(check);
    this.running.set(check, run);
    const { timeoutMs = this.timeoutMs } = check;
    const result = await Promise.race([run, pause(timeoutMs, undefined, { ref: false })]);
    if (result) this.running.delete(check);
    return result ?? { status: 'down', cause: `no answer within ${timeoutMs / 1_000} s`, isUnknown: true };
  }
}

/** Returns what a report shows. It is ready unless a check is down. */
export function reportOf(results: ReadonlyMap<Pick<Check, 'name'>, CheckResult>): HealthReport {
  const shown = [...results].map(([{ name }, { status, cause, advice }]) => [
    name,
    status === 'ok' ? { status } : { status, cause, advice },
  ]);
  const ready = [...results.values()].every(({ status }) => status !== 'down');
  return { ready, version: VERSION, checks: Object.fromEntries(shown) };
}

/** Runs a check. Its errors have unknown words, so only their names are reported. */
async function resultOf(check: Check): Promise<CheckResult> {
  try {
    return await check.run();
  } catch (error) {
    return { status: 'down', cause: error instanceof Error ? error.name : 'unknown error', isUnknown: true };
  }
}
