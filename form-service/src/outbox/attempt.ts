import { StorageUnavailableError } from '../database/storage-unavailable.error.ts';

/**
 * Kinds of failed attempts. `refused` and `unexpected` count as an attempt. The others are not the message's fault, so it
 * waits until the part is available again.
 */
export const FAILURE_KINDS = [
  /** The mail server could not be used, up to and including the login. */
  'server-away',
  /** Any reply of the mail server, or of a webhook, after that; or a connection that ended before the reply. */
  'refused',
  /** The storage of the file is unavailable. */
  'storage',
  /** The virus scanner gave no verdict. */
  'scanner',
  /** Anything else, such as a file that is missing or damaged. */
  'unexpected',
] as const;
export type FailureKind = (typeof FAILURE_KINDS)[number];

/** Details of a failed attempt, most of them from the mail server's reply. */
interface FailureDetails {
  /** Code and words of the mail server, for the submission's history and the alert. The words are never logged. */
  readonly reply?: { readonly code?: string; readonly reply?: string } | undefined;
  /** Whether the reply is permanent (5xx). */
  readonly isPermanent?: boolean | undefined;
  /** Whether the mail server may accept the message without its file. */
  readonly mayBeFile?: boolean | undefined;
}

/** A failed attempt with a known reason. */
export class DeliveryError extends Error implements FailureDetails {
  override readonly name = 'DeliveryError';
  readonly reply: FailureDetails['reply'];
  readonly isPermanent: boolean;
  readonly mayBeFile: boolean;

  /** @param reason a sentence for the operator. It has codes and settings only: a server's words can hold an address */
  constructor(
    readonly kind: FailureKind,
    readonly reason: string,
    { reply, isPermanent = false, mayBeFile = false }: FailureDetails = {},
  ) {
    super(reason);
    this.reply = reply;
    this.isPermanent = isPermanent;
    this.mayBeFile = mayBeFile;
  }
}

/** The message must not be sent again, for instance because it is too late. */
export class GivenUp extends DeliveryError {
  constructor(reason: string) {
    super('refused', reason);
  }
}

/** The message must wait, and the attempt does not count: nothing was sent. */
export class Postponed extends DeliveryError {
  constructor(reason: string) {
    super('server-away', reason);
  }
}

/** An attempt that ended before the reply: the worker shuts down, or another worker has taken over the lease. */
export class AttemptInterrupted extends Error {
  override readonly name = 'AttemptInterrupted';

  constructor() {
    super('The worker ended before the mail server had answered. The mail is sent again, and may arrive twice.');
  }
}

/** Classifies why an attempt failed. The reason has no words of a server. */
export function deliveryErrorOf(error: unknown): DeliveryError {
  if (error instanceof DeliveryError) return error;
  if (error instanceof StorageUnavailableError)
    return new DeliveryError(error.isMissing ? 'unexpected' : 'storage', error.message);
  const { code, name, message } = (error ?? {}) as NodeJS.ErrnoException;
  if (name === 'TimeoutError') return new DeliveryError('unexpected', 'The attempt took too long.');
  if (error instanceof AttemptInterrupted) return new DeliveryError('unexpected', message);
  return new DeliveryError('unexpected', typeof code === 'string' ? code : (name ?? 'unknown'));
}

/** Time limit of one attempt, a last resort: each reply has its own limit. */
export const ATTEMPT_MAX_MS = 20 * 60_000;

/** Waits for a promise that takes no signal, until the signal is aborted. */
export async function abortable<T>(waited: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  let abort = () => {};
  const aborted = new Promise<never>((_, reject) => (abort = () => reject(signal.reason as Error)));
  signal.addEventListener('abort', abort);
  try {
    return await Promise.race([waited, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
