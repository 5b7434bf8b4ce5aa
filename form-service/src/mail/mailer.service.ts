import { once } from 'node:events';
import { isIP } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { Inject, Injectable, Optional, type OnApplicationShutdown } from '@nestjs/common';
import { createTransport } from 'nodemailer';
import { needsStartTls } from '../config/mail-server-url.ts';
import { SETTINGS, type MailSettings } from '../config/settings.ts';
import { StorageUnavailableError } from '../database/storage-unavailable.error.ts';
import { abortable, Attempt } from '../outbox/attempt.ts';
import { ConnectionPool } from './smtp/connection-pool.ts';
import { DeliveryError } from '../outbox/failure.ts';
import { mailErrorOf } from './mail-error.ts';
import type { Mail } from './mails/mail.ts';
import { base64Octets, messageComposer, type Message } from './message.ts';
import { ServerConnections } from './smtp/server-connections.ts';
import {
  ConnectionRefused,
  KeptConnectionLost,
  SMTP_LIMITS,
  SmtpConnection,
  type SmtpLimits,
  type SmtpOptions,
} from './smtp/smtp-connection.ts';

/** Maximum number of connections from a worker to the mail server. */
export const MAIL_CONNECTIONS = 5;

/**
 * Sends messages to the mail server over a few persistent connections, signed (DKIM) if a key is configured. It logs
 * nothing.
 */
@Injectable()
export class Mailer implements OnApplicationShutdown {
  private readonly options: SmtpOptions;
  private readonly compose: ReturnType<typeof messageComposer>;
  private readonly pool: ConnectionPool;

  constructor(
    @Inject(SETTINGS) private readonly settings: MailSettings,
    @Optional() private readonly limits: SmtpLimits = SMTP_LIMITS,
    @Optional() private readonly server: ServerConnections = new ServerConnections(),
  ) {
    const { options } = createTransport(settings.SMTP_URL);
    const name = heloName(settings);
    this.compose = messageComposer(settings);
    this.options = {
      ...options,
      ...(name !== undefined && { name }),
      // The other two options would allow clear text in spite of requireTLS.
      ...(needsStartTls(settings.SMTP_URL) && { requireTLS: true, ignoreTLS: false, opportunisticTLS: false }),
      limits,
    };
    this.pool = new ConnectionPool(MAIL_CONNECTIONS, this.options, server);
  }

  /**
   * Sends a message, and resolves when the server has taken responsibility for it.
   *
   * @param attempt can end the wait for a connection, and the sending
   * @returns the server's reply, often with its message id
   * @throws DeliveryError, StorageUnavailableError, or the attempt's reason
   */
  async send(mail: Mail, attempt = new Attempt()): Promise<string> {
    const { MAIL_MAX_BYTES = Infinity } = this.settings;
    const { envelope, message } = await this.compose(mail);
    const withoutFile = await buffer(message);
    const size = withoutFile.length + base64Octets(mail.attachment?.size ?? 0);
    if (size > MAIL_MAX_BYTES) throw new DeliveryError('too-large', 'The message is larger than MAIL_MAX_BYTES.');
    return this.pool.use(attempt, async (connection) => {
      const sendOnce = () => this.sendOver(connection, mail, { ...envelope, size }, withoutFile, attempt.signal);
      try {
        return await sendOnce();
      } catch (error) {
        if (error instanceof KeptConnectionLost) return sendOnce();
        throw error;
      }
    });
  }

  /**
   * Checks that the server can be reached and accepts our login. A server that refuses one more connection while others
   * work is available.
   *
   * @throws DeliveryError of the kind `server-away`
   */
  async verify(signal = new AbortController().signal): Promise<void> {
    const probe = new SmtpConnection(this.options, this.server);
    try {
      await probe.verify(signal);
    } catch (error) {
      if (await this.isBusy(error, signal)) return;
      const { reason, refusesUs, area } = mailErrorOf(error instanceof ConnectionRefused ? error.cause : error);
      throw new DeliveryError('server-away', reason, { refusesUs, area });
    } finally {
      probe.close();
    }
  }

  /** Returns a mailer with other connections, for messages that must not wait for these or block them. */
  withOwnConnections(): Mailer {
    return new Mailer(this.settings, this.limits, this.server);
  }

  onApplicationShutdown(): void {
    this.pool.close();
  }

  /** @param envelope with the size, which is compared with the server's announced SIZE before anything is sent */
  private async sendOver(
    connection: SmtpConnection,
    mail: Mail,
    envelope: Message['envelope'] & { readonly size: number },
    withoutFile: Buffer,
    signal: AbortSignal,
  ): Promise<string> {
    const file = mail.attachment && (await openFile(mail.attachment, signal));
    const content = file ? (await this.compose(mail, file)).message : Readable.from([withoutFile]);
    // Nodemailer emits the error of a file and leaves the stream open, where a later reader would wait for ever.
    content.on('error', (error) => content.destroy(error));
    try {
      return await connection.send(envelope, content, signal);
    } catch (error) {
      // The connection ended because the file did.
      if (file?.errored instanceof StorageUnavailableError) throw file.errored;
      if (error instanceof KeptConnectionLost || (await this.isBusy(error, signal))) throw error;
      throw await this.failureOf(error instanceof ConnectionRefused ? error.cause : error, signal);
    } finally {
      content.destroy();
      // The attempt may end before the file was read to its end.
      file?.destroy();
    }
  }

  /** Whether the server refused a connection and serves others. */
  private async isBusy(error: unknown, signal: AbortSignal): Promise<boolean> {
    return error instanceof ConnectionRefused && abortable(this.server.isServing(), signal);
  }

  /** Probes the server after an error without a reply, which may be the message's fault or an outage. */
  private async failureOf(error: unknown, signal: AbortSignal): Promise<DeliveryError> {
    const failure = mailErrorOf(error);
    if (failure.kind !== 'temporary' || failure.reply) return failure;
    return this.verify(signal).then(
      () => failure,
      (outage: DeliveryError) => outage,
    );
  }
}

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
