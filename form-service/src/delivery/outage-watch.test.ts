import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { OutageWatch } from './outage-watch.ts';

Logger.overrideLogger(false);

/** Jest's fake clock does not move the one of node:timers/promises. */
const pause = (ms: number, _value: undefined, { signal }: { signal: AbortSignal }) =>
  new Promise<void>((resolve, reject) => {
    const stop = () => reject(signal.reason as Error);
    signal.addEventListener('abort', stop);
    setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, ms);
  });

class WatchedService extends OutageWatch {
  works = false;
  probes = 0;
  releases = 0;
  queueIsAway = false;

  constructor() {
    super('service', pause);
  }

  protected override async probe(): Promise<void> {
    this.probes++;
    if (!this.works) throw new Error('away');
  }

  protected override async releaseHeld(): Promise<void> {
    if (this.queueIsAway) throw new Error('queue away');
    this.releases++;
  }

  protected override isRefusal(error: unknown): boolean {
    return error instanceof RangeError;
  }
}

let watch: WatchedService;

beforeEach(() => {
  jest.useFakeTimers();
  watch = new WatchedService();
});

afterEach(() => {
  watch.onModuleDestroy();
  jest.useRealTimers();
});

describe('the watch on a service', () => {
  it('asks each second while it is away and releases what was held within 2 s of its return', async () => {
    watch.reportOutage(new Error('away'));
    await jest.advanceTimersByTimeAsync(10_000);
    expect(watch.isAway).toBe(true);
    expect(watch.probes).toBe(10);
    watch.works = true;
    await jest.advanceTimersByTimeAsync(2_000);
    expect(watch.isAway).toBe(false);
    expect(watch.releases).toBeGreaterThan(0);
  });

  it('releases once more for what was being put off at the very moment of the return, and then rests', async () => {
    watch.works = true;
    watch.reportOutage(new Error('away'));
    await jest.advanceTimersByTimeAsync(60_000);
    expect(watch.releases).toBe(2);
    expect(watch.probes).toBe(1);
  });

  it('keeps on until the queue takes the release', async () => {
    watch.works = true;
    watch.queueIsAway = true;
    watch.reportOutage(new Error('away'));
    await jest.advanceTimersByTimeAsync(5_000);
    expect(watch.releases).toBe(0);
    watch.queueIsAway = false;
    await jest.advanceTimersByTimeAsync(2_000);
    expect(watch.releases).toBeGreaterThan(0);
  });

  it('asks a service that refuses us seldom', async () => {
    watch.reportOutage(new RangeError('wrong password'));
    await jest.advanceTimersByTimeAsync(29_000);
    expect(watch.probes).toBe(0);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(watch.probes).toBe(1);
  });

  it('asks less and less often when a service answers and yet does no work, until it has worked', async () => {
    watch.works = true;
    for (let i = 0; i < 8; i++) {
      watch.reportOutage(new Error('away'));
      await jest.advanceTimersByTimeAsync(40_000);
    }
    watch.reportOutage(new Error('away'));
    await jest.advanceTimersByTimeAsync(25_000);
    expect(watch.isAway).toBe(true);
    await jest.advanceTimersByTimeAsync(10_000);
    watch.reportSuccess();
    watch.reportOutage(new Error('away'));
    await jest.advanceTimersByTimeAsync(1_500);
    expect(watch.isAway).toBe(false);
  });

  it('takes a broken connection for an outage only when the service does not answer', async () => {
    watch.works = true;
    await watch.check();
    expect(watch.isAway).toBe(false);
    watch.works = false;
    await watch.check();
    expect(watch.isAway).toBe(true);
  });
});
