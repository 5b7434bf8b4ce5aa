import { describe, expect, it } from '@jest/globals';
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
});
