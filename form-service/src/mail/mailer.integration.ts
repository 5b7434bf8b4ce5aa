import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { simpleParser } from 'mailparser';
import { MAIL_SETTINGS as settings } from '../../test/mail-examples.ts';
import { keepRaw, MailServer } from '../../test/mail-server.ts';
import { contactSubmission } from '../../test/submissions.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { until } from '../../test/until.ts';
import { words } from '../../test/words.ts';
import { SITE_HOST } from '../../test/site-host.ts';
import { Attempt } from '../outbox/attempt.ts';
import type { Mail } from './mails/mail.ts';
import { Mailer, SMTP_LIMITS } from './mailer.service.ts';
import { submissionMail } from './mails/submission-mail.ts';

const { COMPANY_NAME, SALES_INBOX } = settings;

const mail = (rest: Partial<Mail> = {}): Mail => ({ ...submissionMail(contactSubmission(), settings), ...rest });

let server: MailServer;
let mailer: Mailer;

beforeEach(async () => {
  server = await MailServer.start();
  mailer = new Mailer({ ...settings, SMTP_URL: server.url });
});

afterEach(async () => {
  await server.stop();
});

describe('Mailer', () => {
  it.each([
    'Eve" <eve@evil.example>, "Bob',
    'Eve\r\nBcc: everyone@evil.example',
    '=?utf-8?B?RXZl?=',
    'Łukasz 🪁 שלום',
    'a'.repeat(200),
    'Smith, John; (the third) \\ @home',
  ])('prevents header injection > the name %j', async (name) => {
    const open = async () => Readable.from([Buffer.from('%PDF-')]);
    const attachment = { filename: `${name}.pdf`, mediaType: 'application/pdf', size: 5, open };
    await mailer.send(mail({ replyTo: { name, address: 'ada@visitor.example' }, attachment }));
    const [received] = server.received;
    expect(received?.replyTo?.value.map(({ address }) => address)).toEqual(['ada@visitor.example']);
    expect(received?.to).toMatchObject({ value: [{ address: SALES_INBOX }] });
    expect(received?.from?.value.map(({ address }) => address)).toEqual([`no-reply@${SITE_HOST}`]);
    expect(received?.headers.has('bcc')).toBe(false);
    expect(received?.attachments).toHaveLength(1);
    expect(server.recipients).toEqual([SALES_INBOX]);
  });

  it('does not send a message again > its connection broke after the final dot', async () => {
    server.behaviour = 'drop after accepting';
    await expect(mailer.send(mail())).rejects.toMatchObject({ kind: 'temporary' });
    expect(server.received).toHaveLength(1);
    server.behaviour = 'accept';
    await mailer.send(mail());
    expect(server.received).toHaveLength(2);
  });

  it('ends a message at the time limit of its stage > silence after the final dot', async () => {
    expect(SMTP_LIMITS.silence).toBe(600_000);
    const limited = new Mailer({ ...settings, SMTP_URL: server.url }, { ...SMTP_LIMITS, silence: 300 });
    server.behaviour = 'hang after data';
    await expect(limited.send(mail())).rejects.toMatchObject({
      kind: 'temporary',
      reason: expect.stringContaining('ETIMEDOUT'),
    });
  });

  it('gives the final dot more time than other steps > late reply', async () => {
    const limited = new Mailer({ ...settings, SMTP_URL: server.url }, { ...SMTP_LIMITS, silence: 60_000 });
    server.answerAfterMs = 2_000;
    expect(await limited.send(mail())).toMatch(/^250 /);

    expect(server.received).toHaveLength(1);
  });

  it('ends a step at its time limit > silence before the message', async () => {
    const silent = await MailServer.start({ onRcptTo: () => undefined });
    const limited = new Mailer({ ...settings, SMTP_URL: silent.url }, { ...SMTP_LIMITS, silence: 300 });
    await expect(limited.send(mail())).rejects.toMatchObject({ reason: expect.stringContaining('ETIMEDOUT') });

    await silent.stop();
  });

  it('sends nothing more of a message > its attempt ends while the file is read', async () => {
    const endless = new Readable({ read: () => undefined });
    endless.push(Buffer.alloc(1_000));
    const attachment = { filename: 'a.pdf', mediaType: 'application/pdf', size: 2_000, open: async () => endless };
    const attempt = new Attempt();
    const sent = mailer.send(mail({ attachment }), attempt);
    await until('a message on its way', () => server.attempts === 1);
    attempt.end(new Error('enough'));
    await expect(sent).rejects.toThrow('enough');
    expect(endless.destroyed).toBe(true);
    await mailer.send(mail());
    expect(server.received.map(({ attachments }) => attachments)).toEqual([[]]);
  });

  it('fails only the message whose file cannot be read', async () => {
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
      code: 'EIO',
    });
    expect(server.received).toHaveLength(0);
  });

  it('verifies whether the server is available', async () => {
    await mailer.verify();
    await server.stop();
    await expect(mailer.verify()).rejects.toMatchObject({
      kind: 'server-away',
      reason: expect.stringContaining('ECONNREFUSED'),
    });
  });

  it.each([
    ['from the start', { secure: true }, 'smtps'],
    ['with STARTTLS', { disabledCommands: ['AUTH'] }, 'smtp'],
  ])('encrypts %s and rejects an untrusted certificate', async (_when, options, scheme) => {
    const folder = await temporaryFolder();
    const certificate = join(folder.path, 'certificate.pem');
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
        certificate,
      ],
      { stdio: 'ignore' },
    );
    const secure = await MailServer.start({ ...options, key: readFileSync(key), cert: readFileSync(certificate) });
    const SMTP_URL = secure.url.replace('smtp:', `${scheme}:`);
    const trusted = `${SMTP_URL}?tls.ca=${encodeURIComponent(readFileSync(certificate, 'utf8'))}`;
    const trusting = new Mailer({ ...settings, SMTP_URL: trusted });
    const strict = new Mailer({ ...settings, SMTP_URL });
    try {
      await trusting.send(mail());
      await expect(strict.send(mail())).rejects.toMatchObject({
        kind: 'server-away',
        reason: expect.stringMatching(/not trusted.*NODE_EXTRA_CA_CERTS/),
      });
      expect(secure.received).toHaveLength(1);
      expect(secure.encrypted).toEqual([true]);
    } finally {
      await secure.stop();
      await folder.remove();
    }
  });

  it('sends the next message > many messages failed to connect', async () => {
    await server.stop();
    for (let i = 0; i < 12; i++) await expect(mailer.send(mail())).rejects.toMatchObject({ kind: 'server-away' });
    await server.start();
    await mailer.send(mail());
    expect(server.received).toHaveLength(1);
  });

  it('distinguishes a rejected account from a rejected message', async () => {
    server.behaviour = { refuse: 'sender', code: 530 };
    await expect(mailer.send(mail())).rejects.toMatchObject({ kind: 'server-away', refusesUs: true });
    server.behaviour = { refuse: 'greeting', code: 421 };
    await expect(mailer.verify()).rejects.toMatchObject({
      kind: 'server-away',
      reason: expect.stringContaining('SMTP 421'),
    });
  });

  it('reports the server as unavailable > the connection ends before the greeting', async () => {
    const closing = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
    await once(closing, 'listening');
    const balanced = new Mailer({
      ...settings,
      SMTP_URL: `smtp://127.0.0.1:${(closing.address() as AddressInfo).port}`,
    });
    try {
      await expect(balanced.send(mail())).rejects.toMatchObject({ kind: 'server-away' });
    } finally {
      closing.close();
    }
  });
});

