import { StorageUnavailableError } from '../database/storage-unavailable.error.ts';

/**
 * Consequences of a failed attempt, by kind of failure. The submission is
 *
 * - `hold`: unchanged until the circuit breaker closes,
 * - `wait`: sent again after a fixed pause; the attempt does not count, because it is not the submission's fault,
 * - `retry`: sent again with exponential backoff, up to the maximum number of attempts,
 * - `refused`: sent again for a day, unless the mail server accepts others (see `Refusals`).
 *
 * A failed one waits until an operator resends it.
 */
export const AFTER_FAILURE = {
  /** The mail server cannot be reached, or rejects our login, name or sender. */
  'server-away': 'hold',
  /** The virus scanner gave no verdict. */
  scanner: 'hold',
  /** The storage of the file is unavailable. */
  storage: 'wait',
  /** The mail server may accept this message later. */
  temporary: 'retry',
  /** The mail server ended the connection (421), or refuses one connection while it accepts messages on others. */
  busy: 'wait',
  /** The code says that the mail server refuses us or the mailbox, and not this message. */
  'mailbox-refused': 'refused',
  /** Anything else, such as a file that is missing. */
  unexpected: 'retry',
  /** The message is too large for the mail server. */
  'too-large': 'refused',
  /** The mail server refuses the message, and the code does not say who is at fault. */
  permanent: 'refused',
} as const;
export type FailureKind = keyof typeof AFTER_FAILURE;

/** Part that an error is about: our login, the server's certificate, or the names by which servers judge our mail. */
export type FailureArea = 'login' | 'certificate' | 'identity';

/** Reply of a mail server: its code, such as `SMTP 451 4.7.1`, and its words. */
export interface ServerReply {
  readonly code?: string;
  readonly reply?: string;
}

/** Details of a failed attempt, most of them from the mail server's reply. */
interface FailureDetails {
  /**
   * Whether the mail server refuses us until the operator changes something. It might lock our account, so it is probed
   * rarely.
   */
  readonly refusesUs?: boolean;
  /** Words of the mail server, for the submission's history; never logged. */
  readonly reply?: ServerReply | undefined;
  /** Part that the operator has to check, if the error shows it. */
  readonly area?: FailureArea | undefined;
  /** Whether the mail server may accept the message without its file. */
  readonly mayBeFile?: boolean;
}

/** A failed attempt with a known reason. */
export class DeliveryError extends Error implements FailureDetails {
  override readonly name = 'DeliveryError';
  readonly refusesUs: boolean;
  readonly reply: ServerReply | undefined;
  readonly area: FailureArea | undefined;
  readonly mayBeFile: boolean;

  /** @param reason a sentence for the operator. It has codes and settings only: a server's words can hold an address */
  constructor(
    readonly kind: FailureKind,
    readonly reason: string,
    { refusesUs = false, reply, area, mayBeFile = kind === 'too-large' }: FailureDetails = {},
  ) {
    super(reason);
    this.refusesUs = refusesUs;
    this.reply = reply;
    this.area = area;
    this.mayBeFile = mayBeFile;
  }
}

/**
 * An attempt that ended without a result: the worker shut down while the attempt waited for a connection or was being
 * sent, or another worker has taken over the lease.
 */
export class AttemptInterrupted extends Error {
  override readonly name = 'AttemptInterrupted';

  constructor(readonly when: 'waiting' | 'sending' | 'lease lost') {
    super('The worker ended before the mail server had answered. The mail is sent again, and may arrive twice.');
  }
}

/** Classifies why an attempt failed. The reason has no words of a server. */
export function deliveryErrorOf(error: unknown): DeliveryError {
  if (error instanceof DeliveryError) return error;
  if (error instanceof StorageUnavailableError) {
    return new DeliveryError(error.isMissing ? 'unexpected' : 'storage', error.message);
  }
  const { code, name } = error as NodeJS.ErrnoException;
  if (name === 'TimeoutError') return new DeliveryError('unexpected', 'The attempt took too long.');
  return new DeliveryError('unexpected', typeof code === 'string' ? code : (name ?? 'unknown'));
}
