import { once } from 'node:events';
import { isIP } from 'node:net';
import { Readable } from 'node:stream';
import { Inject, Injectable } from '@nestjs/common';
import { createTransport } from 'nodemailer';
import { isThisMachine } from '../settings/formats.ts';
import { SETTINGS, type MailSettings } from '../settings/settings.ts';
import { LOCALE } from '../contract/locale.ts';
import { serviceWords } from '../contract/service-words.ts';
import { abortable, type DeliveryError } from '../outbox/attempt.ts';
import { tooLarge } from './mail-error.ts';
import type { Mail } from './mails/mail.ts';
import { SmtpSession } from './smtp-session.ts';

const words = serviceWords('mails');

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
   * @param signal ends the sending
   * @returns the server's reply, often with its message id
   * @throws DeliveryError or StorageUnavailableError
   */
  async send(mail: Mail, signal = new AbortController().signal): Promise<string> {
    const { MAIL_MAX_BYTES = Infinity } = this.settings;
    const size = sizeOf(mail);
    if (size > MAIL_MAX_BYTES) throw tooLarge('The message is larger than MAIL_MAX_BYTES.');
    const file = mail.attachment && (await openFile(mail.attachment, signal));
    try {
      const session = await this.connect(signal);
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

/**
 * Whether the login and the mails must be encrypted by STARTTLS: they cross a network, and the URL does not allow clear
 * text by `requireTLS=false`.
 */
export function needsStartTls(smtpUrl: string): boolean {
  const { protocol, username, password, hostname, searchParams } = new URL(smtpUrl);
  const hasLogin = username !== '' || password !== '';
  const isAllowed = searchParams.get('requireTLS') === 'false';
  return protocol === 'smtp:' && hasLogin && !isThisMachine(hostname.toLowerCase()) && !isAllowed;
}

/**
 * Composes a message, signed (DKIM, RFC 6376) if a key is configured. An attached file is encoded while it is read, so that
 * large files take little memory.
 *
 * @returns the message as a stream, and the addresses for the mail server
 */
export async function composeMessage(mail: Mail, settings: MailSettings, file: Readable = Readable.from([])) {
  const { to, subject, messageId, replyTo, requestId, autoSubmitted, text, html, attachment } = mail;
  const { COMPANY_NAME, MAIL_FROM, MAIL_BOUNCES_TO = MAIL_FROM, DKIM_PRIVATE_KEY: dkim } = settings;
  const { envelope, message } = await createTransport({ streamTransport: true, dkim }).sendMail({
    envelope: { from: autoSubmitted === 'auto-replied' ? '' : MAIL_BOUNCES_TO, to },
    from: { name: words.sender({ company: COMPANY_NAME }), address: MAIL_FROM },
    to,
    subject: withoutEncodedWords(subject),
    messageId,
    headers: {
      'Content-Language': LOCALE,
      ...(autoSubmitted && { 'Auto-Submitted': autoSubmitted }),
      ...(requestId !== undefined && { 'X-Request-Id': requestId }),
    },
    ...(replyTo && { replyTo: { ...replyTo, name: withoutEncodedWords(replyTo.name) } }),
    text: withLineEnds(text),
    html: withLineEnds(html),
    xMailer: false,
    disableFileAccess: true,
    disableUrlAccess: true,
    ...(attachment && {
      attachments: [
        {
          filename: attachment.filename,
          contentType: attachment.mediaType,
          contentTransferEncoding: 'base64',
          content: file,
        },
      ],
    }),
  });
  return { envelope, message: message as Readable };
}

/** Nodemailer leaves the line ends of plain text as they are; in a message they are CR LF. */
const withLineEnds = (text: string) => text.replace(/\r?\n|\r/g, '\r\n');

/**
 * Breaks up encoded words (RFC 2047) by an invisible word joiner, so that mail programs show a text as it was typed.
 * Nodemailer leaves ASCII as it is, so a visitor's `=?...?=` would be decoded.
 */
const withoutEncodedWords = (text: string) => text.replaceAll('=?', '=\u2060?');
