import { describe, expect, it } from '@jest/globals';
import { mailErrorOf } from './mail-error.ts';

const WORDS = '<ada@visitor.example> in the words of the server';

/** Classifies nodemailer's error for a reply of the server. */
function onReply(command: string, response: string, kind: 'server-away' | 'refused' = 'refused') {
  const responseCode = Number.parseInt(response, 10);
  const error = { command, response: `${response} ${WORDS}`, responseCode, permanent: responseCode >= 500 };
  return mailErrorOf(Object.assign(new Error(`failed: ${WORDS}`), error), kind);
}

describe('mailErrorOf > reply', () => {
  it.each([
    ['a greeting of 421', 'CONN', '421', 'unavailable'],
    ['a greeting of 554', 'CONN', '554', 'accepts no mail'],
    ['a rejected name', 'EHLO', '550', 'SMTP_HELO_NAME'],
    ['a rejected name, with the code of Google', 'EHLO', '421 4.7.0', 'SMTP_HELO_NAME'],
    ['a rejected name without extensions', 'HELO', '550', 'SMTP_HELO_NAME'],
    ['a rejected STARTTLS', 'STARTTLS', '502 5.5.1', 'does not offer STARTTLS'],
    ['a deferred STARTTLS', 'STARTTLS', '454 4.7.0', 'unavailable'],
    ['a wrong password', 'AUTH PLAIN', '535 5.7.8', 'user and password in SMTP_URL'],
    ['a login that cannot be checked now', 'AUTH PLAIN', '454 4.7.0', 'unavailable'],
  ])('names what to check before the end of the login > %s', (_what, command, response, words) => {
    const code = `SMTP ${response}`;
    const expected = { kind: 'server-away', reason: expect.stringContaining(words), reply: { code } };
    expect(onReply(command, response, 'server-away')).toMatchObject(expected);
  });

  it.each([
    ['a missing login', 'MAIL FROM', '530 5.7.0', 'login or TLS'],
    ['a mailbox for which a login is missing', 'RCPT TO', '538', 'login or TLS'],
    ['a rejected sender', 'MAIL FROM', '553 5.7.1', 'MAIL_FROM'],
    ['a rejected mailbox', 'RCPT TO', '550 5.1.1', 'rejects the mailbox'],
    ['a rejected message', 'DATA', '554 5.7.1', 'rejects the message'],
    ['greylisting', 'RCPT TO', '451 4.7.1', 'try again later'],
    ['a server that ends the session', 'CONN', '421 4.3.2', 'try again later'],
  ])('names what to check after the login > %s', (_what, command, response, words) => {
    const code = `SMTP ${response}`;
    const found = onReply(command, response);
    expect(found).toMatchObject({ kind: 'refused', isPermanent: response.startsWith('5'), reply: { code } });
    expect(found.reason).toContain(words);
  });

  it('keeps the words of the server, which can hold an address, out of the reason', () => {
    const { reason, reply } = onReply('RCPT TO', '550 5.1.1');
    expect(reason).not.toContain('visitor');
    expect(reply?.reply).toContain(WORDS);
  });

  // Replies as public documentation and bug reports of the providers quote them.
  it.each([
    ['Gmail: size', '552 5.3.4 Your message exceeded Google message size limits', true],
    ['Gmail: blocked', '552-5.7.0 This message was blocked because its content presents a risk', true],
    ['Postfix: macro', '554 5.7.1 Rejected suspicious office document macro', true],
    ['Exim: malware', '550 This message contains malware', true],
    ['Exim: size', '552 Message exceeds maximum permitted', true],
    ['a size for the mailbox', '550 5.2.3 over a fixed limit', true],
    ['a size for the route', '523 no', true],
    ['a kind of content', '554 5.6.1 not supported', true],
    ['a full mailbox', '552 5.2.2 The mailbox has reached its maximum size', false],
    ['Gmail: daily limit', '550 5.4.5 Daily user sending limit exceeded.', false],
    ['Exchange: SendAsDenied', '554 5.2.252 SendAsDenied; not allowed to send as', false],
    ['a scanner that is away', '451 4.7.1 content scanner is not available', false],
  ])('knows whether the file may be the cause > %s', (_what, response, mayBeFile) => {
    expect(onReply('DATA', response).mayBeFile).toBe(mayBeFile);
  });
});

describe('mailErrorOf > no reply', () => {
  it.each([
    ['a refused connection', { code: 'ESOCKET', originalCode: 'ECONNREFUSED' }, 'reached (ECONNREFUSED)'],
    ['an unknown host', { code: 'EDNS', originalCode: 'ENOTFOUND' }, 'reached (ENOTFOUND)'],
    ['a server that does not greet', { code: 'ETIMEDOUT', timeoutType: 'GREETING_TIMEOUT' }, 'port 465'],
    ['an untrusted certificate', { code: 'ESOCKET', originalCode: 'SELF_SIGNED_CERT_IN_CHAIN' }, 'EXTRA'],
    ['a private authority', { code: 'ESOCKET', originalCode: 'UNABLE_TO_GET_ISSUER_CERT' }, 'EXTRA'],
    ['an expired certificate', { code: 'ESOCKET', originalCode: 'CERT_HAS_EXPIRED' }, 'expired'],
    ['a clock that is wrong', { code: 'ESOCKET', originalCode: 'CERT_NOT_YET_VALID' }, 'clock'],
    ['another host', { code: 'ESOCKET', originalCode: 'ERR_TLS_CERT_ALTNAME_INVALID' }, 'host name'],
    ['a failing STARTTLS', { code: 'ETLS' }, 'smtps://'],
    ['no TLS', { code: 'ESOCKET', originalCode: 'ERR_SSL_WRONG_VERSION_NUMBER' }, 'smtps://'],
    ['no login with a password', { code: 'EAUTH' }, 'OAuth'],
  ] as const)('names what to check > %s', (_what, error, words) => {
    const found = mailErrorOf(Object.assign(new Error('x'), error), 'server-away');
    expect(found).toMatchObject({ kind: 'server-away', isPermanent: false, reply: undefined });
    expect(found.reason).toContain(words);
  });

  it.each([
    ['a broken connection', { code: 'ESOCKET', originalCode: 'ECONNRESET' }, false, false],
    ['an address that nodemailer rejects', { code: 'EENVELOPE', command: 'API' }, true, false],
    ['a reply that cannot be read', { code: 'EENVELOPE', command: 'RCPT TO', response: 'x' }, false, false],
    ['a size', { code: 'EMESSAGE', message: 'Message size larger than allowed 100' }, true, true],
  ])('is permanent only by its nature > %s', (_what, error, isPermanent, mayBeFile) => {
    const found = mailErrorOf(Object.assign(new Error('x'), error), 'refused');
    expect(found).toMatchObject({ kind: 'refused', isPermanent, mayBeFile });
  });
});
