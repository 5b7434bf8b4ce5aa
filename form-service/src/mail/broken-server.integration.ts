import type { Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Readable } from 'node:stream';
import { MAIL_SETTINGS as settings } from '../../test/mail-examples.ts';
import { MailServer } from '../../test/mail-server.ts';
import { ScriptedMailServer } from '../../test/scripted-mail-server.ts';
import { contactSubmission } from '../../test/submissions.ts';
import { submissionMail } from './mails/submission-mail.ts';
import { Mailer } from './mailer.service.ts';
import { SMTP_LIMITS, type SmtpLimits } from './mailer.service.ts';

const mail = submissionMail(contactSubmission(), settings);

let server: ScriptedMailServer;
const mailers: Mailer[] = [];

beforeEach(async () => {
  server = await ScriptedMailServer.start();
});
afterEach(async () => {
  mailers.splice(0);
  await server.stop();
});

function startMailer(limits: Partial<SmtpLimits> = {}, url = server.url): Mailer {
  const mailer = new Mailer({ ...settings, SMTP_URL: url }, { ...SMTP_LIMITS, ...limits });
  mailers.push(mailer);
  return mailer;
}

describe('broken mail server > malformed reply', () => {
  it.each(['MAIL', 'RCPT', 'DATA', 'dot'] as const)('is a temporary failure > after %s', async (step) => {
    for (const reply of [
      'quid?\r\n',
      '5 no\r\n',
      '5500 no\r\n',
      '55-no\r\n55 no\r\n',
      '554no\r\n',
      '\x16\x03\x01\r\n',
    ]) {
      server.answers = { [step]: reply };
      const failure = await startMailer()
        .send(mail)
        .catch((error: unknown) => error);
      expect([reply, failure]).toEqual([reply, expect.objectContaining({ kind: 'temporary' })]);
    }
  });

  it.each(['EHLO', 'AUTH'] as const)(
    'makes the server unavailable and is no rejected login > after %s',
    async (step) => {
      server.answers = { [step]: 'quid?\r\n', HELO: 'quid?\r\n' } as typeof server.answers;
      const url = server.url.replace('://', '://user:secret@');
      await expect(startMailer({}, url).send(mail)).rejects.toMatchObject({
        kind: 'server-away',
        refusesUs: false,
        reason: expect.not.stringMatching(/log in|login/),
      });
    },
  );

  it.each(['MAIL', 'RCPT', 'DATA', 'dot'] as const)('is a temporary failure > half a line after %s', async (step) => {
    server.answers = { [step]: (socket: Socket) => socket.end('554 5.7.1 go aw') };
    await expect(startMailer().send(mail)).rejects.toMatchObject({ kind: 'temporary', refusesUs: false });
  });
});

describe('broken mail server > slow at every reply', () => {
  it('receives the message once > the replies together take longer than the limit', async () => {
    server.delayMs = 500;
    const mailer = startMailer({ silence: 1_500 });
    await mailer.send(mail);
    expect(server.messages).toHaveLength(1);
  });

  it('passes the probe > the replies together take longer than the limit', async () => {
    server.delayMs = 800;
    const url = server.url.replace('://', '://user:secret@');
    await expect(startMailer({ silence: 1_500 }, url).verify()).resolves.toBeUndefined();
  });
});

describe('broken mail server > unavailable', () => {
  it.each(['greeting', 'EHLO', 'AUTH'] as const)('is not a rejected login > 421 after %s', async (step) => {
    server.answers = { [step]: (socket: Socket) => socket.end('421 4.3.2 shutting down\r\n') };
    const url = server.url.replace('://', '://user:secret@');
    const mailer = startMailer({}, url);
    const expected = { kind: 'server-away', refusesUs: false, reason: expect.stringMatching(/unavailable.*421/) };
    await expect(mailer.send(mail)).rejects.toMatchObject(expected);
    await expect(mailer.verify()).rejects.toMatchObject(expected);
  });
});

describe('broken mail server > closed connection', () => {
  it.each(['greeting', 'EHLO', 'AUTH', 'MAIL', 'RCPT', 'DATA', 'dot'] as const)(
    'receives the next message > after %s',
    async (step) => {
      const mailer = startMailer({}, server.url.replace('://', '://user:secret@'));
      for (const end of ['end', 'destroy'] as const) {
        server.answers = { [step]: (socket: Socket) => socket[end]() };
        const kind = expect.stringMatching(/^(?:temporary|server-away)$/);
        await expect(mailer.send(mail)).rejects.toMatchObject({ kind, refusesUs: false });
      }
      const before = server.messages.length;
      server.answers = {};
      await mailer.send(mail);
      expect(server.messages).toHaveLength(before + 1);
    },
  );

  it('receives the next message > in the middle of a message over TLS', async () => {
    let isBroken = true;
    const secure = await MailServer.start({
      secure: true,
      onData: (stream, _session, done) => {
        if (isBroken) stream.once('data', () => secure.endConnections());
        else stream.once('end', done).resume();
      },
    });
    const mailer = startMailer({}, `${secure.url.replace('smtp:', 'smtps:')}?tls.rejectUnauthorized=false`);
    const attachment = {
      filename: 'a.pdf',
      mediaType: 'application/pdf',
      size: 5_000_000,
      open: async () => Readable.from([Buffer.alloc(5_000_000)]),
    };
    await expect(mailer.send({ ...mail, attachment })).rejects.toMatchObject({ kind: 'temporary' });
    isBroken = false;
    await expect(mailer.send({ ...mail, attachment })).resolves.toMatch(/^250/);
    await secure.stop();
  });
});

describe('broken mail server > deferral after the final dot', () => {
  it('is retried > 421 and 451', async () => {
    const mailer = startMailer();
    for (const [kind, reply] of [
      ['temporary', '451 4.7.1 later\r\n'],
      ['busy', '421-4.3.2 shutting\r\n421 4.3.2 down\r\n'],
    ]) {
      server.answers = { dot: reply ?? '' };
      await expect(mailer.send(mail)).rejects.toMatchObject({ kind, reply: expect.anything() });
    }
  });
});
