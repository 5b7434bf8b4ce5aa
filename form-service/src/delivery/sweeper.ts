import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { DeliveryMetrics } from './delivery-metrics.ts';

/** Work that is done again and again. */
export interface SweepPlan {
  readonly name: string;
  /** Least pause after a run, in milliseconds. */
  readonly everyMs: number;
  /** Most of the time that runs may take together: a long one is followed by a longer pause. */
  readonly share: number;
  readonly run: (signal: AbortSignal) => Promise<void>;
}

interface Progress {
  readonly everyMs: number;
  /** Of the last run that ended well, or of the start. */
  lastSuccess: number;
  wake: AbortController;
}

/** A run that is this many times its pause late counts as stalled, but never sooner than after a minute. */
const LATE_FACTOR = 5;
const LATE_LEAST_MS = 60_000;

/** A run is long also when Redis hung or this process was stopped: that must not keep the next one away for minutes. */
const LONGEST_REST_MS = 20_000;

/** How long to wait after a run that took so long, in milliseconds. */
export function pauseAfterRun({ everyMs, share }: Pick<SweepPlan, 'everyMs' | 'share'>, tookMs: number): number {
  return Math.max(everyMs, Math.min(tookMs / share - tookMs, LONGEST_REST_MS));
}

/** Runs the worker's periodic tasks, each at its own pace; a failed run is logged and the next one comes. */
@Injectable()
export class Sweeper implements OnModuleDestroy {
  private readonly log = new Logger('Sweeper');
  private readonly stopping = new AbortController();
  private readonly sweeps = new Map<string, Progress>();
  private readonly loops: Promise<void>[] = [];

  constructor(@Inject(DeliveryMetrics) private readonly metrics: DeliveryMetrics) {}

  start(plan: SweepPlan): void {
    const progress = { everyMs: plan.everyMs, lastSuccess: Date.now(), wake: new AbortController() };
    this.sweeps.set(plan.name, progress);
    this.metrics.lastRun.set({ sweep: plan.name }, progress.lastSuccess / 1_000);
    this.loops.push(this.loop(plan, progress));
  }

  /** Lets a task run now instead of at the end of its pause. */
  hurry(name: string): void {
    this.sweeps.get(name)?.wake.abort();
  }

  /** Names of the tasks that have not ended well for too long. */
  get stalled(): readonly string[] {
    const late = ({ everyMs, lastSuccess }: Progress) => Date.now() - lastSuccess > Math.max(everyMs * LATE_FACTOR, LATE_LEAST_MS);
    return [...this.sweeps].filter(([, progress]) => late(progress)).map(([name]) => name);
  }

  /** When each task last ended well, ISO 8601; for one that has not yet, when it was started. */
  get lastRuns(): Readonly<Record<string, string>> {
    return Object.fromEntries([...this.sweeps].map(([name, { lastSuccess }]) => [name, new Date(lastSuccess).toISOString()]));
  }

  async onModuleDestroy(): Promise<void> {
    this.stopping.abort();
    for (const { wake } of this.sweeps.values()) wake.abort();
    await Promise.all(this.loops);
  }

  private async loop(plan: SweepPlan, progress: Progress): Promise<void> {
    const { name, run } = plan;
    while (!this.stopping.signal.aborted) {
      progress.wake = new AbortController();
      const start = performance.now();
      try {
        await run(this.stopping.signal);
        progress.lastSuccess = Date.now();
        this.metrics.lastRun.set({ sweep: name }, progress.lastSuccess / 1_000);
      } catch (error) {
        const { code, name: kind } = error as NodeJS.ErrnoException;
        this.log.warn({ event: 'sweep failed', sweep: name, code: code ?? kind });
      }
      await pause(pauseAfterRun(plan, performance.now() - start), undefined, { signal: progress.wake.signal }).catch(() => undefined);
    }
  }
}
