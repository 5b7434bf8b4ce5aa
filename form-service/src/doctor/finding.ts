import type { LookupAddress } from 'node:dns';
import { setTimeout as pause } from 'node:timers/promises';
import { SettingsError } from '../config/settings.ts';
import type { CheckResult } from '../observability/health.service.ts';

/** Result of a check, and its subject, such as `mail server`. */
export interface Finding extends CheckResult {
  readonly about: string;
}

export const fault = (cause: string, advice = ''): CheckResult => ({ status: 'down', cause, advice });

/** Dependencies on the internet and the machine, which tests replace. */
export interface Outside {
  resolveTxt(name: string): Promise<string[][]>;
  /** Looks up all addresses of a host name, as connections do. */
  lookup(name: string): Promise<LookupAddress[]>;
  /** Certificate authorities (PEM) in place of the public ones. */
  readonly authorities?: string;
  readonly freeBytesMin: number;
  /** Free inodes below which the disk counts as full. */
  readonly freeFilesMin: number;
  readonly limits: Readonly<Record<keyof typeof DOCTOR_LIMITS, number>>;
  /** Timeout of the trial alert; that of alerts by default. */
  readonly alertTimeoutMs?: number;
}

/** Time limits, in milliseconds. */
export const DOCTOR_LIMITS = {
  /** One answer of another machine. */
  answer: 10_000,
  /** A check. */
  check: 15_000,
  /** All trial mails. They are sent one after the other, and mail servers can be slow. */
  trial: 2 * 60_000,
};

/** Joins two sentences with one full stop between them. */
export const sentences = (problem: string, remedy: string): string =>
  [problem.replace(/\.$/, ''), remedy].filter(Boolean).join('. ');

/**
 * Returns a function that waits for a check. Checks run concurrently and are printed in order, so each has a time limit.
 * Without it a lookup by a silent resolver would take minutes.
 */
export const findingWithin =
  (maxMs: number) =>
  /**
   * @param check resolves to nothing if all is well
   * @param otherwise remedy if the check itself fails
   */
  async (about: string, check: Promise<CheckResult | void>, otherwise = ''): Promise<Finding> => {
    const limit = new AbortController();
    const late = pause(maxMs, fault(`no answer within ${maxMs / 1_000} s`, otherwise), { signal: limit.signal });
    try {
      return { status: 'ok', ...(await Promise.race([check, late])), about };
    } catch (error) {
      const cause = error instanceof SettingsError ? error.mistakes.join('. ') : (error as Error).message;
      return { ...fault(cause, otherwise), about };
    } finally {
      limit.abort();
    }
  };
