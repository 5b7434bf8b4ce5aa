import { Logger } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { until } from '../../test/until.ts';
import { HealthService } from '../health/health.service.ts';
import { TaskRunner, type Task } from './task-runner.ts';

const MINUTE = 60_000;

const taskOf = (run: Task['run'], name = 'digest', everyMs = 1): Task => ({
  name,
  everyMs,
  stalledAfterMs: 5 * MINUTE,
  run,
});

/** A task whose first run lasts until the test ends it. */
function longTask() {
  let [begun, end] = [0, () => {}];
  const ended = new Promise<void>((resolve) => (end = resolve));
  const task = taskOf(() => {
    begun += 1;
    return ended;
  });
  return { task, begun: () => begun, end: () => end() };
}

let runner: TaskRunner;
let health: HealthService;
beforeEach(() => {
  runner = new TaskRunner();
  health = new HealthService({ tasks: runner });
  health.cacheMs = 0;
});
afterEach(() => {
  runner.stop();
  jest.restoreAllMocks();
});

/** Time in which a task could run many times. */
const while20Runs = () => new Promise((resolve) => setTimeout(resolve, 20));

describe('TaskRunner > task', () => {
  it('runs again and again, and not before the former run has ended', async () => {
    const { task, begun, end } = longTask();
    runner.start([task]);
    await until('a run', () => begun() === 1);
    await while20Runs();
    expect(begun()).toBe(1);
    end();
    await until('more runs', () => begun() > 3);
  });

  it('runs at any time of its first interval, so that restarts do not keep it from running', async () => {
    jest.spyOn(Math, 'random').mockReturnValue(0);
    const { task, begun } = longTask();
    runner.start([{ ...task, everyMs: 60 * MINUTE, stalledAfterMs: 180 * MINUTE }]);
    await until('a run', () => begun() === 1);
  });

  it('is stalled > it fails or hangs for too long', async () => {
    const hanging = longTask();
    let isFailing = false;
    runner.start([
      taskOf(() => {
        isFailing = true;
        throw new Error('no');
      }, 'failing'),
      { ...hanging.task, name: 'hanging' },
      taskOf(() => undefined, 'working'),
    ]);
    await until('all runs', () => isFailing && hanging.begun() === 1);
    const started = performance.now();
    const now = jest.spyOn(performance, 'now').mockReturnValue(started + 4.9 * MINUTE);
    expect(runner.stalled).toEqual([]);
    now.mockReturnValue(started + 6 * MINUTE);
    await until('another run', () => runner.stalled.length === 2);
    expect(runner.stalled).toEqual(['failing', 'hanging']);
    const { ready, checks } = await health.report();
    expect([ready, checks]).toEqual([false, { tasks: { status: 'down', cause: 'stalled: failing, hanging' } }]);
  });

  it.each([[undefined], [null], ['text']])('runs again > it rejects with %p', async (reason) => {
    let begun = 0;
    runner.start([taskOf(() => (begun++ ? undefined : Promise.reject(reason as unknown)))]);
    await until('another run', () => begun > 1);
  });

  it('is logged once for each cause of its failures, and at their end', async () => {
    const lines: unknown[] = [];
    for (const level of ['log', 'warn'] as const)
      jest.spyOn(Logger.prototype, level).mockImplementation((line) => void lines.push(line));
    const [refused, full] = ['ECONNREFUSED', 'ENOSPC'].map((code) => Object.assign(new Error('a value'), { code }));
    for (const error of [undefined, refused, refused, full, full, refused, undefined, undefined, full])
      await runner.run(taskOf(() => (error ? Promise.reject(error) : undefined)));
    const failed = { event: 'task failed', task: 'digest' };
    expect(lines).toEqual([
      { ...failed, code: 'ECONNREFUSED' },
      { ...failed, code: 'ENOSPC' },
      { ...failed, code: 'ECONNREFUSED' },
      { event: 'task succeeds again', task: 'digest' },
      { ...failed, code: 'ENOSPC' },
    ]);
  });
});

describe('TaskRunner > shutdown', () => {
  it('waits for the run in progress, and starts none', async () => {
    const { task, begun, end } = longTask();
    runner.start([task]);
    await until('a run', () => begun() === 1);
    runner.onModuleDestroy();
    let isOver = false;
    const shutdown = runner.beforeApplicationShutdown().then(() => (isOver = true));
    await while20Runs();
    expect(isOver).toBe(false);
    end();
    await shutdown;
    await while20Runs();
    expect(begun()).toBe(1);
  });

  it('does not wait for a run that hangs', async () => {
    const { task, begun } = longTask();
    runner.start([task]);
    runner.finishMs = 20;
    await until('a run', () => begun() === 1);
    runner.onModuleDestroy();
    await runner.beforeApplicationShutdown();
    expect(begun()).toBe(1);
  });
});
