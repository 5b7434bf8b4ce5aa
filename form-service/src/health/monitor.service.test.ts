import { Logger } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { readSettings } from '../settings/settings.ts';
import type { CheckResult } from './checks.ts';
import { HealthService } from './health.service.ts';
import { AlertsService } from '../alerts/alerts.service.ts';
import { Monitor } from './monitor.service.ts';

const MINUTE = 60_000;
const OK: CheckResult = { status: 'ok' };
const FAULT: CheckResult = { status: 'degraded', cause: 'old' };

let alerts: AlertsService;
let monitor: Monitor;
/** Result of the check, or the error that it throws. */
let backup: CheckResult | Error;

/** Adds a check. @param afterMs time before its alert */
function start(afterMs?: number): void {
  const health = new HealthService({});
  health.cacheMs = 0;
  const run = () => (backup instanceof Error ? Promise.reject(backup) : backup);
  health.checks.push({ name: 'backup', alert: { kind: 'backup-old', ...(afterMs && { afterMs }) }, run });
  monitor = new Monitor(health, alerts);
}

beforeEach(() => {
  jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
  jest.spyOn(Logger.prototype, 'log').mockImplementation(() => undefined);
  alerts = new AlertsService(readSettings({}));
  backup = OK;
});
afterEach(() => void jest.restoreAllMocks());

/** Runs the checks at these times. @returns the numbers of active alerts */
async function activeAt(...minutes: number[]): Promise<number[]> {
  const numbers: number[] = [];
  for (const at of minutes) {
    await monitor.check(at * MINUTE);
    numbers.push(alerts.activeKinds.length);
  }
  return numbers;
}

describe('Monitor', () => {
  it.each([24 * 60 * MINUTE, -24 * 60 * MINUTE])('waits by no change of the clock > by %i ms', async (change) => {
    start(MINUTE);
    backup = FAULT;
    const begin = performance.now();
    await monitor.check();
    jest.spyOn(Date, 'now').mockReturnValue(Date.now() + change);
    await monitor.check();
    expect(alerts.activeKinds).toEqual([]);
    jest.spyOn(performance, 'now').mockReturnValue(begin + 1.1 * MINUTE);
    await monitor.check();
    expect(alerts.activeKinds).toEqual(['backup-old']);
  });

  it('keeps an alert, and the time of its fault > the check throws in between', async () => {
    start(MINUTE);
    backup = FAULT;
    expect(await activeAt(0)).toEqual([0]);
    backup = new RangeError('of a moment');
    expect(await activeAt(0.5)).toEqual([0]);
    backup = FAULT;
    expect(await activeAt(1)).toEqual([1]);
    backup = new RangeError('of a moment');
    expect(await activeAt(1.5)).toEqual([1]);
  });
});
