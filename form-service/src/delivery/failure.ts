import { StorageUnavailableError } from '../database/storage-unavailable.error.ts';
import { isMissing } from '../submissions/resume-files.ts';
import type { EventDetail } from '../submissions/submission.ts';

/**
 * What follows a failed attempt, by the kind of the failure. The submission is
 *
 * - held as it was until the service is back, which the circuit breaker finds out,
 * - tried again after a while, without counting the attempt, since it is not the submission's fault,
 * - tried again after a pause that grows, until it has run out of attempts, or
 * - given up, and waits for an operator.
 */
export const AFTER_FAILURE = {
  /** The mail server cannot be reached, or refuses our login, name or sender. */
  'server-away': 'hold',
  /** The virus scanner gave no verdict. */
  scanner: 'hold',
  /** The storage of the file is away. */
  storage: 'wait',
  /** The mail server may take this message later. */
  temporary: 'retry',
  /** The mail server takes mail, but none from us for this inbox. Messages to other inboxes are sent as ever. */
  'inbox-refused': 'retry',
  /** Anything else, such as a file that is missing. */
  unexpected: 'retry',
  /** The mail server does not take the message with its file. It was sent without, in vain too. */
  'too-large': 'give up',
  /** The mail server will never take this message. */
  permanent: 'give up',
} as const;
export type FailureKind = keyof typeof AFTER_FAILURE;

/** An attempt failed, for a reason that is known. */
export class DeliveryError extends Error {
  override readonly name = 'DeliveryError';

  /**
   * @param reason a sentence for the operator, of codes and settings only: a server's words can hold an address
   * @param isRejection whether the mail server refuses us until somebody mends it. It might lock our account, and is
   *   probed rarely
   * @param reply what the mail server said, for the submission's history; it is never logged
   */
  constructor(
    readonly kind: FailureKind,
    readonly reason: string,
    readonly isRejection = false,
    readonly reply?: EventDetail,
  ) {
    super(reason);
  }
}

/** Why an attempt failed. The words are ours, never a server's. */
export function deliveryErrorOf(error: unknown): DeliveryError {
  if (error instanceof DeliveryError) return error;
  if (error instanceof StorageUnavailableError) {
    return new DeliveryError(isMissing(error) ? 'unexpected' : 'storage', error.message);
  }
  const { code, name } = error as NodeJS.ErrnoException;
  if (name === 'TimeoutError') return new DeliveryError('unexpected', 'The attempt took too long: something stalls.');
  return new DeliveryError('unexpected', typeof code === 'string' ? code : (name ?? 'unknown'));
}

const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 15 * 60_000;

/** This part of a pause is random, so that messages which failed together are not tried again together. */
const JITTER = 0.2;

/** A message is given up after so many attempts. The pauses between them add up to more than a day. */
export const ATTEMPTS_MAX = 110;

/**
 * The pause in milliseconds before the next attempt at a message that failed for a temporary reason, or undefined when
 * the message is given up. Pauses double from 2 s to 15 min.
 *
 * @param attempts number of failed attempts, the latest included
 * @param random from 0 up to but excluding 1
 */
export function pauseBeforeRetry(attempts: number, random = Math.random()): number | undefined {
  if (attempts >= ATTEMPTS_MAX) return undefined;
  const pause = Math.min(FIRST_PAUSE_MS * 2 ** (attempts - 1), LONGEST_PAUSE_MS);
  return Math.round(pause * (1 - JITTER + 2 * JITTER * random));
}
