import { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { MAIL_SETTINGS as settings } from '../../test/mail-examples.ts';
import { ScriptedMailServer, type Step } from '../../test/scripted-mail-server.ts';
import { contactSubmission } from '../../test/submissions.ts';
import { until } from '../../test/until.ts';
import type { Mail } from './mails/mail.ts';
import { submissionMail } from './mails/submission-mail.ts';
import { Mailer } from './mailer.service.ts';

const text = submissionMail(contactSubmission(), settings);

const MEGABYTE = 1_000_000;

const withFile = (open: () => Readable): Mail => ({
  ...text,
  attachment: { filename: 'a.pdf', mediaType: 'application/pdf', size: MEGABYTE, open: async () => open() },
});
const mails = [text, withFile(() => Readable.from(Array.from({ length: 10 }, () => Buffer.alloc(MEGABYTE / 10))))];

let server: ScriptedMailServer;
let mailer: Mailer;

beforeEach(async () => {
  server = await ScriptedMailServer.start();
  mailer = new Mailer({ ...settings, SMTP_URL: server.url.replace('://', '://user:secret@') });
});
afterEach(async () => {
  jest.useRealTimers();
  await server.stop();
});

const BEFORE_THE_END_OF_THE_LOGIN: readonly Step[] = ['greeting', 'EHLO', 'AUTH'];
const STEPS = [...BEFORE_THE_END_OF_THE_LOGIN, 'MAIL', 'RCPT', 'DATA', 'dot'] as const satisfies readonly Step[];

const kindAt = (step: Step) => (BEFORE_THE_END_OF_THE_LOGIN.includes(step) ? 'server-away' : 'refused');

/** Waits until the server would reply at a step. */
const reached = (step: Step) =>
  until(step, () => {
    if (step === 'greeting') return server.connections === 1;
    return step === 'dot' ? server.messages.length === 1 : server.commands.includes(step);
  });

const silence = () => undefined;
const passed = (error: unknown) => error;

/** Lets a file stay open in the middle. */
function endless(): Readable {
  const file = new Readable({ read: () => undefined });
  file.push(Buffer.alloc(1_000));
  return file;
}

describe('SMTP session > silent server', () => {
  const SECOND = 1_000;

  /** Passes time for the limits of the session. */
  async function passes(ms: number): Promise<void> {
    await jest.advanceTimersByTimeAsync(ms);
    // A connection that ends reports it in a later turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
  }

  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['Date', 'nextTick', 'queueMicrotask', 'setImmediate', 'setInterval'] });
  });

  it.each([
    ['greeting', 40 * SECOND],
    ['EHLO', 60 * SECOND],
    ['AUTH', 60 * SECOND],
    ['MAIL', 60 * SECOND],
    ['RCPT', 60 * SECOND],
    ['DATA', 60 * SECOND],
    ['dot', 600 * SECOND],
  ] as const)('is given up > after %s', async (step, limit) => {
    server.answers = { [step]: silence };
    const settled = jest.fn();
    const sent = mailer.send(text).catch(passed);
    void sent.then(settled);
    await reached(step);
    await passes(limit - 20 * SECOND);
    expect(settled).not.toHaveBeenCalled();
    await passes(21 * SECOND);
    expect(await sent).toMatchObject({ kind: kindAt(step), reason: expect.stringContaining('ETIMEDOUT') });
    await until('the end of the connection', () => server.open === 0);
  });

  it('is given up > in the middle of the message, which is not ended', async () => {
    const sent = mailer.send(withFile(endless)).catch(passed);
    await reached('DATA');
    await until('the beginning of the message', () => server.receivedLines > 0);
    await passes(61 * SECOND);
    expect(await sent).toMatchObject({ kind: 'refused', reason: expect.stringContaining('ETIMEDOUT') });
    await until('the end of the connection', () => server.open === 0);
    expect(server.messages).toEqual([]);
  });

  it('has its time again > for each part of the message', async () => {
    const file = endless();
    const sent = mailer.send(withFile(() => file));
    for (let part = 1; part <= 3; part++) {
      const before = server.receivedLines;
      file.push(Buffer.alloc(MEGABYTE));
      await until('the part', () => server.receivedLines > before);
      await passes(50 * SECOND);
    }
    file.push(null);
    expect(await sent).toMatch(/^250 /);
  });
});

