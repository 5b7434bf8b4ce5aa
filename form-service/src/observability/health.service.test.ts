import { describe, expect, it } from '@jest/globals';
import { Readiness } from './readiness.ts';

describe('Readiness', () => {
  it('is ready when nothing is down, and names what is amiss', async () => {
    const readiness = new Readiness();
    readiness.register('storage', () => ({ status: 'ok' }));
    readiness.register('redis', async () => ({ status: 'degraded', cause: 'away' }));
    expect(await readiness.report()).toEqual({ ready: true, checks: { storage: { status: 'ok' }, redis: { status: 'degraded', cause: 'away' } } });
  });

  it('is not ready when a part is down or its probe throws, and shows no message that could hold a secret', async () => {
    const readiness = new Readiness();
    readiness.register('mail', () => {
      throw new RangeError('smtp://user:password@host');
    });
    expect(await readiness.report()).toEqual({ ready: false, checks: { mail: { status: 'down', cause: 'RangeError' } } });
  });

  it('does not wait for a probe for ever', async () => {
    const readiness = new Readiness();
    readiness.register('slow', () => new Promise(() => {}));
    expect(await readiness.report()).toMatchObject({ ready: false, checks: { slow: { status: 'down', cause: 'no answer in time' } } });
  });
});
