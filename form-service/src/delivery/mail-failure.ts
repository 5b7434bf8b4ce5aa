import { getSystemErrorName } from 'node:util';

/**
 * What a failed attempt means for the message:
 *
 * - `outage`: the server could not be talked to at all; no message is to blame
 * - `misconfigured`: the server refuses us, not the message: wrong password, authentication missing. Held like an
 *   outage, because the message is fine and only an operator can mend it
 * - `interrupted`: the connection broke, stalled or timed out with a message under way
 * - `temporary`: the server said "not now" (4xx)
 * - `too large`: the server or `MAIL_MAX_BYTES` does not allow the size
 * - `permanent`: the server said "never" (5xx)
 */
export const MAIL_FAILURE_KINDS = ['outage', 'misconfigured', 'interrupted', 'temporary', 'too large', 'permanent'] as const;
export type MailFailureKind = (typeof MAIL_FAILURE_KINDS)[number];

/**
 * A message could not be handed over. The message text is a code alone, such as `SMTP 451` or `ECONNREFUSED`: the
 * server's own words can hold an address and are dropped here.
 */
export class MailFailure extends Error {
  override readonly name = 'MailFailure';

  constructor(
    readonly kind: MailFailureKind,
    readonly code: string,
  ) {
    super(code);
  }
}

/** Replies that say who we are is the trouble (RFC 4954, 6), whatever the message. */
const AUTHENTICATION_REPLIES = new Set([530, 534, 535, 538]);

/** What nodemailer and Node put on an error. */
interface TransportError {
  readonly code?: string;
  readonly errno?: number;
  readonly syscall?: string;
  readonly command?: string;
  readonly responseCode?: number;
  readonly message?: string;
}

export function mailFailureOf(error: unknown): MailFailure {
  if (error instanceof MailFailure) return error;
  const { code = '', errno, syscall, command, responseCode, message = '' } = error as TransportError;
  if (responseCode) return failureOfReply(responseCode, code, command);
  const name = typeof errno === 'number' && errno < 0 ? getSystemErrorName(errno) : code || 'connection closed';
  if (code === 'EMESSAGE' && message.startsWith('Message size larger')) return new MailFailure('too large', 'SIZE');
  if (code === 'EAUTH' || code === 'ENOAUTH' || code === 'EOAUTH2') return new MailFailure('misconfigured', name);
  if (code === 'EENVELOPE') return new MailFailure('permanent', name);
  // Only an error of TLS has no number: an expired certificate, say, or a server that speaks none.
  if (code === 'ESOCKET' && errno === undefined) return new MailFailure('outage', 'TLS');
  if (syscall === 'connect' || code === 'EDNS' || code === 'ETLS') return new MailFailure('outage', name);
  return new MailFailure('interrupted', name);
}

function failureOfReply(reply: number, code: string, command: string | undefined): MailFailure {
  const name = `SMTP ${reply}`;
  if (code === 'EAUTH' || AUTHENTICATION_REPLIES.has(reply)) return new MailFailure('misconfigured', name);
  // A greeting other than 220, or a refused EHLO or STARTTLS: no message has been mentioned yet.
  if (command === 'CONN' || command === 'EHLO' || command === 'HELO' || command === 'STARTTLS') return new MailFailure('outage', name);
  if (reply === 552) return new MailFailure('too large', name);
  return new MailFailure(reply >= 500 ? 'permanent' : 'temporary', name);
}
