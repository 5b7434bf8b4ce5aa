import { getSystemErrorName } from 'node:util';

/**
 * The kinds of failed attempts:
 *
 * - `temporary`: the server may take this message later (a 4xx reply, a full mailbox, a connection that broke during
 * the message)
 * - `permanent`: the server will never take this message (5xx)
 * - `too-large`: the server will not take the message with its file, but may take it without
 * - `server-away`: the server takes no message now: it cannot be reached, its certificate is not trusted, or it refuses
 * our login, our sender or us. All messages wait, and no attempt is counted
 */
export const MAIL_ERROR_KINDS = ['temporary', 'permanent', 'too-large', 'server-away'] as const;
export type MailErrorKind = (typeof MAIL_ERROR_KINDS)[number];

export interface MailErrorClass {
  readonly kind: MailErrorKind;
  /**
   * A sentence for the operator. It holds codes and settings only, since the server's own words can hold a visitor's
   * address.
   */
  readonly reason: string;
  /**
   * Whether the server refuses us until somebody mends it. It is probed rarely then, because it might lock our account.
   */
  readonly isRejection: boolean;
}

/** A message could not be sent, or the server could not be used. */
export class MailError extends Error implements MailErrorClass {
  override readonly name = 'MailError';

  constructor(
    readonly kind: MailErrorKind,
    readonly reason: string,
    readonly isRejection = false,
  ) {
    super(reason);
  }
}

/** The properties that nodemailer and Node.js put on an error. */
interface TransportError {
  readonly code?: string;
  readonly errno?: number;
  readonly syscall?: string;
  readonly command?: string;
  readonly responseCode?: number;
  readonly response?: string;
  readonly message?: string;
}

/** Classifies an error of the mailer or of nodemailer. */
export function classifyMailError(error: unknown): MailErrorClass {
  if (error instanceof MailError) return { kind: error.kind, reason: error.reason, isRejection: error.isRejection };
  const { responseCode = 0, response = '', code = '', command } = error as TransportError;
  const found = responseCode
    ? classifyReply(new Reply(responseCode, response, code, command))
    : classifyTransportError(error as TransportError);
  return { ...found, isRejection: found.kind === 'server-away' && (responseCode >= 500 || LOGIN_ERRORS.has(code)) };
}

/** Nodemailer's codes of a login that failed. */
const LOGIN_ERRORS = new Set(['EAUTH', 'ENOAUTH', 'EOAUTH2']);

type Found = Pick<MailErrorClass, 'kind' | 'reason'>;

/** Classifies an error without a reply of the server: of the network, of TLS, or of our own. */
function classifyTransportError({ code = '', errno, syscall, message = '' }: TransportError): Found {
  const name = typeof errno === 'number' && errno < 0 ? getSystemErrorName(errno) : code;
  if (code === 'EMESSAGE' && message.startsWith('Message size larger'))
    return { kind: 'too-large', reason: 'The message is larger than the mail server allows (SIZE).' };
  if (LOGIN_ERRORS.has(code))
    return {
      kind: 'server-away',
      reason: `The mail server lets nobody log in the way that SMTP_URL asks for (${name}).`,
    };
  if (code === 'EENVELOPE')
    return { kind: 'permanent', reason: 'The inbox or the sender is no address that can be mailed to.' };
  if (code === 'ESTREAM') return { kind: 'temporary', reason: 'The résumé could not be read to its end.' };
  // Only TLS errors have no number.
  if (code === 'ETLS' || (code === 'ESOCKET' && errno === undefined))
    return { kind: 'server-away', reason: tlsFault(message) };
  if (syscall === 'connect' || code === 'EDNS' || isSilent(message))
    return { kind: 'server-away', reason: `The mail server cannot be reached (${name}).` };
  return { kind: 'temporary', reason: `The connection to the mail server broke (${name || 'closed'}).` };
}

/** Whether the server gave a reply that can be judged. Without one the server must be probed. */
export const hasReply = (error: unknown): boolean => Boolean((error as TransportError).responseCode);

/** Nodemailer's messages for a server that accepts a connection slowly, or that says nothing afterwards. */
const isSilent = (message: string) => /^(?:Connection timeout|Greeting never received)/.test(message);

/** OpenSSL's messages for a certificate that is not trusted. Newer versions of Node.js add advice to them. */
const UNTRUSTED =
  /self[- ]signed certificate(?: in certificate chain)?|unable to (?:verify the first|get (?:local )?issuer) cert\w+/i;

