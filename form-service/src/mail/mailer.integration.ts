import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { makeCertificate, type Certificate } from '../../../e2e/support/certificate.ts';
import { MAIL_SETTINGS as settings } from '../../test/mail-examples.ts';
import { MailServer } from '../../test/mail-server.ts';
import { SITE_HOST } from '../../test/site-host.ts';
import { contactSubmission } from '../../test/submissions.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { words } from '../../test/words.ts';
import type { Mail } from './mails/mail.ts';
import { submissionMail } from './mails/submission-mail.ts';
import { Mailer } from './mailer.service.ts';

const { COMPANY_NAME } = settings;

const mail = (rest: Partial<Mail> = {}): Mail => ({ ...submissionMail(contactSubmission(), settings), ...rest });

const fileOf = (open: () => Promise<Readable>, size = 10) => ({
  filename: 'a.pdf',
  mediaType: 'application/pdf',
  size,
  open,
});

let server: MailServer;
let mailer: Mailer;

beforeEach(async () => {
  server = await MailServer.start();
  mailer = new Mailer({ ...settings, SMTP_URL: server.url });
});
afterEach(() => server.stop());

describe('Mailer', () => {
  it('does not send a message again > its connection broke after the final dot', async () => {
    server.behaviour = 'drop after accepting';
    await expect(mailer.send(mail())).rejects.toMatchObject({ kind: 'refused', isPermanent: false });
    expect([server.received.length, server.connections]).toEqual([1, 1]);
  });

  it('fails with the error of the file, and sends no part of the message', async () => {
    const broken = async () =>
      Readable.from(
        (async function* () {
          yield Buffer.from('%PDF-');
          throw Object.assign(new Error('disk'), { code: 'EIO' });
        })(),
      );
    const missing = async () =>
      new Readable({ construct: (done) => done(Object.assign(new Error('gone'), { code: 'ENOENT' })) });
    await expect(mailer.send(mail({ attachment: fileOf(missing) }))).rejects.toMatchObject({ code: 'ENOENT' });
    expect(server.connections).toBe(0);
    await expect(mailer.send(mail({ attachment: fileOf(broken) }))).rejects.toMatchObject({ code: 'EIO' });
    expect([server.received.length, server.connections]).toEqual([0, 1]);
  });

  it('connects to no server > attempt that ends while the file is opened', async () => {
    const attempt = new AbortController();
    const sent = mailer.send(mail({ attachment: fileOf(() => new Promise(() => undefined)) }), attempt.signal);
    attempt.abort(new Error('enough'));
    await expect(sent).rejects.toThrow('enough');
    expect(server.connections).toBe(0);
  });

  it.each([
    ['MAIL_MAX_BYTES', { MAIL_MAX_BYTES: 100_000 }, {}, 0],
    ['the SIZE of the server', {}, { size: 100_000 }, 1],
  ])('rejects a message that is larger than %s', async (_what, extra, options, connections) => {
    const small = await MailServer.start(options);
    const limited = new Mailer({ ...settings, SMTP_URL: small.url, ...extra });
    const attachment = fileOf(async () => Readable.from([Buffer.alloc(80_000)]), 80_000);
    const failure = { kind: 'refused', isPermanent: true, mayBeFile: true, reply: undefined };
    await expect(limited.send(mail({ attachment }))).rejects.toMatchObject(failure);
    expect([small.connections, small.attempts]).toEqual([connections, 0]);
    await limited.send(mail());
    expect(small.received).toHaveLength(1);
    await small.stop();
  });
});

describe('Mailer > TLS', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let certificate: Certificate;

  beforeAll(async () => {
    folder = await temporaryFolder();
    certificate = makeCertificate(folder.path);
  });
  afterAll(() => folder.remove());

  it.each([
    ['from the beginning', { secure: true }, 'smtps'],
    ['by STARTTLS', { disabledCommands: ['AUTH'] }, 'smtp'],
  ])('encrypts %s, and rejects an untrusted certificate', async (_when, options, scheme) => {
    const cert = readFileSync(certificate.certificate, 'utf8');
    const secure = await MailServer.start({ ...options, key: readFileSync(certificate.key), cert });
    const SMTP_URL = `${scheme}://localhost:${secure.port}`;
    await new Mailer({ ...settings, SMTP_URL: `${SMTP_URL}?tls.ca=${encodeURIComponent(cert)}` }).send(mail());
    const failure = {
      kind: 'server-away',
      reason: expect.stringContaining('NODE_EXTRA_CA_CERTS'),
    };
    await expect(new Mailer({ ...settings, SMTP_URL }).send(mail())).rejects.toMatchObject(failure);
    expect(secure.encrypted).toEqual([true]);
    await secure.stop();
  });
});

describe('Mailer > identity', () => {
  /** Returns the EHLO name and envelope sender of a message that is sent with these settings. */
  async function sessionWith(extra: Partial<typeof settings>) {
    const said: { name: string; sender: string }[] = [];
    const listening = await MailServer.start({
      onMailFrom: ({ address }, { hostNameAppearsAs }, done) =>
        void (said.push({ name: hostNameAppearsAs, sender: address }), done()),
    });
    await new Mailer({ ...settings, SMTP_URL: listening.url, ...extra }).send(mail());
    await listening.stop();
    return { ...said[0], received: listening.received[0] };
  }

  it('greets with the name of the site’s host, or SMTP_HELO_NAME', async () => {
    expect(await sessionWith({})).toMatchObject({ name: SITE_HOST });
    expect(await sessionWith({ SMTP_HELO_NAME: 'mail.firm.example' })).toMatchObject({ name: 'mail.firm.example' });
  });

  it('sends From with the company’s name, and the envelope with MAIL_BOUNCES_TO', async () => {
    const from = (company: string) => [{ name: words.mails.sender({ company }), address: `no-reply@${SITE_HOST}` }];
    const usual = await sessionWith({});
    expect(usual.received?.headers.has('auto-submitted')).toBe(false);
    expect([usual.sender, usual.received?.from?.value]).toEqual([`no-reply@${SITE_HOST}`, from(COMPANY_NAME)]);
    const other = await sessionWith({ MAIL_BOUNCES_TO: 'postmaster@firm.example', COMPANY_NAME: 'Firm, Inc.' });
    expect([other.sender, other.received?.from?.value]).toEqual(['postmaster@firm.example', from('Firm, Inc.')]);
  });
});
