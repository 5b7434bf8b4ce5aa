import { getSystemErrorName } from 'node:util';
import { DeliveryError, type FailureArea } from '../outbox/failure.ts';

/** The properties that nodemailer and Node.js put on an error. */
interface TransportError {
  readonly code?: string;
  readonly errno?: number;
  readonly syscall?: string;
  readonly command?: string;
  readonly response?: string;
  readonly message?: string;
}

type FailureKind = 'server-away' | 'busy' | 'temporary' | 'too-large' | 'mailbox-refused' | 'permanent';

/** The kind of a failure, the sentence for the operator, in which `%` is the code, and what it is about. */
type Verdict = readonly [kind: FailureKind, sentence: string, area?: FailureArea];

/** Classifies why a message could not be sent, or the mail server not be used. If the server did not reply, probe it. */
export function mailErrorOf(error: unknown): DeliveryError {
  const failure = error as TransportError;
  const { code = '', errno } = failure;
  const systemName = typeof errno === 'number' && errno < 0 ? getSystemErrorName(errno) : code;
  const reply = replyOf(failure);
  const [kind, sentence, area] = reply ? verdictOnReply(reply) : verdictOnError(failure);
  const name = reply ? nameOf(reply) : systemName || 'closed';
  const mayBeFile = kind === 'too-large' || (kind === 'permanent' && reply?.stage === 'content');
  return new DeliveryError(kind === 'server-away' ? kind : 'refused', sentence.replace('%', name), {
    reply: reply && { code: name, reply: reply.words },
    isPermanent: (reply?.code ?? 0) >= 500,
    area,
    mayBeFile,
  });
}

/** A negative reply of the server (RFC 5321) with its enhanced code (RFC 3463), and its place in the session. */
interface Reply {
  readonly code: number;
  /** Subject and detail of the enhanced code, for example `7.1`; empty if the server sends none. */
  readonly status: string;
  readonly stage: 'greeting' | 'tls' | 'name' | 'login' | 'sender' | 'recipient' | 'content';
  readonly words: string;
}

/** Parses the reply to a command. A malformed reply, or a line that the end of the connection cut off, says nothing. */
function replyOf({ response: words = '', code: errorCode, command = '', message }: TransportError): Reply | undefined {
  const [, code, status = ''] = /^([45]\d\d)(?:$|[ -](?:[245]\.(\d{1,3}\.\d{1,3})\b)?)/.exec(words) ?? [];
  const isCutOff = command === 'CONN' && errorCode !== 'EPROTOCOL';
  if (!code || isCutOff || message?.startsWith('Unexpected Response')) return undefined;
  const stages: Record<string, Reply['stage']> = {
    CONN: 'greeting',
    STARTTLS: 'tls',
    EHLO: 'name',
    HELO: 'name',
    AUTH: 'login',
    'MAIL FROM': 'sender',
    'RCPT TO': 'recipient',
  };
  const stage = errorCode === 'EAUTH' ? 'login' : (stages[command] ?? stages[command.split(' ')[0] ?? ''] ?? 'content');
  // Some servers reject the name only after RCPT TO.
  return { code: Number(code), status, stage: /helo command rejected/i.test(words) ? 'name' : stage, words };
}

const nameOf = ({ code, status }: Reply) => `SMTP ${code}${status && ` ${Math.floor(code / 100)}.${status}`}`;

/** Replies that require a login, or reject it (RFC 4954, 6). */
const LOGIN_REPLIES = new Set([530, 534, 535, 538]);

/** Enhanced codes that reject our identity: login, encryption, SPF, DKIM, DMARC, reverse DNS (RFC 7372), send as, tenant. */
const OUR_IDENTITY = /^7\.(?:8|9|[1-6]\d|[157]\d\d)$/;

/**
 * Other enhanced codes that no content can cause (RFC 3463). Our sender: 1.7 and 1.8. A limit of our account: 1.90. A
 * mailbox that is disabled or limited: 2.1 and 2.2xx. A server that is full or has wrong settings: 3.x. Routing and daily
 * limits: 4.x.
 */
const NOT_THE_MESSAGE = /^(?:1\.(?:7|8|90)|2\.(?:1|\d{3})|3\.[125]|4\.\d+)$/;

/** Enhanced codes of a message that is too large. */
const TOO_LARGE = new Set(['3.4', '2.3']);

/**
 * Until the server has accepted our sender, a rejection concerns all messages. Later replies concern the mailbox or the
 * message, with any code.
 */
