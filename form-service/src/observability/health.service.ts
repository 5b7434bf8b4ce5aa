import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Gauge } from 'prom-client';

/** Result of a check. Cause and advice contain names and codes, never visitors' data or secrets. */
export interface CheckResult {
  /** With `degraded` the process does its work, in spite of a problem; with `down` it cannot. */
  readonly status: 'ok' | 'degraded' | 'down';
  readonly cause?: string;
  /** Remedy for the operator. With the status `ok` it is about something optional. */
  readonly advice?: string;
  /** References or names of what is affected, for the alert. An empty list raises none. */
  readonly affected?: readonly string[];
  /** Begin of the fault in milliseconds since the epoch, if the part knows it. */
  readonly since?: number | undefined;
  /** Whether the alert is raised without waiting. */
  readonly isUrgent?: boolean;
  /** Whether the check itself failed or took too long, so that nothing is known about the part. */
  readonly isUnknown?: boolean;
}

/** Diagnosis of one part. Health checks, alerts and `doctor` run the same one. */
export interface Check {
  readonly name: string;
  run(): CheckResult | Promise<CheckResult>;
  /** Whether it reads the database, so that it is left out while the check `storage` fails. */
  readonly needsStorage?: boolean;
  /** Alert that is raised while the check is not ok, and for how many milliseconds that must last first. */
  readonly alert?: { readonly kind: string; readonly afterMs?: number };
}

export interface HealthReport {
  readonly ready: boolean;
  readonly checks: Readonly<Record<string, Pick<CheckResult, 'status' | 'cause'>>>;
}

/** Timeout of a check. After it the part counts as down. */
const TIMEOUT_MS = 2_000;

const checkOk = new Gauge({
  name: 'kitewright_health_check_ok',
  help: 'Health of a dependency: 1, or 0 when it is degraded or down',
  labelNames: ['check'],
});

/** Runs the checks of a process. */
@Injectable()
export class HealthService {
  /** Time for which the results are cached, in milliseconds. */
  cacheMs = 2_000;
  readonly checks: Check[] = [];
  private startCheck: Check | undefined;
  private latest: { readonly at: number; readonly results: Promise<ReadonlyMap<Check, CheckResult>> } | undefined;

  add(...checks: readonly Check[]): void {
    this.checks.push(...checks);
  }

  /** Sets the check of whether the process has started. Once it is ok, it must stay so. */
  setStartCheck(check: Check): void {
    this.startCheck = check;
  }

  /** Returns whether the process has started. */
  async startReport(): Promise<HealthReport> {
    return reportOf(this.startCheck ? new Map([[this.startCheck, await resultOf(this.startCheck)]]) : new Map());
  }

  async report(): Promise<HealthReport> {
    return reportOf(await this.results());
  }

  /** Returns the latest results, at most {@link cacheMs} old. Those that need a storage that fails are left out. */
  results(): Promise<ReadonlyMap<Check, CheckResult>> {
    const now = performance.now();
    if (!this.latest || now - this.latest.at >= this.cacheMs) this.latest = { at: now, results: this.runAll() };
    return this.latest.results;
  }

  private async runAll(): Promise<ReadonlyMap<Check, CheckResult>> {
    const run = async (check: Check) => [check, await resultOf(check)] as const;
    const results = new Map(await Promise.all(this.checks.filter(({ needsStorage }) => !needsStorage).map(run)));
    const hasStorage = [...results].every(([{ name }, { status }]) => name !== 'storage' || status !== 'down');
    const others = this.checks.filter(({ needsStorage }) => needsStorage);
    for (const [check, result] of hasStorage ? await Promise.all(others.map(run)) : []) results.set(check, result);
    checkOk.reset();
    for (const [{ name }, { status }] of results) checkOk.set({ check: name }, status === 'ok' ? 1 : 0);
    return results;
  }
}

function reportOf(results: ReadonlyMap<Check, CheckResult>): HealthReport {
  const shown = [...results].map(([{ name }, { status, cause }]) => [
    name,
    status === 'ok' ? { status } : { status, cause },
  ]);
  return { ready: [...results.values()].every(({ status }) => status !== 'down'), checks: Object.fromEntries(shown) };
}

function resultOf({ run }: Check): Promise<CheckResult> {
  const late = { status: 'down', cause: 'no answer in time', isUnknown: true } as const;
  return Promise.race([pause(TIMEOUT_MS, late, { ref: false }), Promise.resolve().then(run)]).catch(
    (error: unknown) => ({
      status: 'down',
      cause: error instanceof Error ? error.name : 'unknown error',
      isUnknown: true,
    }),
  );
}
