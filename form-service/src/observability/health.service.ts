import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { Gauge } from 'prom-client';

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

const checkOk = new Gauge({
  name: 'kitewright_health_check_ok',
  help: 'Whether a part that the process depends on is well: 1, or 0 when it is degraded or down',
  labelNames: ['check'],
});
const lastSuccess = new Gauge({
  name: 'kitewright_task_last_success_timestamp_seconds',
  help: 'When a periodic task last ended well, in Unix time; until it has, when the process was started',
  labelNames: ['task'],
});

/**
 * Runs the check of every part that registered one, and watches the periodic tasks: one that hangs or keeps failing is
 * noticed. Causes name parts and codes, never a visitor's data or a secret.
 */
@Injectable()
export class HealthService {
  private readonly log = new Logger('Tasks');
  private readonly checks = new Map<string, HealthCheck>();
  private readonly tasks = new Map<string, { readonly maxAgeMs: number; succeededAt: number }>();
  private latest: { readonly at: number; readonly report: Promise<HealthReport> } | undefined;

  register(name: string, check: HealthCheck): void {
    this.checks.set(name, check);
  }

  /** The latest result, at most {@link CACHE_MS} old. */
  report(): Promise<HealthReport> {
    const now = performance.now();
    if (!this.latest || now - this.latest.at >= CACHE_MS) this.latest = { at: now, report: this.look() };
    return this.latest.report;
  }

  /** Announces a periodic task, which is stalled when no run has succeeded for so long. */
  expectTask(name: string, maxAgeMs: number): void {
    this.tasks.set(name, { maxAgeMs, succeededAt: Date.now() });
    lastSuccess.set({ task: name }, Date.now() / 1_000);
    this.register('tasks', () =>
      this.stalledTasks.length === 0
        ? { status: 'ok' }
        : { status: 'down', cause: `stalled: ${this.stalledTasks.join(', ')}` },
    );
  }

  /** Runs a task once. A failure is logged, and the next run follows as usual. */
  async runTask(name: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
      const task = this.tasks.get(name);
      if (task) task.succeededAt = Date.now();
      lastSuccess.set({ task: name }, Date.now() / 1_000);
    } catch (error) {
      const { code, name: kind, message } = error as NodeJS.ErrnoException;
      const cause = code ?? (kind === 'StorageUnavailableError' ? message : kind);
      this.log.warn({ event: 'task failed', task: name, code: cause });
    }
  }

  get stalledTasks(): readonly string[] {
    const stalled = [...this.tasks].filter(([, task]) => Date.now() - task.succeededAt > task.maxAgeMs);
    return stalled.map(([name]) => name);
  }

  private async look(): Promise<HealthReport> {
    const checks = await Promise.all([...this.checks].map(async ([name, check]) => [name, await ask(check)] as const));
    for (const [check, { status }] of checks) checkOk.set({ check }, status === 'ok' ? 1 : 0);
    return { ready: checks.every(([, { status }]) => status !== 'down'), checks: Object.fromEntries(checks) };
  }
}

function ask(check: HealthCheck): Promise<CheckResult> {
  const late = { status: 'down', cause: 'no answer in time' } as const;
  return Promise.race([pause(TIMEOUT_MS, late, { ref: false }), Promise.resolve().then(check)]).catch(
    (error: unknown) => ({ status: 'down', cause: error instanceof Error ? error.name : 'unknown error' }),
  );
}
