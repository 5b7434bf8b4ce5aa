import type { LookupAddress } from 'node:dns';
import { setTimeout as pause } from 'node:timers/promises';
import { SettingsError } from '../config/settings.ts';

/** Result of a check. */
export interface Finding {
  /** Subject of the check, such as `mail server`. */
  readonly about: string;
  /** Problem and remedy, if there is a problem. */
  readonly advice?: string | undefined;
  /** Whether the advice is optional. Otherwise the finding is a fault. */
  readonly isOptional?: boolean;
  /** Checks of a process that fail, and their causes, in place of an advice. */
  readonly failures?: Causes['failures'];
  /** Whether it is left out if the database cannot be used, because that has a finding of its own. */
  readonly needsDatabase?: boolean;
}

/** Advice about something optional, such as a webhook for alerts. */
export class Note {
  constructor(readonly advice: string) {}
}

/** Checks that fail in a process, and their causes. Those of which `doctor` has found the fault itself are not printed. */
export class Causes {
  constructor(readonly failures: readonly (readonly [check: string, cause: string])[]) {}
}

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
  readonly limits: DoctorLimits;
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
} as const;
export type DoctorLimits = { readonly [Part in keyof typeof DOCTOR_LIMITS]: number };

export const DAY_MS = 86_400_000;

/** Problem and remedy, if there is a problem. */
export type Advice = Promise<string | Note | Causes | void>;

/** Joins two sentences with one full stop between them. */
export const sentences = (problem: string, remedy: string): string =>
  [problem.replace(/\.$/, ''), remedy].filter(Boolean).join('. ');

/**
 * Returns a function that turns advice into a finding. Checks run concurrently and are printed in order, so each has a
 * time limit. Without it a lookup by a silent resolver would take minutes.
 */
export const findingWithin =
  (maxMs: number) =>
  /** @param otherwise remedy if the check itself fails */
  async (about: string, advice: Advice, otherwise = ''): Promise<Finding> => {
    const limit = new AbortController();
    const late = pause(maxMs, undefined, { signal: limit.signal }).then(() => {
      throw new Error(`no answer within ${maxMs / 1_000} s`);
    });
    try {
      const found = await Promise.race([advice, late]);
      if (found instanceof Note) return { about, advice: found.advice, isOptional: true };
      if (found instanceof Causes) return { about, failures: found.failures };
      return { about, advice: found || undefined };
    } catch (error) {
      const problem = error instanceof SettingsError ? error.mistakes.join('. ') : (error as Error).message;
      return { about, advice: sentences(problem, otherwise) };
    } finally {
      late.catch(() => undefined);
      limit.abort();
    }
  };
