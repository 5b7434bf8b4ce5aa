import type SMTPConnection from 'nodemailer/lib/smtp-connection';
import { DeliveryError } from '../outbox/attempt.ts';

/**
 * Describes why the mail server could not be used, or did not take a message. The reason has no words of the server.
 *
 * @param kind whether the session failed before the end of the login, or after it
 */
export function mailErrorOf(error: SMTPConnection.SMTPError, kind: 'server-away' | 'refused'): DeliveryError {
  const { response: words = '', responseCode = 0, permanent: isPermanent, command } = error;
  if (responseCode < 400 || responseCode > 599) return errorWithoutReply(error, kind);
  // The enhanced code (RFC 3463).
  const status = /^\d{3}[ -]([45]\.\d{1,3}\.\d{1,3})\b/.exec(words)?.[1] ?? '';
  const name = `SMTP ${responseCode} ${status}`.trim();
  const sentence = reasonOfReply(responseCode, command, kind);
  return new DeliveryError(kind, sentence.replace('%', name), {
    reply: { code: name, reply: words },
    isPermanent,
    mayBeFile: kind === 'refused' && isPermanent && isAboutFile(responseCode, status, words),
  });
}

/** Sentences for the operator by the first word of the command that the server rejects; `%` is the code. Nodemailer calls the greeting `CONN`. */
const REJECTED: Readonly<Record<string, string>> = {
  CONN: 'The mail server accepts no mail from us (%).',
  EHLO: 'The mail server does not accept the name in our EHLO (%). Check SMTP_HELO_NAME.',
  STARTTLS:
    'The mail server does not offer STARTTLS (%), so password and mails would cross the network in clear text. Use smtps:// in SMTP_URL, or add ?requireTLS=false in a private network.',
  AUTH: 'The mail server rejects the login (%). Check user and password in SMTP_URL.',
  MAIL: 'The mail server rejects our sender (%). Check MAIL_FROM and MAIL_BOUNCES_TO.',
  RCPT: 'The mail server rejects the mailbox (%).',
  DATA: 'The mail server rejects the message (%).',
};

/** Replies that require a login or TLS, or reject the login (RFC 4954, 6). */
const LOGIN_CODES = new Set([530, 534, 535, 538]);

function reasonOfReply(code: number, command = '', kind: 'server-away' | 'refused'): string {
  const verb = command.replace('HELO', 'EHLO').split(' ')[0] ?? '';
  // Google's relay defers the session (421) if it does not like the name.
  const isTemporary = code < 500 && verb !== 'EHLO';
  if (isTemporary && kind === 'server-away') return 'The mail server is unavailable at the moment (%).';
  if (isTemporary) return 'The mail server asks to try again later (%).';
  if (kind === 'refused' && LOGIN_CODES.has(code))
    return 'The mail server requires a login or TLS (%). Check SMTP_URL.';
  return REJECTED[verb] ?? 'The mail server does not accept our mail (%).';
}

/** Words of servers about a file, or about a size. */
const FILE_WORDS = /attach|content|macro|virus|malware|infected|executable|too (?:large|big)|size/i;

/** Enhanced codes about a size, or about a kind of content (RFC 3463). */
const FILE_STATUS = /^5\.(?:3\.4|2\.3|6\.\d+)$/;

/** Whether a reply is about the size or the content of a message. 552 is also the code of a full mailbox (5.2.2). */
const isAboutFile = (code: number, status: string, words: string): boolean =>
  status !== '5.2.2' &&
  ((code === 552 && status === '') || code === 523 || FILE_STATUS.test(status) || FILE_WORDS.test(words));

/** Sentences by the code of an error that no reply explains: the one of Node.js, or else nodemailer's. */
const FAULTS: readonly (readonly [code: RegExp, sentence: string])[] = [
  [
    /SELF_SIGNED|UNABLE_TO_/,
    "The mail server's certificate is not trusted. Name the certificate that signed it in NODE_EXTRA_CA_CERTS.",
  ],
  [/^CERT_HAS_EXPIRED/, "The mail server's certificate has expired."],
  [/^CERT_NOT_YET/, "The mail server's certificate, or the clock of this machine, is wrong (%)."],
  [/ALTNAME_INVALID/, "The mail server's certificate is for another host name than SMTP_URL has."],
  [
    /^(?:ETLS|EPROTO|ERR_(?:SSL|TLS)_\w+)$/,
    'TLS with the mail server fails (%). Use smtps:// in SMTP_URL if TLS begins at once (port 465), smtp:// otherwise.',
  ],
  [
    /^GREETING_TIMEOUT/,
    'The mail server accepts the connection and says nothing (%). For port 465 use smtps:// in SMTP_URL.',
  ],
  [
    /^EAUTH/,
    'The mail server offers no login with user and password (%), perhaps only OAuth. Use an app password, or another server in SMTP_URL.',
  ],
];

const NO_SMTPUTF8 =
  'The mail server accepts no address with letters such as ü before the @ (no SMTPUTF8). Use an address without them.';

/** Describes an error of the network, of TLS, or nodemailer's own. */
function errorWithoutReply(error: SMTPConnection.SMTPError, kind: 'server-away' | 'refused'): DeliveryError {
  const { code = 'closed', originalCode = code, timeoutType = originalCode, command, message } = error;
  // Nodemailer itself rejects the envelope.
  if (code === 'EENVELOPE' && command === 'API')
    return new DeliveryError(kind, 'The address of the mailbox or of the sender is invalid.', { isPermanent: true });
  if (code === 'ESMTPUTF8') return new DeliveryError(kind, NO_SMTPUTF8, { isPermanent: true });
  if (message.startsWith('Message size larger')) return tooLarge('The message is larger than the mail server allows.');
  const [, sentence] = FAULTS.find(([pattern]) => pattern.test(timeoutType)) ?? [];
  const end = kind === 'server-away' ? 'The mail server cannot be reached (%).' : 'The connection broke (%).';
  return new DeliveryError(kind, (sentence ?? end).replace('%', originalCode));
}

/** Returns the error for a message that is not sent because of its size. */
export const tooLarge = (reason: string): DeliveryError =>
  new DeliveryError('refused', reason, { isPermanent: true, mayBeFile: true });
