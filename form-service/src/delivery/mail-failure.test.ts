import { describe, expect, it } from '@jest/globals';
import { mailFailureOf } from './mail-failure.ts';

const failure = (error: object) => {
  const { kind, code, message } = mailFailureOf(Object.assign(new Error('550 5.1.1 <ada@visitor.example> is unknown'), error));
  return { kind, code, message };
};

describe('what a failed attempt means', () => {
  it.each([
    ['a refused connection', { code: 'ESOCKET', errno: -111, syscall: 'connect', command: 'CONN' }, 'outage', 'ECONNREFUSED'],
    ['an unknown host', { code: 'EDNS', command: 'CONN' }, 'outage', 'EDNS'],
    ['a certificate that has expired', { code: 'ESOCKET', command: 'CONN' }, 'outage', 'TLS'],
    ['a greeting of 421', { code: 'EPROTOCOL', responseCode: 421, command: 'CONN' }, 'outage', 'SMTP 421'],
    ['a wrong password', { code: 'EAUTH', responseCode: 535, command: 'AUTH PLAIN' }, 'misconfigured', 'SMTP 535'],
    ['a missing password', { code: 'EENVELOPE', responseCode: 530, command: 'MAIL FROM' }, 'misconfigured', 'SMTP 530'],
    ['a reset connection', { code: 'ESOCKET', errno: -104, syscall: 'read', command: 'CONN' }, 'interrupted', 'ECONNRESET'],
    ['a silent server', { code: 'ETIMEDOUT', command: 'CONN' }, 'interrupted', 'ETIMEDOUT'],
    ['a pool that was closed', {}, 'interrupted', 'connection closed'],
    ['a busy server', { code: 'EENVELOPE', responseCode: 421, command: 'MAIL FROM' }, 'temporary', 'SMTP 421'],
    ['greylisting', { code: 'EENVELOPE', responseCode: 451, command: 'RCPT TO' }, 'temporary', 'SMTP 451'],
    ['an unknown recipient', { code: 'EENVELOPE', responseCode: 550, command: 'RCPT TO' }, 'permanent', 'SMTP 550'],
    ['a refused message', { code: 'EMESSAGE', responseCode: 554, command: 'DATA' }, 'permanent', 'SMTP 554'],
    ['a reply that the message is too large', { code: 'EMESSAGE', responseCode: 552, command: 'DATA' }, 'too large', 'SMTP 552'],
  ])('%s', (_what, error, kind, code) => {
    // Codes alone: a server's words can hold an address.
    expect(failure(error)).toEqual({ kind, code, message: code });
  });
});
