import { afterEach, describe, expect, it, jest } from '@jest/globals';
import type { Check, CheckResult } from './checks.ts';
import { checksFor, type Parts } from './checks.ts';
import { HealthService } from './health.service.ts';

const TIMEOUT_MS = 2_000;

afterEach(() => void jest.useRealTimers());

/** Returns the checks of a report. */
async function report(...checks: Check[]) {
  const health = new HealthService({});
  health.checks.push(...checks);
  return health.report();
}

describe('HealthService', () => {
  it.each<[CheckResult['status'], boolean]>([
    ['ok', true],
    ['degraded', true],
    ['down', false],
  ])('is ready unless a check is down > %s', async (status, ready) => {
    const checks = { storage: { status: 'ok' }, redis: status === 'ok' ? { status } : { status, cause: 'away' } };
    const affected = ['KW-1'];
    const run = async (): Promise<CheckResult> => ({ status, ...(status !== 'ok' && { cause: 'away', affected }) });
    const found = await report({ name: 'storage', run: () => ({ status: 'ok' }) }, { name: 'redis', run });
    expect(found).toEqual({ ready, version: expect.stringMatching(/^\d+\.\d+\.\d+/), checks });
  });

  it('reports the name of an error and no message > a check throws', async () => {
    const run = () => {
      throw new RangeError('smtp://user:password@host');
    };
    expect(await report({ name: 'mail', run })).toMatchObject({
      ready: false,
      checks: { mail: { status: 'down', cause: 'RangeError' } },
    });
  });

  it('starts a hanging check once, and reports its late result once', async () => {
    jest.useFakeTimers();
    const ends: ((result: CheckResult) => void)[] = [];
    const health = new HealthService({});
    health.checks.push({ name: 'slow', run: () => new Promise((resolve) => ends.push(resolve)) });
    const reported = async () => {
      const found = health.report();
      await jest.advanceTimersByTimeAsync(TIMEOUT_MS);
      return (await found).checks['slow']?.cause;
    };
    const late = 'no answer within 2 s';
    expect([await reported(), await reported(), ends.length]).toEqual([late, late, 1]);
    ends[0]?.({ status: 'degraded', cause: '2 overdue' });
    expect([await reported(), await reported(), ends.length]).toEqual(['2 overdue', late, 2]);
  });
});

describe('checks', () => {
  const parts = { placeholders: [], storage: { cause: undefined, freeBytes: undefined } };
  const result = (some: Partial<Parts>, wanted: string) =>
    checksFor(some)
      .find(({ name }) => name === wanted)
      ?.run();

  it('have a name and an alert of their own, since another would hide it or end its alert', () => {
    // A process has the Redis of the queue or that of the counters.
    const isMissing = new Set<unknown>(['counters']);
    const checks = checksFor(new Proxy({}, { get: (_parts, name) => (isMissing.has(name) ? undefined : {}) }));
    const [names, alerts] = [checks.map(({ name }) => name), checks.flatMap(({ alert }) => alert?.kind ?? [])];
    expect([names, alerts].map((list) => new Set(list).size)).toEqual([names.length, alerts.length]);
  });

  const SINCE = '2026-11-22T08:00:00.000Z';
  const outage = { since: Date.parse(SINCE), failure: new Error('no') };
  const check = async () => 'full';
  const littleRoom = {
    status: 'degraded',
    cause: '511 MiB are free (df -h, df -i)',
    advice: 'Below 32, nothing is accepted. Run docker system prune',
  } as const;
  it.each<[string, string, Partial<Parts>, CheckResult]>([
    ['settings', 'two placeholders', { placeholders: ['a', 'b'] }, { status: 'degraded', cause: 'a, b' }],
    ['disk', 'room', { storage: { cause: undefined, freeBytes: 2 ** 29 } }, { status: 'ok' }],
    ['disk', 'little room', { storage: { cause: undefined, freeBytes: 2 ** 29 - 1 } }, littleRoom],
    ['redis', 'the queue is refused', { queue: { check } }, { status: 'down', cause: 'full', affected: ['full'] }],
    ['redis', 'the counters are', { counters: { check } }, { status: 'degraded', cause: 'full', affected: ['full'] }],
    ['mail server', 'well', { mailServer: { outage: undefined } }, { status: 'ok' }],
    [
      'mail server',
      'a rejected login',
      { mailServer: { outage } },
      { status: 'down', cause: `unavailable since ${SINCE}: no` },
    ],
    [
      'tasks',
      'two are stalled',
      { tasks: { stalled: ['digest', 'retention'] } },
      { status: 'down', cause: 'stalled: digest, retention', affected: ['digest', 'retention'] },
    ],
    [
      'alerts',
      'only those that no check raises',
      { ...parts, alerts: { activeKinds: ['disk-nearly-full', 'files-without-submission', 'digest-not-sent'] } },
      { status: 'degraded', cause: 'files-without-submission, digest-not-sent' },
    ],
  ])('%s > %s', async (name, _case, some, expected) => {
    expect(await result(some, name)).toEqual(expected);
  });
});
