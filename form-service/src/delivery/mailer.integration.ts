import { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { MAIL_SETTINGS as settings } from '../../test/mail-examples.ts';
import { MailServer } from '../../test/mail-server.ts';
import { contactSubmission } from '../../test/submissions.ts';
import { until } from '../../test/until.ts';
import type { Mail } from './mails/mail.ts';
import { Mailer } from './mailer.service.ts';
import { enquiryMail } from './mails/enquiry-mail.ts';

const mail = (rest: Partial<Mail> = {}): Mail => ({ ...enquiryMail(contactSubmission(), settings), ...rest });

let server: MailServer;
let mailer: Mailer;

beforeEach(async () => {
  server = await MailServer.start();
  mailer = new Mailer({ ...settings, SMTP_URL: server.url });
});

afterEach(async () => {
  mailer.onApplicationShutdown();
  await server.stop();
});

describe('the mailer', () => {
  it('sends message after message over one connection', async () => {
    for (let i = 0; i < 5; i++) await mailer.send(mail());
    expect(server.received).toHaveLength(5);
    expect(server.connections).toBe(1);
  });

  it.each([
    'Eve" <eve@evil.example>, "Bob',
    'Eve\r\nBcc: everyone@evil.example',
    '=?utf-8?B?RXZl?=',
    'Łukasz 🪁 שלום',
    'a'.repeat(200),
    'Smith, John; (the third) \\ @home',
  ])('puts no name into a header in a way that changes another: %j', async (name) => {
    const open = async () => Readable.from([Buffer.from('%PDF-')]);
    const attachment = { filename: `${name}.pdf`, mediaType: 'application/pdf', size: 5, open };
    await mailer.send(mail({ replyTo: { name, address: 'ada@visitor.example' }, attachment }));
    const [received] = server.received;
    expect(received?.replyTo?.value.map(({ address }) => address)).toEqual(['ada@visitor.example']);
    expect(received?.to).toMatchObject({ value: [{ address: 'hello@kitewright.example' }] });
    expect(received?.from?.value.map(({ address }) => address)).toEqual(['no-reply@kitewright.example']);
    expect(received?.headers.has('bcc')).toBe(false);
    expect(received?.attachments).toHaveLength(1);
    expect(server.recipients).toEqual(['hello@kitewright.example']);
  });

  it('goes on after the server closed an idle connection', async () => {
    await mailer.send(mail());
    server.endConnections();
    await until('a message after that', () =>
      mailer.send(mail()).then(
        () => true,
        () => false,
      ),
    );
    expect(server.received).toHaveLength(2);
  });

  it('hands a message whose connection broke back to its sender, once, and does not repeat it by itself', async () => {
    server.mood = 'drop after accepting';
    await expect(mailer.send(mail())).rejects.toMatchObject({ kind: 'temporary' });
    expect(server.received).toHaveLength(1);
    server.mood = 'accept';
    await mailer.send(mail());
    expect(server.received).toHaveLength(2);
  });

  it('gives up on a server that says nothing, in seconds and not in the usual ten minutes', async () => {
    server.mood = 'hang after data';
    await expect(mailer.send(mail())).rejects.toMatchObject({ kind: 'temporary', reason: expect.stringContaining('ETIMEDOUT') });
  });

  it('fails in an orderly way when the file cannot be read, before or while it is sent', async () => {
    const attachment = { filename: 'a.pdf', mediaType: 'application/pdf', size: 10 };
    const broken = async () =>
      Readable.from(
        (async function* () {
          yield Buffer.from('%PDF-');
          throw Object.assign(new Error('disk'), { code: 'EIO' });
        })(),
      );
    const missing = async () => new Readable({ construct: (done) => done(Object.assign(new Error('gone'), { code: 'ENOENT' })) });
    await expect(mailer.send(mail({ attachment: { ...attachment, open: missing } }))).rejects.toMatchObject({ kind: 'temporary', reason: expect.stringContaining('ENOENT') });
    await expect(mailer.send(mail({ attachment: { ...attachment, open: broken } }))).rejects.toMatchObject({ kind: 'temporary' });
    expect(server.received).toHaveLength(0);
  });

  it('tells a server that is there from one that is not', async () => {
    await mailer.verify();
    await server.stop();
    await expect(mailer.verify()).rejects.toMatchObject({ kind: 'server-away', reason: expect.stringContaining('ECONNREFUSED') });
  });

  it.each([
    ['from the start', { secure: true }, 'smtps'],
    ['on request', { disabledCommands: ['AUTH'] }, 'smtp'],
  ])('encrypts %s, and takes no certificate that nobody vouches for', async (_when, options, scheme) => {
    const secure = await MailServer.start(options);
    const url = secure.url.replace('smtp:', `${scheme}:`);
    const trusting = new Mailer({ ...settings, SMTP_URL: `${url}/?tls.rejectUnauthorized=false` });
    const strict = new Mailer({ ...settings, SMTP_URL: url });
    try {
      await trusting.send(mail());
      await expect(strict.send(mail())).rejects.toMatchObject({ kind: 'server-away' });
      expect(secure.received).toHaveLength(1);
      expect(secure.encrypted).toEqual([true]);
    } finally {
      for (const one of [trusting, strict]) one.onApplicationShutdown();
      await secure.stop();
    }
  });

  it('does not wait for acknowledgements within a message', async () => {
    const noDelay = jest.spyOn(Socket.prototype, 'connect');
    await mailer.send(mail());
    expect(noDelay.mock.calls.flat(2)).toContainEqual(expect.objectContaining({ port: server.port, noDelay: true }));
  });

  it('has room for the next message after many failed to connect', async () => {
    await server.stop();
    for (let i = 0; i < 12; i++) await expect(mailer.send(mail())).rejects.toMatchObject({ kind: 'server-away' });
    await server.start();
    await mailer.send(mail());
    expect(server.received).toHaveLength(1);
  });

  it('tells a refusal of us from a refusal of the message', async () => {
    server.mood = { refuse: 'sender', code: 530 };
    await expect(mailer.send(mail())).rejects.toMatchObject({ kind: 'server-away', isRefusal: true });
    server.mood = { refuse: 'greeting', code: 421 };
    await expect(mailer.verify()).rejects.toMatchObject({ kind: 'server-away', reason: expect.stringContaining('SMTP 421') });
  });
});