describe('Mailer > identity', () => {
  /** Returns the EHLO name and envelope of a message that is sent with these settings. */
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
      await listening.stop();
    }
  }

  it('greets with the name of the site’s host, or SMTP_HELO_NAME', async () => {
    expect(await sessionWith({})).toMatchObject({ name: SITE_HOST });
    expect(await sessionWith({ SMTP_HELO_NAME: 'mail.firm.example' })).toMatchObject({ name: 'mail.firm.example' });
  });

  it('sends From with the company’s name, and the envelope with MAIL_BOUNCES_TO', async () => {
    const usual = await sessionWith({});
    expect(usual.received?.from?.text).toBe(
      `"${words.mails.sender({ company: COMPANY_NAME })}" <no-reply@${SITE_HOST}>`,
    );
    expect(usual.sender).toBe(`no-reply@${SITE_HOST}`);
    const { sender, received } = await sessionWith({
      MAIL_BOUNCES_TO: 'postmaster@firm.example',
      COMPANY_NAME: 'Firm, Inc.',
    });
    expect(sender).toBe('postmaster@firm.example');
    expect(received?.from?.value).toEqual([
      { name: words.mails.sender({ company: 'Firm, Inc.' }), address: `no-reply@${SITE_HOST}` },
    ]);
  });
});

describe('Mailer > address that is not ASCII', () => {
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
      await sending.send(submissionMail(contactSubmission({ ...visitor, email }), settings));
      const message = raw[0]?.toString('utf8') ?? '';
      return {
        declared,
        replyTo: /^Reply-To: .*$/im.exec(message)?.[0],
        text: (await simpleParser(message)).text,
      };
    } finally {
      await listening.stop();
    }
  }

  it('is left out of Reply-To, and the message says so', async () => {
    const { declared, replyTo, text } = await sendTo();
    expect(declared).toEqual([false]);
    expect(replyTo).toBeUndefined();
    expect(text?.replace(/\s+/g, ' ')).toContain(words.mails.submission.cannotReply);
    expect(text).toContain(visitor.email);
  });

  it('is quoted in Reply-To > ASCII with unusual characters', async () => {
    expect(await sendTo('user.@docomo.ne.jp')).toMatchObject({
      declared: [false],
      replyTo: expect.stringContaining('<"user."@docomo.ne.jp>'),
    });
  });
});
