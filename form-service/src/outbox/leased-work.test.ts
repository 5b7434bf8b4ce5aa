import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { until } from '../../test/until.ts';
import { StorageUnavailableError } from '../database/storage-unavailable.error.ts';
import type { Attempt } from './attempt.ts';
import { AttemptInterrupted } from './failure.ts';
import { LeasedWork, type Work } from './leased-work.ts';

const LEASE_MS = 30_000;

/** Work that goes on until the test ends it, with all that has happened. */
function slowWork({ isWaiting = false, isOurs = true } = {}) {
  const seen = { started: [] as string[], ended: [] as string[], renewals: 0 };
  const attempts = new Map<string, Attempt>();
  let finish = () => {};
  const finished = new Promise<void>((resolve) => (finish = resolve));
  const work: Work<string> = {
    leaseMs: LEASE_MS,
    renew: async () => {
      seen.renewals += 1;
      return isOurs;
    },
    run: async (row, attempt) => {
      seen.started.push(row);
      attempts.set(row, attempt);
      const ended = new Promise<never>((_, reject) => {
        const abort = () => reject(attempt.signal.reason as Error);
        if (attempt.signal.aborted) abort();
        attempt.signal.addEventListener('abort', abort);
      });
      const sending = () => Promise.race([finished, ended]);
      try {
        await (isWaiting ? sending() : attempt.run(sending));
        seen.ended.push(`${row} done`);
      } catch (error) {
        if (!(error instanceof AttemptInterrupted)) throw error;
        seen.ended.push(`${row} ${error.when}`);
      }
    },
  };
  return { work, seen, finish: () => finish() };
}

/** Resolves after all that can happen without time has happened. */
const settled = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

afterEach(() => {
  jest.useRealTimers();
});

describe('LeasedWork > lease', () => {
  it('is renewed while the work runs, and not afterwards', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick'] });
    const { work, seen, finish } = slowWork();
    const running = new LeasedWork().run(async () => ['one'], work);
    await settled();
    await jest.advanceTimersByTimeAsync(LEASE_MS);
    expect(seen.renewals).toBe(3);
    finish();
    await running;
    jest.advanceTimersByTime(LEASE_MS);
    expect(seen).toMatchObject({ renewals: 3, ended: ['one done'] });
  });

  it('is renewed one at a time > the database hangs', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick'] });
    const { work, seen, finish } = slowWork();
    const answers: (() => void)[] = [];
    const renew = () => new Promise<boolean>((resolve) => answers.push(() => resolve(true)));
    const running = new LeasedWork().run(async () => ['one'], { ...work, renew });
    await settled();
    await jest.advanceTimersByTimeAsync(4 * LEASE_MS);
    expect(answers).toHaveLength(1);
    answers[0]?.();
    await jest.advanceTimersByTimeAsync(LEASE_MS);
    expect(answers).toHaveLength(2);
    finish();
    await running;
    expect(seen.ended).toEqual(['one done']);
  });

  it('ends its work > another worker has taken over', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick'] });
    const { work, seen } = slowWork({ isOurs: false });
    const running = new LeasedWork().run(async () => ['one'], work);
    await settled();
    jest.advanceTimersByTime(LEASE_MS / 3);
    await running;
    expect(seen.ended).toEqual(['one lease lost']);
  });

  it('keeps its work > the database is unavailable at a renewal', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick'] });
    const { work, seen, finish } = slowWork();
    const renew = () => Promise.reject(new StorageUnavailableError('DATABASE_URL: away'));
    const running = new LeasedWork().run(async () => ['one'], { ...work, renew });
    await settled();
    jest.advanceTimersByTime(LEASE_MS);
    await settled();
    finish();
    await running;
    expect(seen.ended).toEqual(['one done']);
  });
});

