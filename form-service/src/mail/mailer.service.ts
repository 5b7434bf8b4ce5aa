import { once } from 'node:events';
import { isIP } from 'node:net';
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Inject, Injectable, Optional } from '@nestjs/common';
import { createTransport } from 'nodemailer';
import type SMTPConnection from 'nodemailer/lib/smtp-connection/index.js';
import { needsStartTls } from '../config/mail-server-url.ts';
import { SETTINGS, type MailSettings } from '../config/settings.ts';
import { abortable, Attempt } from '../outbox/attempt.ts';
import { DeliveryError } from '../outbox/failure.ts';
import { mailErrorOf } from './mail-error.ts';
import type { Mail } from './mails/mail.ts';
import { messageComposer, type Message } from './message.ts';
import { SmtpClient } from './smtp-client.ts';

/** Maximum number of messages that a worker sends at the same time, each over a connection of its own. */
export const MAIL_CONNECTIONS = 2;

/** Time limits of a connection to the mail server, in milliseconds. */
export const SMTP_LIMITS = {
  /** Short, so that an unavailable server is noticed at once. */
  connect: 5_000,
  /** Servers delay the greeting to detect bots: Postfix by 6 s, others by up to 30 s. */
  greeting: 40_000,
  /** Silence. A retry before the reply to the final dot delivers twice (RFC 5321, 4.5.3.2.6). */
  silence: 10 * 60_000,
};
export type SmtpLimits = { readonly [Stage in keyof typeof SMTP_LIMITS]: number };

/** Sends each message over a connection of its own, signed (DKIM) if a key is configured. It logs nothing. */
@Injectable()
export class Mailer {
  private readonly options: SMTPConnection.Options;
  private readonly compose: ReturnType<typeof messageComposer>;

  constructor(
    @Inject(SETTINGS) private readonly settings: MailSettings,
    @Optional() limits: SmtpLimits = SMTP_LIMITS,
  ) {
    const { options } = createTransport(settings.SMTP_URL);
    const name = heloName(settings);
    this.compose = messageComposer(settings);
    this.options = {
      ...options,
      ...(name !== undefined && { name }),
      // The other two options would allow clear text in spite of requireTLS.
      ...(needsStartTls(settings.SMTP_URL) && { requireTLS: true, ignoreTLS: false, opportunisticTLS: false }),
      connectionTimeout: limits.connect,
      greetingTimeout: limits.greeting,
      socketTimeout: limits.silence,
    };
  }

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
    if (size > MAIL_MAX_BYTES)
      throw new DeliveryError('refused', 'The message is larger than MAIL_MAX_BYTES.', { mayBeFile: true });
    return attempt.run(async () => {
      const file = mail.attachment && (await openFile(mail.attachment, attempt.signal));
      try {
        const { envelope, message } = await this.compose(mail, file);
        return await this.connect(attempt.signal, (connection) => sendOver(connection, { ...envelope, size }, message));
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
    await this.connect(AbortSignal.any([signal, AbortSignal.timeout(PROBE_MS)]), async () => undefined);
  }

  /**
   * Does work over a new connection, after the login. The signal ends both.
   *
   * @throws DeliveryError, of the kind `server-away` if the work could not begin
   */
  private async connect<T>(signal: AbortSignal, work: (connection: SmtpClient) => Promise<T>): Promise<T> {
    const { auth, ...options } = this.options;
    const connection = new SmtpClient(options);
    const end = () => connection.close();
    let isOpen = false;
    signal.addEventListener('abort', end);
    try {
      return await new Promise<T>((resolve, reject) => {
        const begin = () => {
          isOpen = true;
          work(connection).then(resolve, reject);
        };
        const afterLogin = (error?: Error | null) => (error ? reject(error) : begin());
        connection.once('error', reject);
        connection.once('end', () => reject(Object.assign(new Error('Connection closed'), { code: 'ECONNECTION' })));
        connection.connect((error) => {
          if (error) return reject(error);
          if (options.requireTLS && !connection.secure) return reject(Object.assign(new Error(), { code: 'ETLS' }));
          // A server that trusts our address does not offer AUTH.
          if (auth && connection.allowsAuth) connection.login(auth as never, afterLogin);
          else begin();
        });
      });
    } catch (error) {
      const failure = mailErrorOf(error);
      throw new DeliveryError(isOpen ? 'refused' : 'server-away', failure.reason, failure);
    } finally {
      signal.removeEventListener('abort', end);
      connection.quit();
      setTimeout(end, QUIT_MS).unref();
    }
  }
}

/** Maximum time of a health check. */
const PROBE_MS = 3 * 60_000;

/** Time after QUIT in which the server may close the connection. */
const QUIT_MS = 1_000;

/** @param envelope with the size, which nodemailer compares with the server's announced SIZE */
function sendOver(
  connection: SMTPConnection,
  envelope: Message['envelope'] & { readonly size: number },
  message: Readable,
): Promise<string> {
  // Nodemailer emits the error of a file and leaves the stream open, where a later reader would wait for ever.
  message.on('error', (error) => message.destroy(error));
  const content = Readable.from(afterStrayReplies(message), { objectMode: false });
  content.on('error', () => undefined);
  return new Promise<string>((resolve, reject) => {
    connection.send(envelope, content, (error, info) => (error ? reject(error) : resolve(info.response)));
  }).finally(() => message.destroy());
}

/** The event loop first reads what the server has already sent after its 354: a reply that nothing asked for. */
async function* afterStrayReplies(message: Readable): AsyncIterable<Buffer> {
  for (let turns = 0; turns < 2; turns++) await nextTurn();
  yield* message;
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
  const opening = open();
  const content = await abortable(opening, signal).catch((error: unknown) => {
    void opening.then(
      (late) => late.destroy(),
      () => undefined,
    );
    throw error;
  });
  content.on('error', () => undefined);
  await once(content, 'readable', { signal });
  return content;
}
