import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { StorageUnavailableError } from '../database/storage-unavailable.error.ts';
import { abortable, AttemptInterrupted, DeliveryError, FAILURE_KINDS, GivenUp, Postponed } from './attempt.ts';
import { Outbox, outcomeOf, type Outcome, type Sender } from './outbox.service.ts';
import { LEASE_MS, PART_WAIT_MS, WAITS_MS } from './leases.ts';

const AWAY = new StorageUnavailableError('DATABASE_URL: away');

/** Sends until the test ends it, and notes all that has happened. */
function slowSender({ isOurs = true } = {}) {
  const seen = { started: [] as string[], settled: [] as string[], renewals: 0 };
  let finish = () => {};
  const finished = new Promise<void>((resolve) => (finish = resolve));
  const sender: Sender<string, void> = {
    attemptsOf: () => 0,
    renew: async () => {
      seen.renewals += 1;
      return isOurs;
    },
    send: (row, signal) => {
      seen.started.push(row);
      return abortable(finished, signal);
    },
    settle: async (row, { state, attempts }) => void seen.settled.push(`${row} ${state} ${attempts}`),
  };
  return { sender, seen, finish: () => finish() };
}

/** Resolves after all that can happen without time has happened. */
const settled = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

let outbox: Outbox;
beforeEach(() => {
  outbox = new Outbox();
});
afterEach(() => {
  jest.useRealTimers();
});

describe('outcomeOf', () => {
  it('waits 5 min, 15 min, 1 h, 4 h, 12 h and 24 h, and then fails > refused', () => {
    const outcomes = [0, 1, 2, 3, 4, 5, 6].map((before) => outcomeOf(new DeliveryError('refused', 'no'), before));
    expect(outcomes.map(({ pauseMs }) => pauseMs && pauseMs / 60_000)).toEqual([5, 15, 60, 240, 720, 1440, undefined]);
    expect(outcomes.map(({ state }) => state)).toEqual([...Array(6).fill('pending'), 'failed']);
    expect(outcomes.map(({ attempts }) => attempts)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  it.each(FAILURE_KINDS.map((kind) => [kind, kind === 'refused' || kind === 'unexpected'] as const))(
    '%s counts as an attempt: %s',
    (kind, isCounted) => {
      const { attempts, pauseMs } = outcomeOf(new DeliveryError(kind, 'no'), 2);
      expect([attempts, pauseMs]).toEqual(isCounted ? [3, WAITS_MS[2]] : [2, PART_WAIT_MS]);
    },
  );

  it.each([
    ['a result that is final', new GivenUp('HTTP 410'), 'failed', 3, undefined],
    ['a message that must wait', new Postponed('too many'), 'pending', 2, PART_WAIT_MS],
    ['an interruption', new AttemptInterrupted(), 'pending', 2, 0],
    ['the storage of the file', new StorageUnavailableError('RESUMES_URL: away'), 'pending', 2, PART_WAIT_MS],
    ['a bug', new TypeError('a bug'), 'pending', 3, WAITS_MS[2]],
    ['nothing', undefined, 'pending', 3, WAITS_MS[2]],
  ])('follows from %s', (_what, error, state, attempts, pauseMs) => {
    expect(outcomeOf(error, 2)).toMatchObject({ state, attempts, failure: expect.any(DeliveryError) });
    expect(outcomeOf(error, 2).pauseMs).toBe(pauseMs);
  });
});

describe('Outbox > lease', () => {
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick'] });
  });

  it('is renewed while a row is sent, and not afterwards', async () => {
    const { sender, seen, finish } = slowSender();
    const running = outbox.run(async () => ['one'], sender);
    await settled();
    await jest.advanceTimersByTimeAsync(LEASE_MS);
    expect(seen.renewals).toBe(3);
    finish();
    await running;
    jest.advanceTimersByTime(LEASE_MS);
    expect(seen).toMatchObject({ renewals: 3, settled: ['one delivered 1'] });
  });

  it('ends the attempt, which does not count > another worker has taken over', async () => {
    const { sender, seen } = slowSender({ isOurs: false });
    const running = outbox.run(async () => ['one'], sender);
    await settled();
    jest.advanceTimersByTime(LEASE_MS / 3);
    await running;
    expect(seen.settled).toEqual(['one pending 0']);
  });

  it('keeps its attempt > the database is unavailable at a renewal', async () => {
    const { sender, seen, finish } = slowSender();
    const running = outbox.run(async () => ['one'], { ...sender, renew: () => Promise.reject(AWAY) });
    await settled();
    jest.advanceTimersByTime(LEASE_MS);
    await settled();
    finish();
    await running;
    expect(seen.settled).toEqual(['one delivered 1']);
  });
});

describe('Outbox > shutdown', () => {
  it('waits for all rows > a row fails, and leases nothing more', async () => {
    const { sender, seen, finish } = slowSender();
    const failing: typeof sender = {
      ...sender,
      attemptsOf: (row) => {
        if (row === 'first') throw new TypeError('a bug');
        return 0;
      },
    };
    const running = outbox.run(async () => ['first', 'second'], failing).catch((error: Error) => error.name);
    await settled();
    outbox.onModuleDestroy();
    await outbox.run(async () => ['late'], sender);
    let isOver = false;
    const shutdown = outbox.beforeApplicationShutdown().then(() => (isOver = true));
    await settled();
    expect([isOver, seen.started]).toEqual([false, ['second']]);
    finish();
    await shutdown;
    expect([await running, seen.settled]).toEqual(['TypeError', ['second delivered 1']]);
  });

  it('finishes what was leased at that moment', async () => {
    const { sender, seen, finish } = slowSender();
    let acquired = (_rows: string[]) => {};
    const running = outbox.run(() => new Promise<string[]>((resolve) => (acquired = resolve)), sender);
    outbox.onModuleDestroy();
    acquired(['one']);
    finish();
    await Promise.all([running, outbox.beforeApplicationShutdown()]);
    expect(seen.settled).toEqual(['one delivered 1']);
  });

  it('interrupts what takes too long', async () => {
    outbox.finishMs = 20;
    const { sender, seen } = slowSender();
    void outbox.run(async () => ['one'], sender);
    await settled();
    outbox.onModuleDestroy();
    await outbox.beforeApplicationShutdown();
    expect(seen.settled).toEqual(['one pending 0']);
  });
});

describe('Outbox > outcome', () => {
  /** A sender whose outcome cannot be written at first. @returns the tries to write it */
  function failingToSettle(error: Error, failures: number) {
    const outcomes: Outcome<string>[] = [];
    const sender: Sender<string, string> = {
      attemptsOf: () => 1,
      renew: async () => true,
      send: async () => '250 ok',
      settle: async (_row, outcome) => {
        if (outcomes.push(outcome) <= failures) throw error;
      },
    };
    return { sender, outcomes };
  }

  it('is written once the database is back, and the row is sent once', async () => {
    outbox.writeRetryMs = 1;
    const { sender, outcomes } = failingToSettle(AWAY, 2);
    await outbox.run(async () => ['one'], sender);
    expect(outcomes).toEqual([1, 2, 3].map(() => ({ state: 'delivered', sent: '250 ok', attempts: 2 })));
  });

  it('is given up at once > the error is a bug', async () => {
    const { sender, outcomes } = failingToSettle(new TypeError('a bug'), Infinity);
    await expect(outbox.run(async () => ['one'], sender)).rejects.toThrow(TypeError);
    expect(outcomes).toHaveLength(1);
  });
});
