import { readFileSync } from 'node:fs';
import { once } from 'node:events';
import { connect, isIP, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { rootCertificates } from 'node:tls';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import nodemailer from 'nodemailer';
import SMTPPool from 'nodemailer/lib/smtp-pool/index.js';
import { SETTINGS, type MailSettings } from '../config/settings.ts';
import { DeliveryError } from './failure.ts';
import { mailErrorOf } from './mail-error.ts';
import type { Mail } from './mails/mail.ts';
import { base64Octets, composed, withFile } from './message.ts';

/** These timeouts are short, since a slow mail server costs us only another attempt. */
const TIMEOUTS = { dnsTimeout: 5_000, connectionTimeout: 5_000, greetingTimeout: 5_000, socketTimeout: 20_000 };

/** After this time the pool's own attempt to connect follows. */
const SOCKET_MS = 2_500;

/**
 * Sends messages to the mail server over a few connections that are kept open, signed where a key is configured. The
 * mailer logs nothing.
 */
@Injectable()
export class Mailer implements OnApplicationShutdown {
  private readonly pool: nodemailer.Transporter<SMTPPool.SentMessageInfo>;

  constructor(@Inject(SETTINGS) private readonly settings: MailSettings) {
    const options: SMTPPool.Options & { maxRequeues: number } = {
      url: settings.SMTP_URL,
      pool: true,
      maxConnections: 5,
      // The pool must not repeat a message whose connection broke: when to send it again is decided by the delivery.
      maxRequeues: 0,
      getSocket: openSocket,
      name: greetingName(settings),
      ...(settings.SMTP_CA_FILE && { tls: { ca: [...rootCertificates, readFileSync(settings.SMTP_CA_FILE, 'utf8')] } }),
      ...TIMEOUTS,
    };
    // createTransport(options) would drop every option but the URL.
    this.pool = nodemailer.createTransport(new SMTPPool(options));
  }

  /**
   * Sends a message, and resolves when the server has taken responsibility for it.
   *
   * @returns the server's reply, which often has its own number for the message
   * @throws DeliveryError, or the storage's error when the file cannot be opened
   */
  async send(mail: Mail): Promise<string> {
    const { COMPANY_NAME, MAIL_FROM, MAIL_BOUNCES_TO = MAIL_FROM, MAIL_MAX_BYTES = Infinity } = this.settings;
    const { attachment } = mail;
    const parts = composed(mail, { name: `${COMPANY_NAME} website`, address: MAIL_FROM });
    const size = Buffer.byteLength(parts.head + parts.tail) + base64Octets(attachment?.size ?? 0);
    if (size > MAIL_MAX_BYTES) throw new DeliveryError('too-large', 'The message is larger than MAIL_MAX_BYTES.');
    const file = attachment && (await openedFile(attachment));
    const raw = file ? Readable.from(withFile(parts, file), { objectMode: false }) : parts.head;
    // Whatever ends the attempt ends these streams, whose errors then concern nobody.
    if (raw instanceof Readable) raw.on('error', () => undefined);
    try {
      const { response } = await this.pool.sendMail({
        raw,
        dkim: signatureOf(this.settings),
        // With the size, the transport can compare with the server's announced SIZE before it sends anything.
        envelope: {
          from: mail.isAutoReply ? '' : MAIL_BOUNCES_TO,
          to: [mail.to],
          size,
        } as nodemailer.SendMailOptions['envelope'],
      });
      return response;
    } catch (error) {
      throw await this.failureOf(error);
    } finally {
      // The attempt may end before the file was read to its end.
      if (raw instanceof Readable) raw.destroy();
      file?.destroy();
    }
  }

  /**
   * Checks that the server can be reached and accepts our login.
   *
   * @throws DeliveryError of the kind `server-away`
   */
  async verify(): Promise<void> {
    try {
      await this.pool.verify();
    } catch (error) {
      const { reason, isRejection } = mailErrorOf(error);
      throw new DeliveryError('server-away', reason, isRejection);
    }
  }

  onApplicationShutdown(): void {
    this.pool.close();
  }

  /** An error without a reply of the server may be the message's fault or an outage, so the server is probed. */
  private async failureOf(error: unknown): Promise<DeliveryError> {
    const failure = mailErrorOf(error);
    if (failure.kind !== 'temporary' || failure.reply) return failure;
    return this.verify().then(
      () => failure,
      (away: DeliveryError) => away,
    );
  }
}

/**
 * The name in EHLO. Where the machine has no full name, as in a container, nodemailer would send an address, which
 * strict servers refuse.
 */
function greetingName({ SMTP_HELO_NAME, SITE_URL }: MailSettings): string | undefined {
  const { hostname } = new URL(SITE_URL);
  return SMTP_HELO_NAME ?? (hostname.includes('.') && isIP(hostname) === 0 ? hostname : undefined);
}

/** The options of the DKIM signature (RFC 6376), or undefined without a key; the settings are complete or absent. */
function signatureOf({
  DKIM_DOMAIN: domainName,
  DKIM_SELECTOR: keySelector,
  DKIM_PRIVATE_KEY: privateKey,
}: MailSettings): nodemailer.SendMailOptions['dkim'] {
  return domainName && keySelector && privateKey ? { domainName, keySelector, privateKey } : undefined;
}

/**
 * Opens a connection for nodemailer's pool with Nagle's algorithm switched off, for which the pool has no option: it
 * would hold the last lines of each message back until the lines before are acknowledged, 40 ms on most systems. It never
 * reports an error, which would occupy a place in the pool for good: the pool then tries by itself and reports its own.
 */
function openSocket(
  { host = 'localhost', port, secure }: SMTPPool.Options,
  give: (error: null, opened: { readonly connection: Socket } | false) => void,
): void {
  // Without a port the URL means the usual one (RFC 8314, 7.3; RFC 6409, 3.1).
  const socket = connect({ host, port: Number(port) || (secure ? 465 : 587), noDelay: true, keepAlive: true });
  once(socket, 'connect', { signal: AbortSignal.timeout(SOCKET_MS) }).then(
    () => give(null, { connection: socket }),
    () => {
      socket.destroy();
      give(null, false);
    },
  );
}

/**
 * Opens the file and waits until it can be read: nodemailer listens for a stream's errors only when it begins to send,
 * and an earlier error would end the process. The storage's error is thrown on, since it is not the mail server's
 * fault.
 */
async function openedFile({ open }: NonNullable<Mail['attachment']>): Promise<Readable> {
  const content = await open();
  content.on('error', () => undefined);
  await once(content, 'readable');
  return content;
}
