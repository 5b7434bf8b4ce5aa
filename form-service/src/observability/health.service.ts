import { Injectable } from '@nestjs/common';
import { Registry } from 'prom-client';
import { gauge } from './metrics.ts';

/** The state of a part that the process depends on. */
export type CheckResult =
  | { readonly status: 'ok' }
  /** Something is wrong, but the process does its work. */
  | { readonly status: 'degraded'; readonly cause: string }
  /** The process cannot do its work. */
  | { readonly status: 'down'; readonly cause: string };

export type HealthCheck = () => CheckResult | Promise<CheckResult>;

export interface HealthReport {
  readonly ready: boolean;
  readonly checks: Readonly<Record<string, CheckResult>>;
}

/** A check that does not answer in this time counts as down. */
const TIMEOUT_MS = 2_000;

/** The result of the checks is kept for this long and given to whoever asks meanwhile. */
const CACHE_MS = 2_000;

/**
 * Runs the check of every part that registered one. Causes name parts and codes, never a visitor's data or a secret.
 */
@Injectable()
export class HealthService {
  private readonly checks = new Map<string, HealthCheck>();
  private latest: { readonly at: number; readonly report: Promise<HealthReport> } | undefined;
  private readonly gauge = gauge(
    'health_check_ok',
    'Whether a part that the process depends on is well: 1, or 0 when it is degraded or down',
    'check',
  );

  constructor(registry: Registry) {
    registry.registerMetric(this.gauge);
  }

  register(name: string, check: HealthCheck): void {
    this.checks.set(name, check);
  }

  /** The latest result, at most {@link CACHE_MS} old. */
  report(): Promise<HealthReport> {
    const now = performance.now();
    if (!this.latest || now - this.latest.at >= CACHE_MS) this.latest = { at: now, report: this.look() };
    return this.latest.report;
  }

  private async look(): Promise<HealthReport> {
    const checks = await Promise.all([...this.checks].map(async ([name, check]) => [name, await ask(check)] as const));
    for (const [check, { status }] of checks) this.gauge.set({ check }, status === 'ok' ? 1 : 0);
    return { ready: checks.every(([, { status }]) => status !== 'down'), checks: Object.fromEntries(checks) };
  }
}

async function ask(check: HealthCheck): Promise<CheckResult> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<CheckResult>((resolve) => {
    timer = setTimeout(resolve, TIMEOUT_MS, { status: 'down', cause: 'no answer in time' }).unref();
  });
  try {
    return await Promise.race([Promise.resolve().then(check), timeout]);
  } catch (error) {
    return { status: 'down', cause: error instanceof Error ? error.name : 'unknown error' };
  } finally {
    clearTimeout(timer);
  }
}