describe('LeasedWork > a row fails', () => {
  /** Two rows, of which the first fails at once. */
  function twoRows() {
    const leasedWork = new LeasedWork();
    const { work, seen, finish } = slowWork();
    const failing: Work<string> = {
      ...work,
      run: (row, attempt) => (row === 'first' ? Promise.reject(new Error('of the first')) : work.run(row, attempt)),
    };
    const running = leasedWork.run(async () => ['first', 'second'], failing);
    return { leasedWork, running, seen, finish };
  }

  it('the round ends after the others, with its error', async () => {
    const { running, seen, finish } = twoRows();
    let isOver = false;
    const over = running.catch((error: Error) => error.message).finally(() => (isOver = true));
    await settled();
    expect(isOver).toBe(false);
    finish();
    expect(await over).toBe('of the first');
    expect(seen.ended).toEqual(['second done']);
  });

  it('a shutdown waits for the others', async () => {
    const { leasedWork, running, seen, finish } = twoRows();
    running.catch(() => undefined);
    await settled();
    leasedWork.onModuleDestroy();
    let isOver = false;
    const shutdown = leasedWork.beforeApplicationShutdown().then(() => (isOver = true));
    await settled();
    expect([isOver, seen.ended]).toEqual([false, []]);
    finish();
    await shutdown;
    expect(seen.ended).toEqual(['second done']);
  });
});

describe('LeasedWork > shutdown', () => {
  it('leases nothing more, and ends what waits for a connection', async () => {
    const leasedWork = new LeasedWork();
    const [waiting, sending] = [slowWork({ isWaiting: true }), slowWork()];
    void leasedWork.run(async () => ['waiting'], waiting.work);
    void leasedWork.run(async () => ['sending'], sending.work);
    await settled();
    leasedWork.onModuleDestroy();
    await leasedWork.run(async () => ['late'], sending.work);
    await settled();
    expect([waiting.seen.ended, sending.seen]).toEqual([
      ['waiting waiting'],
      { started: ['sending'], ended: [], renewals: 0 },
    ]);
    sending.finish();
    await leasedWork.beforeApplicationShutdown();
    expect(sending.seen.ended).toEqual(['sending done']);
  });

  it('gives back what was leased at that moment', async () => {
    const leasedWork = new LeasedWork();
    const { work, seen } = slowWork({ isWaiting: true });
    let acquired = (_rows: string[]) => {};
    const running = leasedWork.run(() => new Promise<string[]>((resolve) => (acquired = resolve)), work);
    leasedWork.onModuleDestroy();
    const shutdown = leasedWork.beforeApplicationShutdown();
    acquired(['one']);
    await Promise.all([running, shutdown]);
    expect(seen.ended).toEqual(['one waiting']);
  });

  it('interrupts what takes too long', async () => {
    const leasedWork = new LeasedWork();
    leasedWork.finishMs = 20;
    const { work, seen } = slowWork();
    void leasedWork.run(async () => ['one'], work);
    await settled();
    leasedWork.onModuleDestroy();
    await leasedWork.beforeApplicationShutdown();
    expect(seen.ended).toEqual(['one sending']);
  });
});

describe('LeasedWork > result', () => {
  it('is written once the database is back', async () => {
    const leasedWork = new LeasedWork();
    leasedWork.writeRetryMs = 1;
    let tries = 0;
    const write = async () => {
      tries += 1;
      if (tries === 1) throw new StorageUnavailableError('DATABASE_URL: away');
      return 'written';
    };
    expect(await leasedWork.write(write)).toBe('written');
    expect(tries).toBe(2);
  });

  it('is given up > the shutdown interrupts the work', async () => {
    const leasedWork = new LeasedWork();
    leasedWork.finishMs = 20;
    let tries = 0;
    const work = {
      ...slowWork().work,
      run: () =>
        leasedWork.write(() => {
          tries += 1;
          return Promise.reject(new StorageUnavailableError('DATABASE_URL: away'));
        }),
    };
    const running = leasedWork.run(async () => ['one'], work).catch((error: Error) => error.name);
    await until('a try', () => tries > 0);
    leasedWork.onModuleDestroy();
    await leasedWork.beforeApplicationShutdown();
    expect(await running).toBe('StorageUnavailableError');
  });

  it('is given up at once > the error is a bug', async () => {
    await expect(new LeasedWork().write(() => Promise.reject(new TypeError('a bug')))).rejects.toThrow(TypeError);
  });
});
