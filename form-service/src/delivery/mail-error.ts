import { getSystemErrorName } from 'node:util';
import { DeliveryError, type FailureKind } from './failure.ts';

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

/** What a failure is, and the sentence for the operator, in which `%` is the code. */
type Verdict = readonly [kind: FailureKind, sentence: string];

/** Why a message could not be sent, or the mail server not be used. Where the server said nothing it must be probed. */
export function mailErrorOf(error: unknown): DeliveryError {
  const failure = error as TransportError;
  const { responseCode = 0, code = '', errno } = failure;
  const systemName = typeof errno === 'number' && errno < 0 ? getSystemErrorName(errno) : code;
  const reply = responseCode ? replyOf(failure) : undefined;
  const [kind, sentence] = reply ? verdictOnReply(reply) : verdictOnError(failure);
  const name = reply ? nameOf(reply) : systemName || 'closed';
  const isRejection = kind === 'server-away' && (responseCode >= 500 || LOGIN_ERRORS.has(code));
  return new DeliveryError(kind, sentence.replace('%', name), isRejection, reply && { code: name, reply: reply.words });
}

/** A reply of the server (RFC 5321) with its enhanced code (RFC 3463), and where in the session it came. */
interface Reply {
  readonly code: number;
  /** Subject and detail of the enhanced code, for example `7.1`; empty where the server sends none. */
  readonly status: string;
  readonly stage: 'greeting' | 'name' | 'login' | 'sender' | 'recipient' | 'content';
  readonly words: string;
}

function replyOf({
  responseCode: code = 0,
  response: words = '',
  code: errorCode,
  command = '',
}: TransportError): Reply {
  const status = /^\d{3}[ -][245]\.(\d{1,3}\.\d{1,3})\b/.exec(words)?.[1] ?? '';
  const stages: Record<string, Reply['stage']> = {
    CONN: 'greeting',
    STARTTLS: 'greeting',
    EHLO: 'name',
    HELO: 'name',
    AUTH: 'login',
    'MAIL FROM': 'sender',
    'RCPT TO': 'recipient',
  };
  const stage = errorCode === 'EAUTH' ? 'login' : (stages[command] ?? stages[command.split(' ')[0] ?? ''] ?? 'content');
  // Servers that wait with their refusal until the recipient is named still mean our name.
  return { code, status, stage: /helo command rejected/i.test(words) ? 'name' : stage, words };
}

const nameOf = ({ code, status }: Reply) => `SMTP ${code}${status && ` ${Math.floor(code / 100)}.${status}`}`;

/** Replies that ask for a login, or for another one (RFC 4954, 6). */
const LOGIN_REPLIES = new Set([530, 534, 535, 538]);

/** Refusals of who we are, and not of the message: login, encryption, SPF, DKIM, DMARC and reverse DNS (RFC 7372). */
const OUR_IDENTITY = /^7\.(?:8|9|1\d|2\d|30)$/;

/** Only refusals of the connection, our name, our login or our sender hold up all messages. */
function verdictOnReply({ code, status, stage, words }: Reply): Verdict {
  if (stage === 'login' || LOGIN_REPLIES.has(code))
    return ['server-away', 'The mail server wants a login, or another one (%). Check user and password in SMTP_URL.'];
  if (stage === 'name')
    return ['server-away', 'The mail server refuses the name that we greet it with (%). Set SMTP_HELO_NAME.'];
  if (stage === 'greeting' || (stage === 'sender' && code === 421) || code === 521)
    return ['server-away', 'The mail server takes no mail from us now (%).'];
  if (status === '2.2') return ['temporary', 'The inbox is full (%).'];
  if (code < 500) return ['temporary', 'The mail server asks to try again later (%).'];
  if (code === 552 || code === 523 || status === '3.4' || status === '2.3')
    return ['too-large', 'The message with its file is too large for the mail server (%).'];
  // Every message has the same sender.
  if (stage === 'sender')
    return ['server-away', 'The mail server refuses our sender (%). Check MAIL_FROM, MAIL_BOUNCES_TO and SPF.'];
  const isDenied = status.startsWith('7.') || (code === 554 && !status) || /\brelay/i.test(words);
  if (stage === 'recipient' && isDenied) return ['inbox-refused', INBOX_REFUSED];
  if (OUR_IDENTITY.test(status))
    return ['inbox-refused', 'The inbox does not believe who we are (%). Check SPF and DKIM.'];
  if (stage === 'recipient') return ['permanent', "The mail server refuses the message's inbox for good (%)."];
  return ['permanent', 'The mail server refuses the message for good (%).'];
}

const INBOX_REFUSED =
  'The mail server does not let us send to the inbox (%): the inbox must take mail from outside, or the server know us.';

/** Nodemailer's codes of a login that failed. */
const LOGIN_ERRORS = new Set(['EAUTH', 'ENOAUTH', 'EOAUTH2']);

/** OpenSSL's messages, for a certificate that is signed by nobody whom we trust. */
const UNTRUSTED = /self[- ]signed certificate|unable to (?:verify the first|get (?:local )?issuer) cert/i;

/** Errors without a reply: of the network, of TLS, or of our own. */
function verdictOnError({ code = '', errno, syscall, message = '' }: TransportError): Verdict {
  if (message.startsWith('Message size larger'))
    return ['too-large', 'The message is larger than the mail server allows (SIZE).'];
  if (LOGIN_ERRORS.has(code))
    return ['server-away', 'The mail server lets nobody log in the way that SMTP_URL asks for (%).'];
  if (code === 'EENVELOPE') return ['permanent', 'The inbox or the sender is no address that can be mailed to.'];
  const certificate = certificateFault(message);
  if (certificate) return ['server-away', `The mail server's certificate ${certificate}`];
  // Only TLS errors have no number.
  if (code === 'ETLS' || (code === 'ESOCKET' && errno === undefined)) return ['server-away', TLS_FAILS];
  // The last two are nodemailer's words for a server that accepts a connection and says nothing.
  if (syscall === 'connect' || code === 'EDNS' || /^(?:Connection timeout|Greeting never)/.test(message))
    return ['server-away', 'The mail server cannot be reached (%).'];
  return ['temporary', 'The connection to the mail server broke (%).'];
}

const TLS_FAILS =
  'TLS with the mail server fails. SMTP_URL needs smtps:// where TLS begins at once (port 465), smtp:// elsewhere.';

function certificateFault(message: string): string | undefined {
  if (UNTRUSTED.test(message)) return 'is not trusted. Name the certificate that signed it in SMTP_CA_FILE.';
  if (/certificate has expired/i.test(message)) return 'has expired.';
  if (/certificate is not yet valid/i.test(message)) return 'is not valid yet, or the clock here is wrong.';
  return /does not match certificate/i.test(message) ? 'is for another host name than SMTP_URL has.' : undefined;
}
