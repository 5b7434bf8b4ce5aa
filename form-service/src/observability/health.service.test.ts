import { Logger } from '@nestjs/common';
import { describe, expect, it, jest } from '@jest/globals';
import { HealthService } from './health.service.ts';

describe('HealthService', () => {
  it('is ready and names degraded checks > no check is down', async () => {
    const health = new HealthService();
    health.register('storage', () => ({ status: 'ok' }));
    health.register('redis', async () => ({ status: 'degraded', cause: 'away' }));
    expect(await health.report()).toEqual({
      ready: true,
      checks: { storage: { status: 'ok' }, redis: { status: 'degraded', cause: 'away' } },
    });
  });

  it('is not ready, and reports no message of an error > a check throws', async () => {
    const health = new HealthService();
    health.register('mail', () => {
      throw new RangeError('smtp://user:password@host');
    });
    expect(await health.report()).toEqual({ ready: false, checks: { mail: { status: 'down', cause: 'RangeError' } } });
  });

  it('reports a check as down > it does not respond', async () => {
    const health = new HealthService();
    health.register('slow', () => new Promise(() => {}));
    expect(await health.report()).toMatchObject({
      ready: false,
      checks: { slow: { status: 'down', cause: 'no answer in time' } },
    });
  });

  it('finds a task stalled > no run has succeeded for its time', async () => {
    const health = new HealthService();
    const clock = jest.spyOn(Date, 'now').mockReturnValue(0);
    health.expectTask('digest', 60_000);
    const stalledAt = (ms: number) => {
      clock.mockReturnValue(ms);
      return health.stalledTasks;
    };
    expect([stalledAt(60_000), stalledAt(60_001)]).toEqual([[], ['digest']]);
    await health.runTask('digest', async () => undefined);
    expect([stalledAt(120_001), stalledAt(120_002)]).toEqual([[], ['digest']]);
  });

  it('logs a failure of a task once for each cause, and its end', async () => {
    const lines: unknown[] = [];
    for (const level of ['log', 'warn'] as const)
      jest.spyOn(Logger.prototype, level).mockImplementation((line) => void lines.push(line));
    const health = new HealthService();
    const run = (error?: Error) =>
      health.runTask('digest', async () => {
        if (error) throw error;
      });
    const [refused, full] = ['ECONNREFUSED', 'ENOSPC'].map((code) => Object.assign(new Error('a value'), { code }));
    for (const error of [undefined, refused, refused, full, full, refused, undefined, undefined, full])
      await run(error);
    jest.restoreAllMocks();
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
