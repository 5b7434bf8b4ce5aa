import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { DeliveryError } from './failure.ts';
import { CircuitBreaker } from './circuit-breaker.ts';

const refused = new DeliveryError('server-away', 'The mail server is unavailable.');

describe('circuit breaker', () => {
  let breaker: CircuitBreaker;
  let isAvailable: boolean;

  beforeEach(() => {
    isAvailable = false;
    breaker = new CircuitBreaker('mail server', () => (isAvailable ? Promise.resolve() : Promise.reject(refused)));
  });

  afterEach(() => breaker.stop());

  it('keeps the outage > work that began before it succeeds', async () => {
    await breaker.check();
    breaker.succeeded();
    expect(breaker).toMatchObject({ isOpen: true, failure: refused, unavailableSince: expect.any(Number) });
  });

  it('ends the outage > work succeeds after a probe was answered', async () => {
    await breaker.check();
    isAvailable = true;
    await once(breaker, 'close');
    expect(breaker).toMatchObject({ isOpen: false, unavailableSince: expect.any(Number) });
    breaker.succeeded();
    expect(breaker.unavailableSince).toBeUndefined();
  });

  it('stays closed > other work succeeded since the failed use began', async () => {
    const startedAt = Date.now();
    await pause(2);
    breaker.succeeded();
    expect(breaker.open(refused, startedAt)).toBe(false);
    expect(breaker).toMatchObject({ isOpen: false, unavailableSince: undefined });
    await pause(2);
    expect(breaker.open(refused, Date.now())).toBe(true);
    expect(breaker.isOpen).toBe(true);
  });

  it('opens > work succeeded before the clock was set back', () => {
    jest.spyOn(Date, 'now').mockReturnValueOnce(Date.now() + 24 * 3_600_000);
    breaker.succeeded();
    expect(breaker.open(refused, Date.now())).toBe(true);
  });

  it('stays closed > work succeeds during a probe that fails', async () => {
    let fail = () => {};
    const probed = new CircuitBreaker('mail server', () => new Promise((_, reject) => (fail = () => reject(refused))));
    const checked = probed.check();
    await pause(2);
    probed.succeeded();
    fail();
    expect(await checked).toBe(true);
    expect(probed.isOpen).toBe(false);
  });

  it('waits for no probe > the process ends', async () => {
    const silent = new CircuitBreaker(
      'mail server',
      (signal) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
    );
    const checked = silent.check();
    silent.stop();
    await checked;
    expect(silent.isOpen).toBe(false);
  });

  it('ends the outage without contradicting a failure > no work waits', () => {
    const startedAt = Date.now() - 1_000;
    breaker.endOutage();
    expect(breaker.open(refused, startedAt)).toBe(true);
  });

  it('starts with the shortest pause again > a later outage', async () => {
    for (const outage of ['the first outage', 'a later one']) {
      await breaker.check();
      isAvailable = true;
      const closed = once(breaker, 'close').then(() => outage);
      // Less than the second pause. Timers that are both late still run in the order of their times.
      expect(await Promise.race([closed, pause(1_600)])).toBe(outage);
      breaker.succeeded();
      isAvailable = false;
    }
  });
});
