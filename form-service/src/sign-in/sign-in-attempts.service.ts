import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import { AlertsService } from '../alerts/alerts.service.ts';
import { HOUR_MS } from '../config/durations.ts';
import { clientKey } from '../http/client-network.ts';
import { HttpError } from '../http/http-error.ts';
import { serviceWords } from '../contract/service-words.ts';

const words = serviceWords('signIn');

/** Failed attempts a minute of one network with one name, and of one network in all: an office shares an address. */
const TRIES_PER_NAME = 10;
const TRIES_PER_NETWORK = 30;

/** Maximum number of concurrent scrypt verifications. Each takes 0.35 s of CPU and 128 MiB. */
const VERIFICATIONS_MAX = 1;

/** Maximum number of attempts that wait for a verification: 18 s, so that nginx still waits for the last one. */
const WAITING_MAX = 50;

/** Maximum number of attempts of one site (IPv6 /48) that are verified or wait. */
const ATTEMPTS_PER_SITE = 3;

/** Longer names are counted by their beginning, so that a flood of them needs little memory. No user has one. */
const NAME_MAX = 64;

/** More failed attempts in an hour raise an alert. */
const FAILURES_PER_HOUR = 100;

const OUTCOMES = ['ok', 'wrong', 'limited', 'busy'] as const;
const signIns = new Counter({
  name: 'kitewright_inbox_sign_ins_total',
  help: 'Attempts to sign in to the inbox, by outcome: ok, wrong, limited (too many), busy (not verified)',
  labelNames: ['outcome'],
});
for (const outcome of OUTCOMES) signIns.inc({ outcome }, 0);

/**
 * Limits attempts to sign in, by network (IPv6 /64) and name, and raises an alert when many fail.
 *
 * Attempts wait in a queue in which each site has a few places, so a flood delays others by the number of its sites, not
 * by its size. Networks from which somebody has signed in come first. An attempt that finds no place is not counted.
 */
@Injectable()
export class SignInAttempts {
  private readonly byName = new RateLimiterMemory({ points: TRIES_PER_NAME, duration: 60 });
  private readonly byNetwork = new RateLimiterMemory({ points: TRIES_PER_NETWORK, duration: 60 });
  private readonly knownNetworks = new Set<string>();
  /** The times of the latest failures, as many as raise an alert. */
  private failures: number[] = [];
  private verifications = 0;
  /** Starts the attempts that wait, in this order. */
  private readonly waiting: (() => void)[] = [];
  private readonly attemptsOf = new Map<string, number>();

  constructor(private readonly alerts: AlertsService) {}

  /**
   * Makes one attempt.
   *
   * @param address the client's address
   * @param verify verifies the password; a success is not counted against the limits
   * @throws HttpError 429 or 503 without verifying
   */
  async attempt<User>(
    address: string,
    name: string,
    verify: () => Promise<User | undefined>,
  ): Promise<User | undefined> {
    const network = clientKey(address);
    const isKnown = this.knownNetworks.has(network);
    const site = isKnown ? network : clientKey(address, 48);
    const counted = name.slice(0, NAME_MAX);
    await this.begin(site, isKnown);
    try {
      await this.consume(network, counted);
      const user = await verify();
      if (user === undefined) this.countFailure();
      else await this.recordSuccess(network, counted);
      return user;
    } finally {
      this.end(site);
    }
  }

  /** Counts a sign-in at the OpenID Connect provider. */
  countSuccess(): void {
    signIns.inc({ outcome: 'ok' });
  }

  /** Counts a sign-in that failed or, at the provider, was refused. Many of them raise an alert. */
  countFailure(outcome: 'wrong' | 'limited' = 'wrong'): void {
    signIns.inc({ outcome });
    this.failures = [...this.failures, performance.now()].slice(-FAILURES_PER_HOUR - 1);
    if (this.failures.length > FAILURES_PER_HOUR) this.watch();
  }

  /** Raises the alert, or ends it once an hour has passed without that many failures. */
  watch(now = performance.now()): void {
    this.failures = this.failures.filter((at) => at > now - HOUR_MS);
    this.alerts.update('sign-ins-fail', this.failures.length > FAILURES_PER_HOUR, now);
  }

  /** Waits for a verification. @throws HttpError 503 if there is no place in the queue */
  private async begin(site: string, isKnown: boolean): Promise<void> {
    const attempts = this.attemptsOf.get(site) ?? 0;
    if (attempts >= ATTEMPTS_PER_SITE || (!isKnown && this.waiting.length >= WAITING_MAX)) {
      signIns.inc({ outcome: 'busy' });
      throw new HttpError('unavailable', words.tooMany);
    }
    this.attemptsOf.set(site, attempts + 1);
    if (this.verifications < VERIFICATIONS_MAX) this.verifications++;
    else await new Promise<void>((start) => (isKnown ? this.waiting.unshift(start) : this.waiting.push(start)));
  }

  /** Passes the verification on to the next attempt. */
  private end(site: string): void {
    const attempts = (this.attemptsOf.get(site) ?? 1) - 1;
    if (attempts > 0) this.attemptsOf.set(site, attempts);
    else this.attemptsOf.delete(site);
    const start = this.waiting.shift();
    if (start) start();
    else this.verifications--;
  }

  private async consume(network: string, name: string): Promise<void> {
    try {
      await this.byName.consume(`${network} ${name}`);
      await this.byNetwork.consume(network);
    } catch (error) {
      this.countFailure('limited');
      const retryAfterSeconds = Math.ceil((error as RateLimiterRes).msBeforeNext / 1_000);
      throw new HttpError('rate-limited', words.tooManyTries, { retryAfterSeconds });
    }
  }

  /** Counts a success. It gives back what its attempt counted, and its network comes first from now on. */
  private async recordSuccess(network: string, name: string): Promise<void> {
    this.countSuccess();
    this.knownNetworks.add(network);
    await this.byName.reward(`${network} ${name}`);
    await this.byNetwork.reward(network);
  }
}
