import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, Socket, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { simpleParser } from 'mailparser';
import { MAIL_SETTINGS as settings } from '../../test/mail-examples.ts';
import { keepRaw, MailServer } from '../../test/mail-server.ts';
import { contactSubmission } from '../../test/submissions.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { until } from '../../test/until.ts';
import type { Mail } from './mails/mail.ts';
import { Mailer } from './mailer.service.ts';
import { enquiryMail } from './mails/submission-mail.ts';

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

describe('The mailer', () => {
  it('The mailer sends several messages over one connection', async () => {
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
  ])('The name %j changes no other header', async (name) => {
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

  it('The mailer continues after the server closed an idle connection', async () => {
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

  it('A message whose connection broke fails once, and the mailer does not repeat it by itself', async () => {
    server.behaviour = 'drop after accepting';
    await expect(mailer.send(mail())).rejects.toMatchObject({ kind: 'temporary' });
    expect(server.received).toHaveLength(1);
    server.behaviour = 'accept';
    await mailer.send(mail());
    expect(server.received).toHaveLength(2);
  });

  it('The mailer gives up on a silent server in seconds, not after ten minutes', async () => {
    server.behaviour = 'hang after data';
    await expect(mailer.send(mail())).rejects.toMatchObject({
      kind: 'temporary',
      reason: expect.stringContaining('ETIMEDOUT'),
    });
  });

  it('A file that cannot be read, before or while it is sent, fails the message and nothing else', async () => {
    const attachment = { filename: 'a.pdf', mediaType: 'application/pdf', size: 10 };
    const broken = async () =>
      Readable.from(
        (async function* () {
          yield Buffer.from('%PDF-');
          throw Object.assign(new Error('disk'), { code: 'EIO' });
        })(),
      );
    const missing = async () =>
      new Readable({ construct: (done) => done(Object.assign(new Error('gone'), { code: 'ENOENT' })) });
    await expect(mailer.send(mail({ attachment: { ...attachment, open: missing } }))).rejects.toMatchObject({
      code: 'ENOENT',
    });
    await expect(mailer.send(mail({ attachment: { ...attachment, open: broken } }))).rejects.toMatchObject({
      kind: 'temporary',
    });
    expect(server.received).toHaveLength(0);
  });

  it('The check distinguishes a server that is there from one that is not', async () => {
    await mailer.verify();
    await server.stop();
    await expect(mailer.verify()).rejects.toMatchObject({
      kind: 'server-away',
      reason: expect.stringContaining('ECONNREFUSED'),
    });
  });

  it.each([
    ['from the start', { secure: true }, 'smtps'],
    ['on request', { disabledCommands: ['AUTH'] }, 'smtp'],
  ])('The mailer encrypts %s, and refuses a certificate that is not trusted', async (_when, options, scheme) => {
    const folder = await temporaryFolder();
    const SMTP_CA_FILE = join(folder.path, 'certificate.pem');
    const key = join(folder.path, 'key.pem');
    const names = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
    execFileSync(
      'openssl',
      [
        'req',
        '-x509',
        '-newkey',
        'ec',
        '-pkeyopt',
        'ec_paramgen_curve:prime256v1',
        '-nodes',
        '-days',
        '2',
        ...names,
        '-keyout',
        key,
        '-out',
        SMTP_CA_FILE,
      ],
      { stdio: 'ignore' },
    );
    const secure = await MailServer.start({ ...options, key: readFileSync(key), cert: readFileSync(SMTP_CA_FILE) });
    const SMTP_URL = secure.url.replace('smtp:', `${scheme}:`);
    const trusting = new Mailer({ ...settings, SMTP_URL, SMTP_CA_FILE });
    const strict = new Mailer({ ...settings, SMTP_URL });
    try {
      await trusting.send(mail());
      await expect(strict.send(mail())).rejects.toMatchObject({
        kind: 'server-away',
        reason: expect.stringMatching(/not trusted.*SMTP_CA_FILE/),
      });
      expect(secure.received).toHaveLength(1);
      expect(secure.encrypted).toEqual([true]);
    } finally {
      for (const one of [trusting, strict]) one.onApplicationShutdown();
      await secure.stop();
      await folder.remove();
    }
  });

  it('The mailer does not wait for acknowledgements within a message (Nagle’s algorithm is off)', async () => {
    const noDelay = jest.spyOn(Socket.prototype, 'connect');
    await mailer.send(mail());
    expect(noDelay.mock.calls.flat(2)).toContainEqual(expect.objectContaining({ port: server.port, noDelay: true }));
  });

  it('The pool has room for the next message after many failed to connect', async () => {
    await server.stop();
    for (let i = 0; i < 12; i++) await expect(mailer.send(mail())).rejects.toMatchObject({ kind: 'server-away' });
    await server.start();
    await mailer.send(mail());
    expect(server.received).toHaveLength(1);
  });

  it('A refusal of our account is distinguished from a refusal of the message', async () => {
    server.behaviour = { refuse: 'sender', code: 530 };
    await expect(mailer.send(mail())).rejects.toMatchObject({ kind: 'server-away', isRejection: true });
    server.behaviour = { refuse: 'greeting', code: 421 };
    await expect(mailer.verify()).rejects.toMatchObject({
      kind: 'server-away',
      reason: expect.stringContaining('SMTP 421'),
    });
  });

  it('A connection that ends before the greeting means that the server is away', async () => {
    const closing = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
    await once(closing, 'listening');
    const balanced = new Mailer({
      ...settings,
      SMTP_URL: `smtp://127.0.0.1:${(closing.address() as AddressInfo).port}`,
    });
    try {
      await expect(balanced.send(mail())).rejects.toMatchObject({ kind: 'server-away' });
    } finally {
      balanced.onApplicationShutdown();
      closing.close();
    }
  });
});

describe('The identity of the mailer', () => {
  /** The greeting and the envelope of one message sent with these settings. */
  async function sessionWith(extra: Partial<ConstructorParameters<typeof Mailer>[0]>) {
    const said: { name: string; sender: string }[] = [];
    const listening = await MailServer.start({
      onMailFrom: ({ address }, { hostNameAppearsAs }, done) =>
        void (said.push({ name: hostNameAppearsAs, sender: address }), done()),
    });
    const speaking = new Mailer({ ...settings, SMTP_URL: listening.url, ...extra });
    try {
      await speaking.send(mail());
      return { ...said[0], received: listening.received[0] };
    } finally {
      speaking.onApplicationShutdown();
      await listening.stop();
    }
  }

  it('The mailer greets with the name of the site’s host, which strict servers accept from a container too', async () => {
    expect(await sessionWith({})).toMatchObject({ name: 'kitewright.example' });
    expect(await sessionWith({ SMTP_HELO_NAME: 'mail.firm.example' })).toMatchObject({ name: 'mail.firm.example' });
  });

  it('From has the company’s name, and the envelope the address for returned messages', async () => {
    const usual = await sessionWith({});
    expect(usual.received?.from?.text).toBe('"Kitewright website" <no-reply@kitewright.example>');
    expect(usual.sender).toBe('no-reply@kitewright.example');
    const { sender, received } = await sessionWith({
      MAIL_BOUNCES_TO: 'postmaster@firm.example',
      COMPANY_NAME: 'Firm, Inc.',
    });
    expect(sender).toBe('postmaster@firm.example');
    expect(received?.from?.value).toEqual([{ name: 'Firm, Inc. website', address: 'no-reply@kitewright.example' }]);
  });
});

describe('A visitor’s address that is not ASCII', () => {
  const visitor = { name: 'José', email: 'josé@visitor.example' };

  async function sendTo(email = visitor.email) {
    const declared: unknown[] = [];
    const raw: Buffer[] = [];
    const listening = await MailServer.start({
      onMailFrom: ({ args }, _session, done) =>
        void (declared.push((args as Record<string, unknown>)['SMTPUTF8'] ?? false), done()),
      onData: keepRaw(raw),
    });
    const sending = new Mailer({ ...settings, SMTP_URL: listening.url });
    try {
      await sending.send(enquiryMail(contactSubmission({ ...visitor, email }), settings));
      const message = raw[0]?.toString('utf8') ?? '';
      return {
        declared,
        replyTo: /^Reply-To: .*$/im.exec(message)?.[0],
        text: (await simpleParser(message)).text,
      };
    } finally {
      sending.onApplicationShutdown();
      await listening.stop();
    }
  }

  it('Reply-To is left out, and the message says so, since servers on the way may not carry the address', async () => {
    const { declared, replyTo, text } = await sendTo();
    expect(declared).toEqual([false]);
    expect(replyTo).toBeUndefined();
    expect(text).toContain('Replying does not reach');
    expect(text).toContain(visitor.email);
  });

  it('An ASCII address with unusual characters is quoted in Reply-To', async () => {
    expect(await sendTo('user.@docomo.ne.jp')).toMatchObject({
      declared: [false],
      replyTo: expect.stringContaining('<"user."@docomo.ne.jp>'),
    });
  });
});