/** The certificate's fault, and the setting that mends it. */
function tlsFault(message: string): string {
  const untrusted = UNTRUSTED.exec(message)?.[0].toLowerCase();
  if (untrusted) {
    const mend = 'Name the certificate that signed it in SMTP_CA_FILE.';
    return `The mail server's certificate is not trusted (${untrusted}). ${mend}`;
  }
  if (/certificate has expired/i.test(message)) return "The mail server's certificate has expired.";
  if (/certificate is not yet valid/i.test(message))
    return "The mail server's certificate is not valid yet, or the clock here is wrong.";
  if (/does not match certificate/i.test(message))
    return "The mail server's certificate is for another host name than SMTP_URL has.";
  const mend = 'SMTP_URL needs smtps:// where TLS begins at once (port 465), smtp:// where it begins on request.';
  return `TLS with the mail server fails. ${mend}`;
}

/** A reply of the server (RFC 5321) with its enhanced code (RFC 3463) and the command that it answers. */
class Reply {
  /** The enhanced code, for example `5.7.1`; empty where the server sends none. */
  readonly enhanced: string;
  readonly stage: 'session' | 'sender' | 'recipient' | 'content';
  /** The code for logs and operators, for example `SMTP 554 5.7.1`. */
  readonly name: string;

  constructor(
    readonly code: number,
    readonly words: string,
    errorCode: string,
    readonly command = '',
  ) {
    this.enhanced = /^\d{3}[ -]([245]\.\d{1,3}\.\d{1,3})\b/.exec(words)?.[1] ?? '';
    this.name = `SMTP ${code}${this.enhanced && ` ${this.enhanced}`}`;
    const isSession = errorCode === 'EAUTH' || /^(?:CONN|EHLO|HELO|STARTTLS|AUTH)/.test(command);
    this.stage = isSession
      ? 'session'
      : command === 'MAIL FROM'
        ? 'sender'
        : command === 'RCPT TO'
          ? 'recipient'
          : 'content';
  }

  /** Subject and detail of the enhanced code, for example `7.1`. */
  get status(): string {
    return this.enhanced.slice(2);
  }
}

/** Replies that ask for a login, or for another one (RFC 4954, 6). */
const LOGIN_REPLIES = new Set([530, 534, 535, 538]);

/**
 * Enhanced codes that refuse us and not the message: login and encryption (RFC 5248), SPF, DKIM, DMARC and reverse DNS
 * (RFC 7372).
 */
const OUR_IDENTITY = /^5\.7\.(?:8|9|1\d|2\d|30)$/;

function classifyReply(reply: Reply): Found {
  const { code, enhanced, status, stage, words, name } = reply;
  if (LOGIN_REPLIES.has(code) || code === 454)
    return {
      kind: 'server-away',
      reason: `The mail server wants a login, or another one (${name}). Check user and password in SMTP_URL.`,
    };
  if (reply.command === 'EHLO' || reply.command === 'HELO' || /helo command rejected/i.test(words)) {
    return {
      kind: 'server-away',
      reason: `The mail server refuses the name that we greet it with (${name}). Set SMTP_HELO_NAME.`,
    };
  }
  if (stage === 'session' || code === 521 || status === '3.2' || (code === 421 && stage !== 'content')) {
    return { kind: 'server-away', reason: `The mail server takes no mail from us now (${name}).` };
  }
  if (OUR_IDENTITY.test(enhanced))
    return {
      kind: 'server-away',
      reason: `The mail server does not believe who we are (${name}). Check SPF, DKIM and what it says in its log.`,
    };
  if (status === '2.2') return { kind: 'temporary', reason: `The inbox is full (${name}).` };
  if (code < 500) return { kind: 'temporary', reason: `The mail server asks to try again later (${name}).` };
  if (code === 552 || code === 523 || status === '3.4' || status === '2.3')
    return { kind: 'too-large', reason: `The message with its file is too large for the mail server (${name}).` };
  // Every message has the same sender, so a refused sender means that the server refuses us.
  if (stage === 'sender')
    return {
      kind: 'server-away',
      reason: `The mail server refuses our sender (${name}). Check MAIL_FROM and MAIL_BOUNCES_TO.`,
    };
  if (stage === 'recipient' && (status.startsWith('7.') || (code === 554 && !enhanced) || /\brelay/i.test(words))) {
    return {
      kind: 'server-away',
      reason: `The mail server does not let us send to our inboxes (${name}): it must know this machine, or our login.`,
    };
  }
  return {
    kind: 'permanent',
    reason: `The mail server refuses the message${stage === 'recipient' ? "'s inbox" : ''} for good (${name}).`,
  };
}
