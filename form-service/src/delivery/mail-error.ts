import { getSystemErrorName } from 'node:util';
import { DeliveryError, type FailureKind } from './failure.ts';

/** A message could not be sent, or the mail server could not be used. Where the server said nothing it must be probed. */
export class MailError extends DeliveryError {
  override readonly name = 'MailError';
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

/** A rule: where it applies, the kind of the error, and the sentence for the operator, in which `%` is the code. */
type Rule<Subject> = readonly [applies: (subject: Subject) => boolean, kind: FailureKind, sentence: string];

/** What a failure is, by nodemailer's error. */
export function mailErrorOf(error: unknown): MailError {
  if (error instanceof MailError) return error;
  const failure = error as TransportError;
  const { responseCode = 0, code = '', errno } = failure;
  const systemName = typeof errno === 'number' && errno < 0 ? getSystemErrorName(errno) : code;
  const reply = responseCode ? replyOf(failure) : undefined;
  const [, kind, sentence] = reply ? ruleFor(reply, REPLIES) : ruleFor(failure, TRANSPORT_ERRORS);
  const name = reply ? nameOf(reply) : systemName || 'closed';
  const isRejection = kind === 'server-away' && (responseCode >= 500 || LOGIN_ERRORS.has(code));
  return new MailError(kind, sentence.replace('%', name), isRejection, reply && { code: name, reply: reply.words });
}

function ruleFor<Subject>(subject: Subject, rules: readonly Rule<Subject>[]): Rule<Subject> {
  const rule = rules.find(([applies]) => applies(subject));
  if (!rule) throw new Error('the last rule must apply to everything');
  return rule;
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

/** The first rule that applies decides. Only refusals of the connection, our name, our login or our sender hold up all. */
const REPLIES: readonly Rule<Reply>[] = [
  [
    ({ stage, code }) => stage === 'login' || LOGIN_REPLIES.has(code),
    'server-away',
    'The mail server wants a login, or another one (%). Check user and password in SMTP_URL.',
  ],
  [
    ({ stage }) => stage === 'name',
    'server-away',
    'The mail server refuses the name that we greet it with (%). Set SMTP_HELO_NAME.',
  ],
  [
    ({ stage, code }) => stage === 'greeting' || (stage === 'sender' && code === 421) || code === 521,
    'server-away',
    'The mail server takes no mail from us now (%).',
  ],
  [({ status }) => status === '2.2', 'temporary', 'The inbox is full (%).'],
  [({ code }) => code < 500, 'temporary', 'The mail server asks to try again later (%).'],
  [
    ({ code, status }) => code === 552 || code === 523 || status === '3.4' || status === '2.3',
    'too-large',
    'The message with its file is too large for the mail server (%).',
  ],
  // Every message has the same sender.
  [
    ({ stage }) => stage === 'sender',
    'server-away',
    'The mail server refuses our sender (%). Check MAIL_FROM, MAIL_BOUNCES_TO and SPF.',
  ],
  [
    ({ stage, code, status, words }) =>
      stage === 'recipient' && (status.startsWith('7.') || (code === 554 && !status) || /\brelay/i.test(words)),
    'inbox-refused',
    'The mail server does not let us send to the inbox (%): the inbox must take mail from outside, or the server know us.',
  ],
  [
    ({ status }) => OUR_IDENTITY.test(status),
    'inbox-refused',
    'The inbox does not believe who we are (%). Check SPF and DKIM.',
  ],
  [({ stage }) => stage === 'recipient', 'permanent', "The mail server refuses the message's inbox for good (%)."],
  [() => true, 'permanent', 'The mail server refuses the message for good (%).'],
];

/** Nodemailer's codes of a login that failed. */
const LOGIN_ERRORS = new Set(['EAUTH', 'ENOAUTH', 'EOAUTH2']);

/** OpenSSL's messages, for a certificate that is signed by nobody whom we trust. */
const UNTRUSTED = /self[- ]signed certificate|unable to (?:verify the first|get (?:local )?issuer) cert/i;

const says = (words: RegExp) => (error: TransportError) => words.test(error.message ?? '');

/** Errors without a reply: of the network, of TLS, or of our own. The first rule that applies decides. */
const TRANSPORT_ERRORS: readonly Rule<TransportError>[] = [
  [says(/^Message size larger/), 'too-large', 'The message is larger than the mail server allows (SIZE).'],
  [
    ({ code = '' }) => LOGIN_ERRORS.has(code),
    'server-away',
    'The mail server lets nobody log in the way that SMTP_URL asks for (%).',
  ],
  [({ code }) => code === 'EENVELOPE', 'permanent', 'The inbox or the sender is no address that can be mailed to.'],
  [
    says(UNTRUSTED),
    'server-away',
    "The mail server's certificate is not trusted. Name the certificate that signed it in SMTP_CA_FILE.",
  ],
  [says(/certificate has expired/i), 'server-away', "The mail server's certificate has expired."],
  [
    says(/certificate is not yet valid/i),
    'server-away',
    "The mail server's certificate is not valid yet, or the clock here is wrong.",
  ],
  [
    says(/does not match certificate/i),
    'server-away',
    "The mail server's certificate is for another host name than SMTP_URL has.",
  ],
  // Only TLS errors have no number.
  [
    ({ code, errno }) => code === 'ETLS' || (code === 'ESOCKET' && errno === undefined),
    'server-away',
    'TLS with the mail server fails. SMTP_URL needs smtps:// where TLS begins at once (port 465), smtp:// elsewhere.',
  ],
  // The last two are nodemailer's words for a server that accepts a connection and says nothing.
  [
    (error) =>
      error.syscall === 'connect' || error.code === 'EDNS' || says(/^(?:Connection timeout|Greeting never)/)(error),
    'server-away',
    'The mail server cannot be reached (%).',
  ],
  [() => true, 'temporary', 'The connection to the mail server broke (%).'],
];
