import { Injectable, Logger } from '@nestjs/common';
import { Registry } from 'prom-client';
import { HealthService } from './health.service.ts';
import { gauge } from './metrics.ts';

interface Task {
  /** A task is stalled when no run has succeeded for this long. */
  readonly maxAgeMs: number;
  lastSuccess: number;
}

/** Records when each periodic task last succeeded, so that one which hangs or keeps failing is noticed. */
@Injectable()
export class TaskHealth {
  private readonly log = new Logger('Tasks');
  private readonly tasks = new Map<string, Task>();
  private readonly lastRun = gauge(
    'task_last_success_timestamp_seconds',
    'When a periodic task last ended well, in Unix time; until it has, when the process was started',
    'task',
  );

  constructor(registry: Registry, health: HealthService) {
    registry.registerMetric(this.lastRun);
    health.register('tasks', () => {
      const lastRuns = Object.fromEntries(
        [...this.tasks].map(([name, { lastSuccess }]) => [name, new Date(lastSuccess).toISOString()]),
      );
      const stalled = this.stalled;
      return stalled.length > 0
        ? { status: 'down', cause: `stalled: ${stalled.join(', ')}`, lastRuns }
        : { status: 'ok', lastRuns };
    });
  }

  expect(name: string, maxAgeMs: number): void {
    this.tasks.set(name, { maxAgeMs, lastSuccess: Date.now() });
    this.lastRun.set({ task: name }, Date.now() / 1_000);
  }

  /** Runs a task once. A failure is logged, and the next run follows as usual. */
  async run(name: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
      const task = this.tasks.get(name);
      if (task) task.lastSuccess = Date.now();
      this.lastRun.set({ task: name }, Date.now() / 1_000);
    } catch (error) {
      const { code, name: kind, message } = error as NodeJS.ErrnoException;
      this.log.warn({
        event: 'task failed',
        task: name,
        code: code ?? (kind === 'StorageUnavailableError' ? message : kind),
      });
    }
  }

  get stalled(): readonly string[] {
    return [...this.tasks]
      .filter(([, { maxAgeMs, lastSuccess }]) => Date.now() - lastSuccess > maxAgeMs)
      .map(([name]) => name);
  }
}
