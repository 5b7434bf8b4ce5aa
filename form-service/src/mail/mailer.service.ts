import { once } from 'node:events';
import { isIP } from 'node:net';
import type { Readable } from 'node:stream';
import { Inject, Injectable } from '@nestjs/common';
import { createTransport } from 'nodemailer';
import { needsStartTls } from '../config/mail-server-url.ts';
import { SETTINGS, type MailSettings } from '../config/settings.ts';
import { abortable, Attempt } from '../outbox/attempt.ts';
import type { DeliveryError } from '../outbox/failure.ts';
import { tooLarge } from './mail-error.ts';
import type { Mail } from './mails/mail.ts';
import { composeMessage } from './message.ts';
import { SmtpSession } from './smtp-session.ts';

/** Maximum number of messages that a worker sends at the same time, each over a connection of its own. */
export const MAIL_CONNECTIONS = 2;

/** Sends each message over a connection of its own, signed (DKIM) if a key is configured. It logs nothing. */
@Injectable()
export class Mailer {
  /** Why the server could not be used at the latest try, and since when in milliseconds since the epoch. */
  outage: { readonly since: number; readonly failure: DeliveryError } | undefined;

  constructor(@Inject(SETTINGS) private readonly settings: MailSettings) {}

  /**
   * Sends a message, and resolves when the server has taken responsibility for it.
   *
   * @param attempt can end the sending
   * @returns the server's reply, often with its message id
   * @throws DeliveryError, StorageUnavailableError, or the attempt's reason
   */
  async send(mail: Mail, attempt = new Attempt()): Promise<string> {
    const { MAIL_MAX_BYTES = Infinity } = this.settings;
    const size = sizeOf(mail);
    if (size > MAIL_MAX_BYTES) throw tooLarge('The message is larger than MAIL_MAX_BYTES.');
    return attempt.run(async () => {
      const file = mail.attachment && (await openFile(mail.attachment, attempt.signal));
      try {
        const session = await this.connect(attempt.signal);
        const { envelope, message } = await composeMessage(mail, this.settings, file);
        const reply = await session.send({ ...envelope, size }, message);
        session.quit();
        return reply;
      } catch (error) {
        // The connection ended because the file did.
        throw file?.errored ?? error;
      } finally {
        file?.destroy();
      }
    });
  }

  /** Checks that the server can be reached and accepts our login. @throws DeliveryError of the kind `server-away` */
  async verify(signal = new AbortController().signal): Promise<void> {
    const session = await this.connect(signal);
    session.quit();
  }

  private async connect(signal: AbortSignal): Promise<SmtpSession> {
    const { SMTP_URL } = this.settings;
    const { options } = createTransport(SMTP_URL);
    const name = heloName(this.settings) ?? options.name;
    const requireTLS = needsStartTls(SMTP_URL) || options.requireTLS;
    try {
      const session = await SmtpSession.open({ ...options, name, requireTLS }, signal);
      this.outage = undefined;
      return session;
    } catch (error) {
      if (!signal.aborted) this.outage = { since: this.outage?.since ?? Date.now(), failure: error as DeliveryError };
      throw error;
    }
  }
}

/** Returns about the size of a message: base64 needs 78 bytes for 57 of the file. */
const sizeOf = ({ text, html, attachment }: Mail): number =>
  Math.ceil(((attachment?.size ?? 0) * 78) / 57) + 2 * (text.length + html.length) + 4_096;

/**
 * Returns the name for EHLO. In a container, which has no full host name, nodemailer would send an IP address, and strict
 * servers reject it.
 */
function heloName({ SMTP_HELO_NAME, SITE_URL }: MailSettings): string | undefined {
  const { hostname } = new URL(SITE_URL);
  return SMTP_HELO_NAME ?? (hostname.includes('.') && isIP(hostname) === 0 ? hostname : undefined);
}

/**
 * Opens the file and waits until it can be read, so that errors of the storage are thrown before anything is sent. They
 * are not the mail server's fault.
 */
async function openFile({ open }: NonNullable<Mail['attachment']>, signal: AbortSignal): Promise<Readable> {
  const content = await abortable(open(), signal);
  content.on('error', () => undefined);
  await once(content, 'readable', { signal });
  return content;
}