describe('SMTP session > extensions', () => {
  const EHLO = '250-mail.example\r\n250-SMTPUTF8\r\n250 AUTH PLAIN\r\n';

  it.each(['AUTH XOAUTH2 OAUTHBEARER', 'AUTH NTLM GSSAPI'])('get no password > %s only', async (methods) => {
    server.answers = { EHLO: `250-mail.example\r\n250 ${methods}\r\n` };
    const failure = { kind: 'server-away', reason: expect.stringContaining('OAuth') };
    await expect(mailer.send(text)).rejects.toMatchObject(failure);
    expect(server.commands).not.toContain('AUTH');
  });

  it.each(['AUTH LOGIN', 'AUTH=PLAIN', 'AUTH XOAUTH2 PLAIN'])('get the password > %s', async (methods) => {
    server.answers = { EHLO: `250-mail.example\r\n250 ${methods}\r\n` };
    const ended = mailer.send(text).catch(passed);
    await reached('AUTH');
    await ended;
  });

  it('refuse a mailbox that is not ASCII for good > no SMTPUTF8', async () => {
    const failure = { kind: 'refused', isPermanent: true, reason: expect.stringContaining('SMTPUTF8') };
    await expect(mailer.send({ ...text, to: 'büro@firm.example' })).rejects.toMatchObject(failure);
    expect(server.commands).not.toContain('MAIL');
    await mailer.send({ ...text, to: 'a@bücher.example' });
    server.answers = { EHLO };
    await mailer.send({ ...text, to: 'büro@firm.example' });
    expect(server.messages).toHaveLength(2);
  });
});

describe('SMTP session > aborted attempt', () => {
  it.each(STEPS)('ends the connection > after %s', async (step) => {
    server.answers = { [step]: silence };
    const attempt = new AbortController();
    const sent = mailer.send(text, attempt.signal);
    await reached(step);
    attempt.abort(new Error('enough'));
    await expect(sent).rejects.toThrow();
    await until('the end of the connection', () => server.open === 0);
    expect(server.messages).toHaveLength(step === 'dot' ? 1 : 0);
  });

  it('ends the connection and sends no final dot > in the middle of the message', async () => {
    const attempt = new AbortController();
    const file = endless();
    const sent = mailer.send(
      withFile(() => file),
      attempt.signal,
    );
    await until('the beginning of the message', () => server.receivedLines > 0);
    // An orderly end would first send what is still in the buffer, which can be the rest of a message.
    const ended = jest.spyOn(Socket.prototype, 'end').mockReturnThis();
    attempt.abort(new Error('enough'));
    await expect(sent).rejects.toThrow();
    expect(ended).not.toHaveBeenCalled();
    ended.mockRestore();
    await until('the end of the connection', () => server.open === 0);
    expect([server.messages, file.destroyed]).toEqual([[], true]);
  });
});

describe('SMTP session > broken server', () => {
  it.each(STEPS)('fails > closed connection after %s', async (step) => {
    for (const end of ['end', 'destroy'] as const) {
      server.answers = { [step]: (socket: Socket) => socket[end]() };
      await expect(mailer.send(text)).rejects.toMatchObject({ kind: kindAt(step), isPermanent: false });
    }
  });
});

describe('SMTP session > stray replies', () => {
  const OK = '250 2.0.0 ok\r\n';
  const GO = '354 go ahead\r\n';

  it.each([
    ['two replies to RCPT', { RCPT: OK + OK }],
    ['354 and 250 to DATA', { DATA: GO + OK }],
    ['250 to DATA', { DATA: OK }],
  ])('accept no mail, and none is sent > %s', async (_name, answers) => {
    for (const mail of mails) {
      server.answers = answers;
      await expect(mailer.send(mail)).rejects.toMatchObject({ isPermanent: false });
      await until('the end of the connection', () => server.open === 0);
      expect(server.messages).toEqual([]);
    }
  });

  it('send no second copy > two replies to the dot', async () => {
    server.answers = { dot: OK + OK };
    for (const mail of mails) expect(await mailer.send(mail)).toBe(OK.trim());
    expect(server.messages).toHaveLength(mails.length);
  });

  it('accept no mail > before the server has read it', async () => {
    server.answers = {
      DATA: (socket) => {
        socket.write(GO);
        socket.pause();
        setTimeout(() => socket.write(OK), 50);
      },
    };
    const sent = mailer.send({ ...text, text: `${'x'.repeat(70)}\r\n`.repeat(100_000) });
    await expect(sent).rejects.toMatchObject({ kind: 'refused', isPermanent: false });
    expect(server.messages).toEqual([]);
  });
});
