import type { AlertKind } from '../alerts/alert-kinds.ts';

/** Result of a check. Cause and advice contain names and codes, never visitors' data or secrets. */
export interface CheckResult {
  /** With `degraded` the process does its work, in spite of a problem; with `down` it cannot. */
  readonly status: 'ok' | 'degraded' | 'down';
  readonly cause?: string;
  /** Remedy for the operator. With the status `ok` it is about something optional. */
  readonly advice?: string;
  /** References or names of what is affected, for the alert. An empty list raises none. */
  readonly affected?: readonly string[];
  /** Words for the post of the alert only, such as the mail server's, which can hold an address. */
  readonly details?: string | undefined;
  /** Whether the check itself failed or took too long, so that nothing is known about the part. */
  readonly isUnknown?: boolean;
}

/** Diagnosis of one part. Health checks, alerts and `doctor` run the same one. */
export interface Check {
  readonly name: string;
  /** Whether it reads the database. While the check `storage` fails, it is left out if it cannot be made. */
  readonly needsStorage?: boolean;
  /** Time limit in milliseconds, if not that of all checks. */
  readonly timeoutMs?: number;
  /** Alert that is raised while the check is not ok, and for how many milliseconds that must last first. */
  readonly alert?: { readonly kind: AlertKind; readonly afterMs?: number };
  run(): CheckResult | Promise<CheckResult>;
}

/** Answer of the health checks. */
export interface HealthReport {
  readonly ready: boolean;
  readonly version: string;
  readonly checks: Readonly<Record<string, Pick<CheckResult, 'status' | 'cause' | 'advice'>>>;
}

export const OK: CheckResult = { status: 'ok' };

/** Result with the status `down`, or `ok` without a cause. */
export const down = (cause?: string, advice?: string): CheckResult =>
  cause === undefined ? OK : { status: 'down', cause, ...(advice !== undefined && { advice }) };

/** Result with the status `degraded`, or `ok` without causes. */
export const degraded = (causes: readonly string[], rest: Omit<CheckResult, 'status' | 'cause'> = {}): CheckResult =>
  causes.length === 0 ? OK : { status: 'degraded', cause: causes.join(', '), ...rest };

/** Joins cause and advice with one full stop between them. */
export const sentences = ({ cause = '', advice = '' }: Pick<CheckResult, 'cause' | 'advice'>): string =>
  [cause.replace(/\.$/, ''), advice].filter(Boolean).join('. ');

/** Result of a check with its name. */
export interface NamedResult extends CheckResult {
  readonly name: string;
}

/** Formats a result in a line. */
export const lineOf = (result: NamedResult): string => [result.name, sentences(result)].filter(Boolean).join(': ');
