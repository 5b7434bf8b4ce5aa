import { describe, expect, it } from '@jest/globals';
import { HealthService } from './health.service.ts';

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

  it('leaves out what needs the storage > the storage fails', async () => {
    const health = new HealthService();
    let cause: string | undefined = 'DATABASE_URL: SQLITE_BUSY';
    let reads = 0;
    health.cacheMs = 0;
    health.add(
      { name: 'backup', needsStorage: true, run: () => ({ status: (reads += 1) > 0 ? 'ok' : 'down' }) },
      { name: 'storage', run: () => (cause ? { status: 'down', cause } : { status: 'ok' }) },
    );
    expect(await health.report()).toEqual({ ready: false, checks: { storage: { status: 'down', cause } } });
    cause = undefined;
    expect(await health.report()).toEqual({
      ready: true,
      checks: { storage: { status: 'ok' }, backup: { status: 'ok' } },
    });
    expect(reads).toBe(1);
  });

  it('shows status and cause only', async () => {
    const health = new HealthService();
    health.add({
      name: 'backup',
      run: () => ({ status: 'degraded', cause: 'old', advice: 'Make one', affected: ['KW-1'], isUrgent: true }),
    });
    expect((await health.report()).checks).toEqual({ backup: { status: 'degraded', cause: 'old' } });
  });
});
