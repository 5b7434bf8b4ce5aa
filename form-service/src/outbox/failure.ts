import { StorageUnavailableError } from '../database/storage-unavailable.error.ts';

/**
 * What an attempt failed at.
 *
 * - `server-away`: the mail server could not be used, up to and including the login
 * - `refused`: the server refused the mail, or the connection ended, after the login
 * - `storage`: the storage of the file is unavailable
 * - `scanner`: the virus scanner gave no verdict
 * - `unexpected`: anything else, such as a missing file
 */
export const FAILURE_KINDS = ['server-away', 'refused', 'storage', 'scanner', 'unexpected'] as const;
export type FailureKind = (typeof FAILURE_KINDS)[number];

/** Part that an error is about: our login, the server's certificate, or the names by which servers judge our mail. */
export type FailureArea = 'login' | 'certificate' | 'identity';

/** Reply of a mail server: its code, such as `SMTP 451 4.7.1`, and its words. */
export interface ServerReply {
  readonly code?: string;
  readonly reply?: string;
}

/** Details of a failed attempt, most of them from the mail server's reply. */
interface FailureDetails {
  /** Words of the mail server, for the submission's history; never logged. */
  readonly reply?: ServerReply | undefined;
  /** Whether the server refuses the mail for good (5xx). */
  readonly isPermanent?: boolean | undefined;
  /** Whether the mail server may accept the message without its file. */
  readonly mayBeFile?: boolean | undefined;
  /** Part that the operator has to check, if the error shows it. */
  readonly area?: FailureArea | undefined;
}

/** A failed attempt with a known reason. */
export class DeliveryError extends Error implements FailureDetails {
  override readonly name = 'DeliveryError';
  readonly reply: ServerReply | undefined;
  readonly isPermanent: boolean;
  readonly mayBeFile: boolean;
  readonly area: FailureArea | undefined;

  /** @param reason a sentence for the operator. It has codes and settings only: a server's words can hold an address */
  constructor(
    readonly kind: FailureKind,
    readonly reason: string,
    { reply, isPermanent = false, mayBeFile = false, area }: FailureDetails = {},
  ) {
    super(reason);
    this.reply = reply;
    this.isPermanent = isPermanent;
    this.mayBeFile = mayBeFile;
    this.area = area;
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
