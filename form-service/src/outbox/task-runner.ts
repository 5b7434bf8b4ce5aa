import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, type BeforeApplicationShutdown, type OnModuleDestroy } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { Log } from '../observability/log.ts';
import { endsWithin, SHUTDOWN_MS } from './leases.ts';

/** Periodic work. */
export interface Task {
  readonly name: string;
  /** Pause between two runs in milliseconds, give or take a tenth, so that several workers do not run together. */
  readonly everyMs: number;
  /** Whether it also runs at once when the process starts. */
  readonly isRunAtStart?: boolean;
  /** The task counts as stalled if no run has succeeded for this long, in milliseconds. */
  readonly stalledAfterMs: number;
  run(): unknown;
}

/** The longest pause, as a share of a task's interval. */
const SHARE_MAX = 1.1;

const lastSuccess = new Gauge({
  name: 'kitewright_task_last_success_timestamp_seconds',
  help: 'Last success of a periodic task, in Unix time; before the first one, the start of the process',
  labelNames: ['task'],
});

/**
 * Runs periodic tasks, each in a loop of its own: pause, run, pause. Logs and counts their results, and detects those that
 * hang or keep failing. A graceful shutdown waits for the runs in progress.
 */
@Injectable()
export class TaskRunner implements OnModuleDestroy, BeforeApplicationShutdown {
  /** Maximum time that a shutdown waits, in milliseconds. */
  finishMs = SHUTDOWN_MS;
  private readonly log = new Log('Tasks');
  /** Times of `performance.now()`, because a change of the clock must neither stall a task nor hide that it hangs. */
  private readonly succeededAt = new Map<Task, number>();
  /** Causes of the tasks whose latest run failed. */
  private readonly failures = new Map<string, string>();
  private readonly stopping = new AbortController();
  private loops: readonly Promise<void>[] = [];

  /** Starts the tasks. The first pause is of any length, so that frequent restarts do not keep a rare task from running. */
  start(tasks: readonly Task[]): void {
    for (const task of tasks) this.noteSuccess(task);
    this.loops = [...this.loops, ...tasks.map((task) => this.repeat(task))];
  }

  /** Starts no more runs. */
  stop(): void {
    this.stopping.abort();
  }

  /** Names of the tasks that have not succeeded for too long. */
  get stalled(): readonly string[] {
    const isStalled = ([task, at]: readonly [Task, number]) => performance.now() - at > task.stalledAfterMs;
    return [...this.succeededAt].filter(isStalled).map(([{ name }]) => name);
  }

  /**
   * Runs a task once. A failure is caught, so that the next run takes place. It is logged once for each cause, and so is
   * the first success after it: some tasks run every 2 s.
   */
  async run(task: Task): Promise<void> {
    const { name } = task;
    try {
      await task.run();
      this.noteSuccess(task);
      if (this.failures.delete(name)) this.log.log({ event: 'task succeeds again', task: name });
    } catch (error) {
      const code = codeOf(error);
      if (this.failures.get(name) === code) return;
      this.failures.set(name, code);
      this.log.warn({ event: 'task failed', task: name, code });
    }
  }

  onModuleDestroy(): void {
    this.stop();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await endsWithin(this.finishMs, Promise.all(this.loops));
  }

  private async repeat(task: Task): Promise<void> {
    const { signal } = this.stopping;
    for (let share = task.isRunAtStart ? 0 : Math.random(); ; share = SHARE_MAX - 0.2 * Math.random()) {
      await pause(task.everyMs * share, undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted) return;
      await this.run(task);
    }
  }

  private noteSuccess(task: Task): void {
    this.succeededAt.set(task, performance.now());
    lastSuccess.set({ task: task.name }, Date.now() / 1_000);
  }
}

/** Code of an error, or its name. The messages of the unavailable stores name their setting, a code, and no value. */
function codeOf(error: unknown): string {
  const { code, name = 'unknown error', message = '' } = (error ?? {}) as Partial<NodeJS.ErrnoException>;
  return name.endsWith('UnavailableError') ? message : (code ?? name);
}
