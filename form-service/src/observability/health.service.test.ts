import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { HealthService, type CheckResult } from './health.service.ts';

describe('HealthService', () => {
  it('is ready and names degraded checks > no check is down', async () => {
    const health = new HealthService();
    health.add({ name: 'storage', run: () => ({ status: 'ok' }) });
    health.add({ name: 'redis', run: async () => ({ status: 'degraded', cause: 'away' }) });
    expect(await health.report()).toEqual({
      ready: true,
      checks: { storage: { status: 'ok' }, redis: { status: 'degraded', cause: 'away' } },
    });
  });

  it('is not ready, and reports no message of an error > a check throws', async () => {
    const health = new HealthService();
    const run = () => {
      throw new RangeError('smtp://user:password@host');
    };
    health.add({ name: 'mail', run });
    expect(await health.report()).toEqual({ ready: false, checks: { mail: { status: 'down', cause: 'RangeError' } } });
  });

  it('reports a check as down > it does not respond', async () => {
    const health = new HealthService();
    health.add({ name: 'slow', run: () => new Promise(() => {}) });
    expect(await health.report()).toMatchObject({
      ready: false,
      checks: { slow: { status: 'down', cause: 'no answer in time' } },
    });
  });

  it('leaves out what cannot be read > the storage fails', async () => {
    const health = new HealthService();
    let cause: string | undefined = 'DATABASE_URL: SQLITE_BUSY';
    health.cacheMs = 0;
    health.add(
      {
        name: 'backup',
        needsStorage: true,
        run: () => (cause ? Promise.reject(new RangeError(cause)) : { status: 'ok' }),
      },
      { name: 'storage', run: () => (cause ? { status: 'down', cause } : { status: 'ok' }) },
    );
    expect(await health.report()).toEqual({ ready: false, checks: { storage: { status: 'down', cause } } });
    cause = undefined;
    expect(await health.report()).toEqual({
      ready: true,
      checks: { storage: { status: 'ok' }, backup: { status: 'ok' } },
    });
  });

  it('reports what can be read > the storage fails, because its disk is full', async () => {
    const health = new HealthService();
    health.add(
      { name: 'deliveries', needsStorage: true, run: () => ({ status: 'degraded', cause: '2 overdue' }) },
      { name: 'storage', run: () => ({ status: 'down', cause: 'only 1 bytes free' }) },
    );
    expect((await health.report()).checks).toMatchObject({ deliveries: { status: 'degraded', cause: '2 overdue' } });
  });

  it('starts a check only once > it hangs', async () => {
    const health = new HealthService();
    Object.assign(health, { cacheMs: 0, timeoutMs: 5 });
    const begun: string[] = [];
    health.add({ name: 'slow', run: () => new Promise(() => begun.push('slow')) });
    for (let report = 0; report < 3; report++)
      expect((await health.report()).checks['slow']).toEqual({ status: 'down', cause: 'no answer in time' });
    expect(begun).toHaveLength(1);
  });

  it('reports the run before > a check always takes too long', async () => {
    const health = new HealthService();
    Object.assign(health, { cacheMs: 0, timeoutMs: 5 });
    const ends: ((result: CheckResult) => void)[] = [];
    health.add({ name: 'slow', run: () => new Promise((resolve) => ends.push(resolve)) });
    const reported = async () => (await health.report()).checks['slow']?.cause;
    expect(await reported()).toBe('no answer in time');
    ends[0]?.({ status: 'degraded', cause: '2 overdue' });
    await pause(1);
    expect(await reported()).toBe('2 overdue');
    expect(await reported()).toBe('no answer in time');
  });

  it.each([
    ['name', { name: 'backup' }],
    ['alert', { name: 'other', alert: { kind: 'backup-old' } }],
  ] as const)('rejects two checks with the same %s', (_what, other) => {
    const health = new HealthService();
    const run = () => ({ status: 'ok' }) as const;
    health.add({ name: 'backup', alert: { kind: 'backup-old' }, run }, { name: 'disk', run });
    expect(() => health.add({ ...other, run })).toThrow(/^The checks "backup" and "(backup|other)" have the same/);
    health.add({ name: 'redis', run });
    expect(health.checks.map(({ name }) => name)).toEqual(['backup', 'disk', 'redis']);
  });

  it('shows status, cause and advice only', async () => {
    const health = new HealthService();
    health.add({
      name: 'backup',
      run: () => ({ status: 'degraded', cause: 'old', advice: 'Make one', affected: ['KW-1'], isUrgent: true }),
    });
    expect((await health.report()).checks).toEqual({
      backup: { status: 'degraded', cause: 'old', advice: 'Make one' },
    });
  });
});