function verdictOnReply(reply: Reply): Verdict {
  const { code, status, stage } = reply;
  const isOpening = stage === 'greeting' || stage === 'tls' || stage === 'name' || stage === 'login';
  if ((isOpening && code < 500) || (stage === 'sender' && code === 421))
    return ['server-away', 'The mail server is unavailable at the moment (%).'];
  if (stage === 'tls') return ['server-away', NO_STARTTLS, 'certificate'];
  if (stage === 'name')
    return ['server-away', 'The mail server rejects the name in our EHLO (%). Set SMTP_HELO_NAME.', 'identity'];
  if (stage === 'recipient' || stage === 'content') return verdictOnMessage(reply);
  if (LOGIN_REPLIES.has(code) && wantsTls(reply))
    return ['server-away', 'The mail server requires TLS (%). Use smtps:// in SMTP_URL, or port 587.', 'login'];
  if (stage === 'login' || LOGIN_REPLIES.has(code))
    return [
      'server-away',
      'The mail server rejects the login, or requires one (%). Check user and password in SMTP_URL.',
      'login',
    ];
  if (stage === 'greeting' || code === 521) return ['server-away', 'The mail server accepts no mail from us (%).'];
  if (code < 500 || status === '2.2' || isTooLarge(reply)) return verdictOnMessage(reply);
  // Every message has the same sender.
  return [
    'server-away',
    'The mail server rejects our sender (%). Check MAIL_FROM, MAIL_BOUNCES_TO and SPF.',
    'identity',
  ];
}

function verdictOnMessage(reply: Reply): Verdict {
  const { code, status, stage, words } = reply;
  // The server ends the connection (RFC 5321, 3.8). It says nothing about the message.
  if (code === 421) return ['busy', 'The mail server ends the connection for now (%).'];
  if (status === '2.2') return ['temporary', 'The mailbox is full (%).'];
  if (code < 500) return ['temporary', 'The mail server asks to try again later (%).'];
  if (isTooLarge(reply)) return ['too-large', 'The message with its file is too large for the mail server (%).'];
  if (LOGIN_REPLIES.has(code))
    return ['mailbox-refused', 'The mail server wants a login or TLS for the mailbox (%). Check SMTP_URL.', 'login'];
  const isDenied = status.startsWith('7.') || (code === 554 && !status) || code === 521 || /\brelay/i.test(words);
  if (stage === 'recipient' && isDenied) return ['mailbox-refused', MAILBOX_REFUSED];
  if (OUR_IDENTITY.test(status))
    return ['mailbox-refused', 'The mailbox does not accept our identity (%). Check SPF and DKIM.', 'identity'];
  if (NOT_THE_MESSAGE.test(status))
    return ['mailbox-refused', 'The mail server accepts no mail from us for the mailbox (%). Look up the code.'];
  if (stage === 'recipient') return ['permanent', 'The mail server rejects the address of the mailbox (%).'];
  return ['permanent', 'The mail server rejects the message (%).'];
}

const isTooLarge = ({ code, status }: Reply) => (code === 552 && !status) || code === 523 || TOO_LARGE.has(status);

const wantsTls = ({ code, words }: Reply) => code === 538 || /\bSTARTTLS\b/i.test(words);

const NO_STARTTLS =
  'The mail server does not offer STARTTLS (%), so password and mails would cross the network in clear text. Use smtps:// in SMTP_URL, or add ?requireTLS=false in a private network.';

const MAILBOX_REFUSED =
  'The mail server does not let us send to the mailbox (%). The mailbox must accept mail from outside, or the server must know us.';

/** Nodemailer's codes of a login that failed. */
const LOGIN_ERRORS = new Set(['EAUTH', 'ENOAUTH', 'EOAUTH2']);

/** OpenSSL's messages for a certificate whose issuer is not trusted. */
const UNTRUSTED = /self[- ]signed certificate|unable to (?:verify the first|get (?:local )?issuer) cert/i;

/** Errors without a readable reply: of the network, of TLS, or nodemailer's own. */
function verdictOnError({ code = '', errno, syscall, command, response, message = '' }: TransportError): Verdict {
  if (message.startsWith('Message size larger'))
    return ['too-large', 'The message is larger than the mail server allows (SIZE).'];
  if (response !== undefined) return ['temporary', 'The mail server sent a reply that cannot be read (%).'];
  if (LOGIN_ERRORS.has(code))
    return ['server-away', 'The mail server does not offer the login method that SMTP_URL asks for (%).', 'login'];
  // Nodemailer itself rejected the envelope.
  if (code === 'EENVELOPE' && command === 'API')
    return ['permanent', 'The address of the mailbox or of the sender is invalid.'];
  const certificate = certificateFault(message);
  if (certificate) return ['server-away', `The mail server's certificate ${certificate}`, 'certificate'];
  // Only TLS errors have no number.
  if (code === 'ETLS' || (code === 'ESOCKET' && errno === undefined)) return ['server-away', TLS_FAILS];
  // Nodemailer's messages for a server that accepts the connection and sends nothing.
  if (syscall === 'connect' || code === 'EDNS' || /^(?:Connection timeout|Greeting never)/.test(message))
    return ['server-away', 'The mail server cannot be reached (%).'];
  return ['temporary', 'The connection to the mail server broke (%).'];
}

const TLS_FAILS =
  'TLS with the mail server fails. Use smtps:// in SMTP_URL if TLS begins at once (port 465), smtp:// otherwise.';

function certificateFault(message: string): string | undefined {
  if (UNTRUSTED.test(message)) return 'is not trusted. Name the certificate that signed it in NODE_EXTRA_CA_CERTS.';
  if (/certificate has expired/i.test(message)) return 'has expired.';
  if (/certificate is not yet valid/i.test(message)) return 'is not valid yet, or the clock of this machine is wrong.';
  return /does not match certificate/i.test(message) ? 'is for another host name than SMTP_URL has.' : undefined;
}
