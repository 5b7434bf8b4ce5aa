import { describe, expect, it } from '@jest/globals';
import { mailErrorOf } from './mail-error.ts';

const WORDS = '<ada@visitor.example> in the words of the server';

/** Creates nodemailer's error for a reply of the server. */
const reply = (command: string, response: string, code = command === 'DATA' ? 'EMESSAGE' : 'EENVELOPE') => ({
  code,
  command,
  responseCode: Number.parseInt(response, 10),
  response: `${response} ${WORDS}`,
});

const classify = (error: object) => mailErrorOf(Object.assign(new Error(`failed: ${WORDS}`), error));

describe('mailErrorOf', () => {
  it.each([
    [
      'a refused connection',
      { code: 'ESOCKET', errno: -111, syscall: 'connect', command: 'CONN' },
      'server-away',
      'ECONNREFUSED',
    ],
    ['an unknown host', { code: 'EDNS', command: 'CONN' }, 'server-away', 'EDNS'],
    [
      'a server that never answers',
      { code: 'ETIMEDOUT', message: 'Connection timeout', command: 'CONN' },
      'server-away',
      'ETIMEDOUT',
    ],
    [
      'a server that never greets',
      { code: 'ETIMEDOUT', message: 'Greeting never received', command: 'CONN' },
      'server-away',
      'ETIMEDOUT',
    ],
    [
      'a certificate that has expired',
      { code: 'ESOCKET', message: 'certificate has expired', command: 'CONN' },
      'server-away',
      'certificate has expired',
    ],
    [
      'a self-signed certificate',
      { code: 'ESOCKET', message: 'self-signed certificate; try --use-system-ca', command: 'CONN' },
      'server-away',
      'Name the certificate that signed it in NODE_EXTRA_CA_CERTS.',
    ],
    [
      'a certificate of a private authority',
      { code: 'ESOCKET', message: 'unable to verify the first certificate', command: 'CONN' },
      'server-away',
      'NODE_EXTRA_CA_CERTS',
    ],
    ...[
      'self signed certificate in certificate chain',
      'unable to get local issuer certificate',
      'unable to get issuer certificate',
    ].map((message): [string, object, string, string] => [
      `an untrusted certificate: ${message}`,
      { code: 'ESOCKET', message, command: 'CONN' },
      'server-away',
      'NODE_EXTRA_CA_CERTS',
    ]),
    [
      'a certificate that is not valid yet',
      { code: 'ESOCKET', message: 'certificate is not yet valid', command: 'CONN' },
      'server-away',
      'not valid yet',
    ],
    ...['EAUTH', 'ENOAUTH', 'EOAUTH2'].map((code): [string, object, string, string] => [
      `a login that fails without a reply (${code})`,
      { code, command: 'API' },
      'server-away',
      'login method',
    ]),
    ['an invalid envelope', { code: 'EENVELOPE', command: 'API' }, 'permanent', 'address of the mailbox'],
    ['a reply that cannot be read', { code: 'EPROTOCOL', response: 'x' }, 'temporary', 'cannot be read'],
    ['a failing STARTTLS', { code: 'ETLS', message: 'x', command: 'STARTTLS' }, 'server-away', 'smtps://'],
    ['a rejected STARTTLS', reply('STARTTLS', '502 5.5.1', 'ETLS'), 'server-away', 'does not offer STARTTLS'],
    ['a STARTTLS that is rejected for now', reply('STARTTLS', '454 4.7.0', 'ETLS'), 'server-away', 'unavailable'],
    ...[530, 534, 535, 538].flatMap((code): [string, object, string, string][] => [
      [`a login that ${code} requires`, reply('MAIL FROM', `${code}`), 'server-away', `SMTP ${code}`],
      [`a login that ${code} requires for a mailbox`, reply('RCPT TO', `${code}`), 'mailbox-refused', 'SMTP_URL'],
    ]),
    ['a server that accepts no mail', reply('MAIL FROM', '521 5.3.2'), 'server-away', 'accepts no mail from us'],
    ['a full mailbox at the sender', reply('MAIL FROM', '552 5.2.2'), 'temporary', 'full'],
    ['a size at the sender without a status', reply('MAIL FROM', '552'), 'too-large', 'too large'],
    [
      'a certificate for another host',
      {
        code: 'ETLS',
        message: "Error initiating TLS - Hostname/IP does not match certificate's altnames: Host: a",
        command: 'STARTTLS',
      },
      'server-away',
      'another host name',
    ],
    [
      'no TLS where some is expected',
      { code: 'ESOCKET', message: 'wrong version number', command: 'CONN' },
      'server-away',
      'smtps://',
    ],
    ['a greeting of 421', reply('CONN', '421', 'EPROTOCOL'), 'server-away', 'SMTP 421'],
    ['a greeting of 554', reply('CONN', '554', 'EPROTOCOL'), 'server-away', 'SMTP 554'],
    ['an EHLO that is answered by 421', reply('EHLO', '421 4.7.0', 'ECONNECTION'), 'server-away', 'unavailable'],
    ['a refused HELO', reply('HELO', '550', 'EPROTOCOL'), 'server-away', 'SMTP_HELO_NAME'],
    [
      'a refused EHLO that is told later',
      reply('RCPT TO', '504 5.5.2 <x>: Helo command rejected: need fully-qualified hostname'),
      'server-away',
      'SMTP_HELO_NAME',
    ],
    ['a wrong password', reply('AUTH PLAIN', '535 5.7.8', 'EAUTH'), 'server-away', 'SMTP 535 5.7.8'],
    ['a login that cannot be checked now', reply('AUTH PLAIN', '454 4.7.0', 'EAUTH'), 'server-away', 'SMTP 454 4.7.0'],
    ['a missing password', reply('MAIL FROM', '530 5.7.0'), 'server-away', 'SMTP_URL'],
    ['a busy server', reply('MAIL FROM', '421 4.3.2'), 'server-away', 'SMTP 421 4.3.2'],
    ['a refused sender', reply('MAIL FROM', '553 5.7.1'), 'server-away', 'MAIL_FROM'],
    ['a sender that SPF refuses', reply('MAIL FROM', '550 5.7.23'), 'server-away', 'SPF'],
    ['a mailbox for internal senders only', reply('RCPT TO', '550 5.7.133'), 'mailbox-refused', 'SMTP 550 5.7.133'],
    ['denied access', reply('RCPT TO', '554 5.7.1'), 'mailbox-refused', 'SMTP 554 5.7.1'],
    ['denied access without an enhanced code', reply('RCPT TO', '554'), 'mailbox-refused', 'SMTP 554'],
    ['a relay that is not permitted', reply('RCPT TO', '550 relay not permitted'), 'mailbox-refused', 'SMTP 550'],
    ['mail that is not authenticated', reply('DATA', '550 5.7.26'), 'mailbox-refused', 'SMTP 550 5.7.26'],
    ['a relay that is denied for now', reply('RCPT TO', '454 4.7.1'), 'temporary', 'SMTP 454 4.7.1'],
    ['a mailbox that is busy', reply('RCPT TO', '421 4.7.0'), 'busy', 'SMTP 421 4.7.0'],
    [
      'a reset connection',
      { code: 'ESOCKET', errno: -104, syscall: 'read', command: 'CONN' },
      'temporary',
      'ECONNRESET',
    ],
    ['a silent server', { code: 'ETIMEDOUT', message: 'Timeout', command: 'CONN' }, 'temporary', 'ETIMEDOUT'],
    ['a pool that was closed', {}, 'temporary', 'closed'],
    ['a file that cannot be read', { code: 'ESTREAM', command: 'API' }, 'temporary', 'ESTREAM'],
    ['a server that ends while it has the message', reply('DATA', '421 4.3.0'), 'busy', 'SMTP 421 4.3.0'],
    ['greylisting', reply('RCPT TO', '451 4.7.1'), 'temporary', 'SMTP 451 4.7.1'],
    ['a full mailbox', reply('RCPT TO', '552 5.2.2'), 'temporary', 'The mailbox is full (SMTP 552 5.2.2)'],
    ['a full mailbox in a reply of several lines', reply('DATA', '552-5.2.2 over\n552 5.2.2'), 'temporary', 'full'],
    ['an unknown recipient', reply('RCPT TO', '550 5.1.1'), 'permanent', 'SMTP 550 5.1.1'],
    ['a refused message', reply('DATA', '554 5.7.1'), 'permanent', 'SMTP 554 5.7.1'],
    [
      'a size that the server does not allow',
      { code: 'EMESSAGE', message: 'Message size larger than allowed 100' },
      'too-large',
      'SIZE',
    ],
    ['a reply that the message is too large', reply('DATA', '552 5.3.4'), 'too-large', 'SMTP 552 5.3.4'],
    ['a size rejected without an enhanced code', reply('DATA', '552'), 'too-large', 'SMTP 552'],
    ['a size rejected with another code', reply('MAIL FROM', '554 5.3.4'), 'too-large', 'SMTP 554 5.3.4'],
  ])('classifies %s', (_what, error, kind, words) => {
    const found = classify(error);
    expect(found.kind).toBe(kind);
    expect(found.reason).toContain(words);
    // Our own sentence, because the server's can hold an address.
    expect(found.reason).toMatch(/^[A-Z].*\.$/);
    expect(found.reason).not.toContain('visitor');
  });

  // Replies as public documentation and bug reports of the providers quote them.
  it.each([
    ['Gmail: daily limit', 'DATA', '550 5.4.5 Daily user sending limit exceeded.', 'mailbox-refused'],
    ['Gmail: limit of a relay', 'RCPT TO', '550 5.4.5 Daily SMTP relay limit exceeded', 'mailbox-refused'],
    ['Gmail: limit of recipients', 'DATA', '550 5.4.6 user has exceeded the limit', 'mailbox-refused'],
    ['Gmail: unsolicited mail', 'DATA', '550-5.7.28 unusual rate\n550 5.7.28 of mail', 'mailbox-refused'],
    ['Gmail: TLS of the sender', 'DATA', '550 5.7.29 not sent over TLS', 'mailbox-refused'],
    ['Gmail: blocked content', 'DATA', '552-5.7.0 This message was blocked because its content', 'permanent'],
    ['Gmail: likely unsolicited', 'DATA', '550 5.7.1 Our system has detected', 'permanent'],
    ['Gmail: size', 'DATA', '552 5.3.4 Your message exceeded Google message size limits', 'too-large'],
    ['Exchange: SendAsDenied', 'DATA', '554 5.2.252 SendAsDenied; not allowed to send as', 'mailbox-refused'],
    ['Exchange: quota', 'DATA', '554 5.2.0 STOREDRV.Submission.Exception:QuotaExceeded', 'permanent'],
    ['Exchange: outbound spam', 'DATA', '554 5.2.0 OutboundSpamException; WASCL', 'permanent'],
    ['Exchange: no permission', 'DATA', '550 5.7.1 Client does not have permissions to send as', 'permanent'],
    ['Exchange: send as', 'DATA', '550 5.7.60 SMTP; Client does not have permissions', 'mailbox-refused'],
    ['Exchange: daily limit', 'DATA', '550 5.1.90 you reached your daily limit', 'mailbox-refused'],
    ['Exchange: bad outbound sender', 'DATA', '550 5.1.8 Access denied, bad outbound sender', 'mailbox-refused'],
    ['Exchange: DMARC', 'DATA', '550 5.7.509 Access denied, sending domain', 'mailbox-refused'],
    ['Exchange: banned address', 'RCPT TO', '550 5.7.511 Access denied, banned sender', 'mailbox-refused'],
    ['Exchange: tenant threshold', 'DATA', '550 5.7.705 Access denied, tenant has exceeded', 'mailbox-refused'],
    ['Exchange: tenant suspended', 'RCPT TO', '550 5.7.703 tenant restricted', 'mailbox-refused'],
    ['Exchange: not authenticated', 'DATA', '530 5.7.57 Client not authenticated to send mail', 'mailbox-refused'],
    ['Exchange: limit of a recipient', 'DATA', '550 5.2.121 RecipientRateLimited', 'mailbox-refused'],
    ['Exchange: unknown address', 'RCPT TO', '550 5.4.1 Recipient address rejected: Access denied', 'mailbox-refused'],
    ['Exchange: routing loop', 'DATA', '554 5.4.14 Hop count exceeded', 'mailbox-refused'],
    ['SES: sandbox', 'DATA', '554 Message rejected: Email address is not verified.', 'permanent'],
    ['SES: paused', 'DATA', '554 Message rejected: Sending paused for this account.', 'permanent'],
    ['SES: daily quota', 'DATA', '454 Throttling failure: Daily message quota exceeded.', 'temporary'],
    ['Postfix: login for relaying', 'RCPT TO', '530 5.7.0 Authentication required', 'mailbox-refused'],
    ['Postfix: sender domain', 'RCPT TO', '550 5.1.8 Sender address rejected: Domain not found', 'mailbox-refused'],
    ['Postfix: relay', 'RCPT TO', '554 5.7.1 Relay access denied', 'mailbox-refused'],
    ['Postfix: macro', 'DATA', '554 5.7.1 Rejected suspicious office document macro', 'permanent'],
    ['Postfix: unknown address', 'RCPT TO', '550 5.1.1 User unknown in virtual mailbox table', 'permanent'],
    ['Postfix: size', 'MAIL FROM', '552 5.3.4 Message size exceeds fixed limit', 'too-large'],
    ['Postfix: machine accepts no mail', 'RCPT TO', '521 5.2.1 no mail', 'mailbox-refused'],
    ['Postfix: STARTTLS', 'MAIL FROM', '530 5.7.0 Must issue a STARTTLS command first', 'server-away'],
    ['Postfix: disabled mailbox', 'RCPT TO', '550 5.2.1 mailbox disabled', 'mailbox-refused'],
    ['Exim: relay', 'RCPT TO', '550 relay not permitted', 'mailbox-refused'],
    ['Exim: login', 'MAIL FROM', '550 Authentication required', 'server-away'],
    ['Exim: malware', 'DATA', '550 This message contains malware', 'permanent'],
    ['Exim: administrative prohibition', 'RCPT TO', '550 Administrative prohibition', 'permanent'],
    ['Exim: size', 'DATA', '552 Message size exceeds maximum permitted', 'too-large'],
    ['message too large for its route', 'DATA', '523 too large', 'too-large'],
    ['message too large for the mailbox', 'DATA', '550 5.2.3 Message exceeds fixed limit', 'too-large'],
    ['password rejected after the sender', 'RCPT TO', '535 5.7.8 no', 'mailbox-refused'],
    ['encryption wanted by a mailbox', 'RCPT TO', '538 5.7.11 Encryption required', 'mailbox-refused'],
    ['421 at the content', 'DATA', '421 4.7.0 Try again later, closing connection.', 'busy'],
    ['421 with the status of a full mailbox', 'RCPT TO', '421 4.2.2 busy', 'busy'],
    ['full mailbox', 'DATA', '552 5.2.2 Over quota', 'temporary'],
    ...[
      '1.7',
      '1.8',
      '1.90',
      '2.1',
      '2.121',
      '3.1',
      '3.2',
      '3.5',
      '4.3',
      '7.8',
      '7.9',
      '7.26',
      '7.57',
      '7.509',
      '7.705',
    ].map((status): [string, string, string, string] => [
      `not the message: 5.${status}`,
      'DATA',
      `550 5.${status}`,
      'mailbox-refused',
    ]),
    ...['1.1', '1.9', '2.0', '2.2x', '3.0', '3.3', '6.0', '7.0', '7.1', '7.7', '7.200'].map(
      (status): [string, string, string, string] => [
        `the message: 5.${status}`,
        'DATA',
        `554 5.${status}`,
        'permanent',
      ],
    ),
  ])('decides who is meant > %s', (_what, command, response, kind) => {
    expect(classify(reply(command, response)).kind).toBe(kind);
  });

  it.each([
    ['of the content', reply('DATA', '554 5.7.1'), true],
    ['of the size at MAIL FROM', reply('MAIL FROM', '552 5.3.4'), true],
    ['of the address', reply('RCPT TO', '550 5.1.1'), false],
    ['that names our identity', reply('DATA', '550 5.7.26'), false],
    ['for now', reply('DATA', '451 4.7.1'), false],
  ])('tells whether the file may be the cause > rejection %s', (_what, error, mayBeFile) => {
    expect(classify(error).mayBeFile).toBe(mayBeFile);
  });

  it.each([
    ['MAIL FROM', '530 5.7.0 Must issue a STARTTLS command first', /TLS/, /password/],
    ['MAIL FROM', '530 5.7.0 Authentication required', /user and password/, /TLS/],
    ['RCPT TO', '530 5.7.0 Authentication required', /login or TLS.*SMTP_URL/, /password/],
  ])('names the setting > %s %s', (command, response, expected, unexpected) => {
    const { reason } = classify(reply(command, response));
    expect(reason).toMatch(expected);
    expect(reason).not.toMatch(unexpected);
  });

  it.each([
    ['a wrong password', reply('AUTH PLAIN', '535 5.7.8', 'EAUTH'), 'login'],
    ['a missing password', reply('MAIL FROM', '530 5.7.0'), 'login'],
    ['a login method that is not offered', { code: 'ENOAUTH', command: 'API' }, 'login'],
    ['an expired certificate', { code: 'ESOCKET', message: 'certificate has expired', command: 'CONN' }, 'certificate'],
    ['a rejected name', reply('EHLO', '550', 'EPROTOCOL'), 'identity'],
    ['a rejected sender', reply('MAIL FROM', '550 5.7.1'), 'identity'],
    ['a message that SPF rejects', reply('DATA', '550 5.7.23'), 'identity'],
    ['an unknown host', { code: 'EDNS', command: 'CONN' }, undefined],
    ['an unknown mailbox', reply('RCPT TO', '550 5.1.1'), undefined],
  ])('names what to check > %s', (_what, error, area) => {
    expect(classify(error).area).toBe(area);
  });
});
