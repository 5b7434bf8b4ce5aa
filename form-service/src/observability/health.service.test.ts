import { describe, expect, it } from '@jest/globals';
import { HealthService } from './health.service.ts';

describe('The health check', () => {
  it('A process is ready when nothing is down, and names what is degraded', async () => {
    const health = new HealthService();
    health.register('storage', () => ({ status: 'ok' }));
    health.register('redis', async () => ({ status: 'degraded', cause: 'away' }));
    expect(await health.report()).toEqual({
      ready: true,
      checks: { storage: { status: 'ok' }, redis: { status: 'degraded', cause: 'away' } },
    });
  });

  it('A process is not ready when a check fails or throws, and shows no message that could hold a secret', async () => {
    const health = new HealthService();
    health.register('mail', () => {
      throw new RangeError('smtp://user:password@host');
    });
    expect(await health.report()).toEqual({ ready: false, checks: { mail: { status: 'down', cause: 'RangeError' } } });
  });

  it('A check that does not answer counts as down', async () => {
    const health = new HealthService();
    health.register('slow', () => new Promise(() => {}));
    expect(await health.report()).toMatchObject({
      ready: false,
      checks: { slow: { status: 'down', cause: 'no answer in time' } },
    });
  });
});
