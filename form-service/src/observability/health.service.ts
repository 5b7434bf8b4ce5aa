import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Gauge } from 'prom-client';

/** Result of a health check of a dependency. */
export type CheckResult =
  | { readonly status: 'ok' }
  /** There is a problem, but the process does its work. */
  | { readonly status: 'degraded'; readonly cause: string }
  /** The process cannot do its work. */
  | { readonly status: 'down'; readonly cause: string };

export type HealthCheck = () => CheckResult | Promise<CheckResult>;

export interface HealthReport {
  readonly ready: boolean;
  readonly checks: Readonly<Record<string, CheckResult>>;
}

/** Timeout of a check. After it the dependency counts as down. */
const TIMEOUT_MS = 2_000;

const checkOk = new Gauge({
  name: 'kitewright_health_check_ok',
  help: 'Health of a dependency: 1, or 0 when it is degraded or down',
  labelNames: ['check'],
});
/** Runs the registered health checks. Causes contain names and codes, never visitors' data or secrets. */
@Injectable()
export class HealthService {
  /** Time for which the results of the checks are cached. */
  cacheMs = 2_000;
  private readonly checks = new Map<string, HealthCheck>();
  private readonly startChecks = new Map<string, HealthCheck>();
  private latest: { readonly at: number; readonly report: Promise<HealthReport> } | undefined;

  register(name: string, check: HealthCheck): void {
    this.checks.set(name, check);
  }

  /** Registers a check of whether the process has started. Once it is ok, it must stay so. */
  registerStart(name: string, check: HealthCheck): void {
    this.startChecks.set(name, check);
  }

  /** Returns whether the process has started. */
  startReport(): Promise<HealthReport> {
    return reportOf(this.startChecks);
  }

  /** Returns the latest results, at most {@link cacheMs} old. */
  report(): Promise<HealthReport> {
    const now = performance.now();
    if (!this.latest || now - this.latest.at >= this.cacheMs) this.latest = { at: now, report: this.runChecks() };
    return this.latest.report;
  }

  private async runChecks(): Promise<HealthReport> {
    const report = await reportOf(this.checks);
    for (const [check, { status }] of Object.entries(report.checks)) checkOk.set({ check }, status === 'ok' ? 1 : 0);
    return report;
  }
}

async function reportOf(checks: ReadonlyMap<string, HealthCheck>): Promise<HealthReport> {
  const results = await Promise.all([...checks].map(async ([name, check]) => [name, await resultOf(check)] as const));
  return { ready: results.every(([, { status }]) => status !== 'down'), checks: Object.fromEntries(results) };
}

function resultOf(check: HealthCheck): Promise<CheckResult> {
  const late = { status: 'down', cause: 'no answer in time' } as const;
  return Promise.race([pause(TIMEOUT_MS, late, { ref: false }), Promise.resolve().then(check)]).catch(
    (error: unknown) => ({ status: 'down', cause: error instanceof Error ? error.name : 'unknown error' }),
  );
}
