import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { MAIL_SETTINGS as settings } from '../../test/mail-examples.ts';
import { ScriptedMailServer } from '../../test/scripted-mail-server.ts';
import { contactSubmission } from '../../test/submissions.ts';
import { submissionMail } from './mails/submission-mail.ts';
import { Mailer } from './mailer.service.ts';

const mail = submissionMail(contactSubmission(), settings);

let server: ScriptedMailServer;
let mailer: Mailer | undefined;

beforeEach(async () => {
  server = await ScriptedMailServer.start();
});
afterEach(async () => {
  await server.stop();
});

/** @param host `0.0.0.0` leads to this machine, too, and is no name for it */
function startMailer(host: string, parameter = ''): Mailer {
  const { port } = new URL(server.url);
  return (mailer = new Mailer({ ...settings, SMTP_URL: `smtp://user:secret@${host}:${port}${parameter}` }));
}

const OFFER = '250-mail.example\r\n250-STARTTLS\r\n250 AUTH PLAIN\r\n';
const REFUSED = /does not offer STARTTLS \(SMTP 50\d[^)]*\).*Use smtps:\/\/ in SMTP_URL/;

describe('STARTTLS > login over a network', () => {
  it.each([
    ['not offered', {}, '', REFUSED],
    ['not offered, requireTLS=true', {}, '?requireTLS=true', REFUSED],
    ['not offered, ignoreTLS=true', {}, '?ignoreTLS=true', REFUSED],
    ['refused for now', { EHLO: OFFER, STARTTLS: '454 4.7.0 later\r\n' }, '', /unavailable at the moment \(SMTP 454/],
    ['refused', { EHLO: OFFER, STARTTLS: '502 5.5.1 no\r\n' }, '?opportunisticTLS=true', REFUSED],
    ['answered by something else', { EHLO: OFFER, STARTTLS: '220 go\r\n250 no\r\n' }, '', /TLS/],
    ['EHLO refused', { EHLO: '502 5.5.1 no\r\n', HELO: '250 ok\r\n' }, '', /EHLO/],
  ] as const)('sends neither password nor mail in clear text > %s', async (_when, answers, parameter, reason) => {
    server.answers = { ...answers };
    const refusal = { kind: 'server-away', reason: expect.stringMatching(reason) };
    await expect(startMailer('0.0.0.0', parameter).verify()).rejects.toMatchObject(refusal);
    await expect(mailer?.send(mail)).rejects.toMatchObject(refusal);
    expect(server.commands).not.toContain('AUTH');
    expect(server.commands).not.toContain('MAIL');
  });
});

describe('STARTTLS > login on this machine', () => {
  it.each(['127.0.0.1', 'localhost'])('is optional > %s', async (host) => {
    await startMailer(host).send(mail);
    expect([server.commands[1], server.messages.length]).toEqual(['AUTH', 1]);
  });
});
