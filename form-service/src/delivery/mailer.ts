import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import nodemailer from 'nodemailer';
import SMTPPool from 'nodemailer/lib/smtp-pool/index.js';
import { SETTINGS, type Settings } from '../config/settings.ts';
import { encodedSize, type Mail } from './mail.ts';
import { MailFailure, mailFailureOf } from './mail-failure.ts';
import { openSmtpSocket } from './smtp-socket.ts';

type MailSettings = Pick<Settings, 'SMTP_URL' | 'MAIL_FROM' | 'MAIL_MAX_BYTES'> & Partial<DkimSettings>;
type DkimSettings = Pick<Settings, 'DKIM_DOMAIN' | 'DKIM_SELECTOR' | 'DKIM_PRIVATE_KEY'>;

/** Short, since a slow mail server costs us nothing but another attempt. */
const TIMEOUTS = { dnsTimeout: 5_000, connectionTimeout: 5_000, greetingTimeout: 5_000, socketTimeout: 20_000 };

/**
 * Hands messages to the mail server, over a few connections that are used again, signed where a key is
 * configured. Logs nothing.
 */
@Injectable()
export class Mailer implements OnApplicationShutdown {
  private readonly transport: nodemailer.Transporter<SMTPPool.SentMessageInfo>;

  constructor(@Inject(SETTINGS) private readonly settings: MailSettings) {
    const options: SMTPPool.Options & { maxRequeues: number } = {
      url: settings.SMTP_URL,
      pool: true,
      maxConnections: 5,
      // A message whose connection broke comes back to us: whether and when to send it again is not the pool's choice.
      maxRequeues: 0,
      getSocket: openSmtpSocket,
      ...TIMEOUTS,
    };
    // Not createTransport(options): that drops every option but the URL.
    this.transport = nodemailer.createTransport(new SMTPPool(options));
  }

  /**
   * Resolves when the server has taken responsibility for the message.
   *
   * @throws MailFailure
   */
  async send(mail: Mail): Promise<void> {
    const size = encodedSize(mail);
    if (size > (this.settings.MAIL_MAX_BYTES ?? Infinity)) throw new MailFailure('too large', 'MAIL_MAX_BYTES');
    const content = await mail.attachment?.open();
    try {
      if (content) await firstBytes(content);
      await this.transport.sendMail({
        from: this.settings.MAIL_FROM,
        to: mail.to,
        replyTo: { name: asTyped(mail.replyTo.name), address: mail.replyTo.address },
        subject: asTyped(mail.subject),
        text: mail.text,
        html: mail.html,
        messageId: mail.messageId,
        headers: { 'Auto-Submitted': 'auto-generated', 'X-Request-Id': mail.requestId },
        xMailer: false,
        dkim: signatureOf(this.settings),
        disableFileAccess: true,
        disableUrlAccess: true,
        // The size lets the transport compare with the server's announced SIZE before it sends anything.
        envelope: { from: this.settings.MAIL_FROM, to: [mail.to], size } as nodemailer.SendMailOptions['envelope'],
        attachments: mail.attachment && [
          { filename: mail.attachment.filename, contentType: mail.attachment.mediaType, contentDisposition: 'attachment', content },
        ],
      });
    } catch (error) {
      throw mailFailureOf(error);
    } finally {
      // When the attempt ended before the file was read to its end.
      content?.destroy();
    }
  }

  /**
   * Whether the server can be reached and takes our password.
   *
   * @throws MailFailure
   */
  async verify(): Promise<void> {
    try {
      await this.transport.verify();
    } catch (error) {
      throw mailFailureOf(error);
    }
  }

  onApplicationShutdown(): void {
    this.transport.close();
  }
}

/**
 * Text for a header that mail programs show as it was typed. The transport leaves ASCII as it is, so a visitor's `=?...?=`
 * would be decoded into something else (RFC 2047); an invisible word joiner makes it plain text.
 */
function asTyped(text: string): string {
  return text.replaceAll('=?', '=\u2060?');
}

/** How messages are signed (RFC 6376), or undefined without a key; the settings are complete or absent. */
function signatureOf({ DKIM_DOMAIN: domainName, DKIM_SELECTOR: keySelector, DKIM_PRIVATE_KEY: privateKey }: Partial<DkimSettings>): nodemailer.SendMailOptions['dkim'] {
  return domainName && keySelector && privateKey ? { domainName, keySelector, privateKey } : undefined;
}

/**
 * Waits until a file can be read, and throws when it cannot: nodemailer listens for a stream's errors only when it
 * begins to send, and an error before that would end the process.
 */
async function firstBytes(content: Readable): Promise<void> {
  content.on('error', () => undefined);
  await once(content, 'readable');
}
