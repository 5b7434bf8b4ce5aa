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
    ['a mailbox that is busy', reply('RCPT TO', '421 4.7.0'), 'temporary', 'SMTP 421 4.7.0'],
    [
      'a reset connection',
      { code: 'ESOCKET', errno: -104, syscall: 'read', command: 'CONN' },
      'temporary',
      'ECONNRESET',
    ],
    ['a silent server', { code: 'ETIMEDOUT', message: 'Timeout', command: 'CONN' }, 'temporary', 'ETIMEDOUT'],
    ['a pool that was closed', {}, 'temporary', 'closed'],
    ['a file that cannot be read', { code: 'ESTREAM', command: 'API' }, 'temporary', 'ESTREAM'],
    ['a server that ends while it has the message', reply('DATA', '421 4.3.0'), 'temporary', 'SMTP 421 4.3.0'],
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

  it.each([
    ['a wrong password', reply('AUTH PLAIN', '535 5.7.8', 'EAUTH'), true],
    ['a refused sender', reply('MAIL FROM', '550 5.7.1'), true],
    ['a mailbox that refuses', reply('RCPT TO', '554 5.7.1'), false],
    ['a busy server', reply('MAIL FROM', '421 4.3.2'), false],
    ['an unknown mailbox', reply('RCPT TO', '550 5.1.1'), false],
  ])('distinguishes a rejection from an outage > %s', (_what, error, isRejection) => {
    expect(classify(error).isRejection).toBe(isRejection);
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
