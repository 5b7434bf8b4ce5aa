import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { register } from 'prom-client';
import { HOUR_MS } from '../config/durations.ts';
import { readSettings } from '../config/settings.ts';
import { AlertsService } from '../alerts/alerts.service.ts';
import { SignInAttempts } from './sign-in-attempts.service.ts';

function start() {
  Logger.overrideLogger(false);
  const alerts = new AlertsService(readSettings({}));
  const attempts = new SignInAttempts(alerts);
  /** One attempt. @returns its outcome as a status */
  const attempt = (address: string, name: string, verify: () => Promise<string | undefined>) =>
    attempts.attempt(address, name, verify).then(
      (user) => (user === undefined ? 401 : 200),
      ({ status }: { status: number }) => status,
    );
  return { attempts, alerts, attempt };
}

const right = async () => 'ada';
const wrong = async () => undefined;

describe('Attempts to sign in', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  /** Attempts of these addresses, none of which ends before `release`. */
  function flood(attempt: ReturnType<typeof start>['attempt'], addresses: readonly string[]) {
    let release = () => {};
    const busy = new Promise<undefined>((resolve) => (release = () => resolve(undefined)));
    const statuses = addresses.map((address) => attempt(address, 'ada', () => busy));
    return { release: () => release(), statuses };
  }

  it('of one site leave room for others', async () => {
    const { attempt } = start();
    const site = Array.from({ length: 200 }, (_, network) => `2001:db8:1:${network.toString(16)}::1`);
    const { release, statuses } = flood(attempt, site);
    const others = Array.from({ length: 40 }, (_, host) => attempt(`192.0.2.${host}`, `ada${host}`, right));
    release();
    expect(new Set(await Promise.all(others))).toEqual(new Set([200]));
    const ended = await Promise.all(statuses);
    expect([ended.filter((status) => status === 401).length, ended.filter((status) => status === 503).length]).toEqual([
      3, 197,
    ]);
  });

  it('wait for their turn in a flood from other sites, and are not consumed by it', async () => {
    const { attempt } = start();
    const sites = Array.from({ length: 200 }, (_, site) => `198.51.100.${site}`);
    const early = flood(attempt, sites.slice(0, 50));
    const mine = attempt('192.0.2.1', 'ada', wrong);
    const late = flood(attempt, sites.slice(50));
    for (let tries = 0; tries < 40; tries++) expect(await attempt('192.0.2.2', 'ada', right)).toBe(503);
    early.release();
    expect(await mine).toBe(401);
    late.release();
    await Promise.all([...early.statuses, ...late.statuses]);
    for (let tries = 0; tries < 10; tries++) expect(await attempt('192.0.2.2', 'ada', wrong)).toBe(401);
    expect(await attempt('192.0.2.2', 'ada', right)).toBe(429);
  });

  it('are made first > somebody has signed in from this network', async () => {
    const { attempt } = start();
    expect(await attempt('2001:db8:9:9::1', 'hana', right)).toBe(200);
    const ended: string[] = [];
    const { release, statuses } = flood(
      attempt,
      Array.from({ length: 200 }, (_, site) => `198.51.100.${site}`),
    );
    const others = statuses.map((status) => status.then((code) => code === 401 && ended.push('flood')));
    const known = attempt('2001:db8:9:9:abcd::2', 'ada', right).then(() => ended.push('known'));
    release();
    await Promise.all([known, ...others]);
    // Those that were being verified have ended before.
    expect(ended.indexOf('known')).toBeLessThan(10);
  });

  it('are limited for a minute', async () => {
    const { attempt } = start();
    const now = Date.now();
    const clock = jest.spyOn(Date, 'now').mockReturnValue(now);
    for (let tries = 0; tries < 10; tries++) await attempt('192.0.2.1', 'ada', wrong);
    const later = (ms: number) => {
      clock.mockReturnValue(now + ms);
      return attempt('192.0.2.1', 'ada', right);
    };
    expect([await later(59_000), await later(60_001)]).toEqual([429, 200]);
  });

  it('of all names of a network are limited too', async () => {
    const { attempt } = start();
    const statuses: number[] = [];
    for (let name = 0; name < 32; name++) statuses.push(await attempt('192.0.2.1', `name ${name}`, wrong));
    expect(statuses).toEqual([...Array<number>(30).fill(401), 429, 429]);
  });

  it('of all addresses of an IPv6 /64 are counted as one', async () => {
    const { attempt } = start();
    const statuses: number[] = [];
    for (let host = 1; host <= 12; host++) statuses.push(await attempt(`2001:db8:9:9::${host}`, 'ada', wrong));
    expect(statuses).toEqual([...Array<number>(10).fill(401), 429, 429]);
  });

  it('are counted by the beginning of a long name', async () => {
    const { attempt } = start();
    const statuses: number[] = [];
    for (let tries = 0; tries < 12; tries++)
      statuses.push(await attempt('192.0.2.1', 'x'.repeat(16_000) + tries, wrong));
    expect(statuses).toEqual([...Array<number>(10).fill(401), 429, 429]);
  });

  it('that succeed are not limited', async () => {
    const { attempt } = start();
    for (let tries = 0; tries < 50; tries++) expect(await attempt('192.0.2.1', 'ada', right)).toBe(200);
  });

  it('raise an alert > more than 100 have failed within an hour', async () => {
    const { attempts, alerts, attempt } = start();
    for (let tries = 0; tries < 100; tries++) await attempt(`192.0.2.${tries}`, 'ada', wrong);
    expect(alerts.activeKinds).toEqual([]);
    await attempt('192.0.2.100', 'ada', wrong);
    expect(alerts.activeKinds).toEqual(['sign-ins-fail']);
    attempts.watch(performance.now() + HOUR_MS - 30_000);
    expect(alerts.activeKinds).toEqual(['sign-ins-fail']);
    attempts.watch(performance.now() + HOUR_MS + 1);
    expect(alerts.activeKinds).toEqual([]);
  });

  it('raise no alert > they fail over a day', async () => {
    const { attempts, alerts, attempt } = start();
    const now = performance.now();
    const clock = jest.spyOn(performance, 'now');
    for (let tries = 0; tries < 200; tries++) {
      clock.mockReturnValue(now + tries * HOUR_MS);
      await attempt(`192.0.2.${tries}`, 'ada', wrong);
      attempts.watch();
    }
    expect(alerts.activeKinds).toEqual([]);
  });

  it('are counted by outcome', async () => {
    const { attempt } = start();
    register.resetMetrics();
    for (let tries = 0; tries < 11; tries++) await attempt('192.0.2.1', 'ada', wrong);
    await attempt('192.0.2.2', 'ada', right);
    const text = await register.getSingleMetricAsString('kitewright_inbox_sign_ins_total');
    for (const line of ['"wrong"} 10', '"limited"} 1', '"ok"} 1']) expect(text).toContain(line);
  });
});
