import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Gauge } from 'prom-client';
import type { AlertKind } from './alert-kinds.ts';

/** Result of a check. Cause and advice contain names and codes, never visitors' data or secrets. */
export interface CheckResult {
  /** With `degraded` the process does its work, in spite of a problem; with `down` it cannot. */
  readonly status: 'ok' | 'degraded' | 'down';
  readonly cause?: string;
  /** Remedy for the operator. With the status `ok` it is about something optional. */
  readonly advice?: string;
  /** References or names of what is affected, for the alert. An empty list raises none. */
  readonly affected?: readonly string[];
  /** Words for the post of the alert only, such as the mail server's, which can hold an address. */
  readonly details?: string | undefined;
  /** Whether the alert is raised without waiting. */
  readonly isUrgent?: boolean;
  /** Whether the check itself failed or took too long, so that nothing is known about the part. */
  readonly isUnknown?: boolean;
}

/** Diagnosis of one part. Health checks, alerts and `doctor` run the same one. */
export interface Check {
  readonly name: string;
  run(): CheckResult | Promise<CheckResult>;
  /** Whether it reads the database. While the check `storage` fails, it is left out if it cannot be made. */
  readonly needsStorage?: boolean;
  /** Alert that is raised while the check is not ok, and for how many milliseconds that must last first. */
  readonly alert?: { readonly kind: AlertKind; readonly afterMs?: number };
}

export interface HealthReport {
  readonly ready: boolean;
  readonly checks: Readonly<Record<string, Pick<CheckResult, 'status' | 'cause' | 'advice'>>>;
}

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
  /** Timeout of a check, in milliseconds. After it the part counts as down. */
  timeoutMs = 2_000;
  readonly checks: Check[] = [];
  /** Runs in progress. A check that hangs is not started again, so that its statements do not pile up. */
  private readonly running = new Map<Check, Promise<CheckResult>>();
  /** Results that came too late for a report. The next one has them, unless it gets newer ones in time. */
  private readonly lateResults = new Map<Check, CheckResult>();
  private startCheck: Check | undefined;
  private latest: { readonly at: number; readonly results: Promise<ReadonlyMap<Check, CheckResult>> } | undefined;

  /** @throws Error if a check of this name, or with this alert, exists: one would hide the other, or end its alert */
  add(...checks: readonly Check[]): void {
    for (const check of checks) {
      const { name, alert } = check;
      const other = this.checks.find((one) => one.name === name || (alert && one.alert?.kind === alert.kind));
      if (other) throw new Error(`The checks "${other.name}" and "${name}" have the same name or the same alert.`);
      this.checks.push(check);
    }
  }

  /** Sets the check of whether the process has started. Once it is ok, it must stay so. */
  setStartCheck(check: Check): void {
    this.startCheck = check;
  }

  /** Returns whether the process has started. */
  async startReport(): Promise<HealthReport> {
    return reportOf(this.startCheck ? new Map([[this.startCheck, await this.resultOf(this.startCheck)]]) : new Map());
  }

  async report(): Promise<HealthReport> {
    return reportOf(await this.results());
  }

  /**
   * Returns the latest results, at most {@link cacheMs} old. Unknown ones that need a storage that fails are left out. A
   * full disk can still be read, so its other faults are reported.
   */
  results(): Promise<ReadonlyMap<Check, CheckResult>> {
    const now = performance.now();
    if (!this.latest || now - this.latest.at >= this.cacheMs) this.latest = { at: now, results: this.runAll() };
    return this.latest.results;
  }

  private async runAll(): Promise<ReadonlyMap<Check, CheckResult>> {
    const run = async (check: Check) => [check, await this.resultOf(check)] as const;
    const all = await Promise.all(this.checks.map(run));
    const hasStorage = all.every(([{ name }, { status }]) => name !== 'storage' || status !== 'down');
    const results = new Map(all.filter(([check, { isUnknown }]) => hasStorage || !check.needsStorage || !isUnknown));
    checkOk.reset();
    for (const [{ name }, { status }] of results) checkOk.set({ check: name }, status === 'ok' ? 1 : 0);
    return results;
  }

  /** Returns the result of a check. If this run takes too long, it is that of a run that ended since the last report. */
  private async resultOf(check: Check): Promise<CheckResult> {
    const before = this.lateResults.get(check);
    const run = this.running.get(check) ?? resultOf(check);
    this.running.set(check, run);
    const ended = run.finally(() => this.running.delete(check));
    const inTime = await Promise.race([ended, pause(this.timeoutMs, undefined, { ref: false })]);
    this.lateResults.delete(check);
    if (inTime) return inTime;
    void ended.then((result) => this.lateResults.set(check, result));
    return before ?? { status: 'down', cause: 'no answer in time', isUnknown: true };
  }
}

function reportOf(results: ReadonlyMap<Check, CheckResult>): HealthReport {
  const shown = [...results].map(([{ name }, { status, cause, advice }]) => [
    name,
    status === 'ok' ? { status } : { status, cause, advice },
  ]);
  return { ready: [...results.values()].every(({ status }) => status !== 'down'), checks: Object.fromEntries(shown) };
}

/** Runs a check. Its errors have unknown words, so only their names are reported. */
async function resultOf({ run }: Check): Promise<CheckResult> {
  try {
    return await run();
  } catch (error) {
    return { status: 'down', cause: error instanceof Error ? error.name : 'unknown error', isUnknown: true };
  }
}
