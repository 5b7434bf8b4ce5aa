import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import { abortable } from '../outbox/attempt.ts';
import { mailErrorOf } from './mail-error.ts';

/** Time limits of a session, in milliseconds. */
export const SMTP_LIMITS = {
  /** Name lookup and connection. It is short, so that an unavailable server is noticed; a dead name server takes 5 s of it. */
  connect: 10_000,
  /** Servers delay the greeting to detect bots: Postfix by 6 s, others by up to 30 s. */
  greeting: 40_000,
  /** Time without progress, until the server has all of the message. */
  step: 60_000,
  /** Reply to the whole message. A retry before it delivers twice (RFC 5321, 4.5.3.2.6). */
  dot: 10 * 60_000,
};
export type SmtpLimits = { readonly [Phase in keyof typeof SMTP_LIMITS]: number };

/** Time after QUIT in which the server may close the connection. */
const QUIT_MS = 1_000;

/** A session with the mail server, for one message. Its connection ends at the first error, and when the signal aborts. */
export class SmtpSession {
  private readonly connection: SMTPConnection;
  private readonly ended = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  /** Whether the message has been read to its end, so that a reply can be the reply to it. */
  private isRead = false;

  private constructor(
    options: SMTPConnection.Options,
    private readonly limits: SmtpLimits,
    signal: AbortSignal,
  ) {
    this.connection = new SMTPConnection({
      ...options,
      connectionTimeout: limits.connect + limits.greeting,
      greetingTimeout: limits.greeting,
      // What is still in the buffer of a connection that we end must not reach the server.
      socketCloseTimeout: 0,
    });
    this.connection.once('error', (error) => this.end(error));
    // An error of the command itself comes after this event.
    this.connection.once('end', () => setImmediate(() => this.end(errorOf('ECONNECTION'))));
    const abort = () => this.end(signal.reason as Error);
    signal.addEventListener('abort', abort, { once: true, signal: this.ended.signal });
    if (signal.aborted) abort();
  }

  /**
   * Connects, and logs in if the server offers it. A server that trusts our address does not.
   *
   * @throws DeliveryError of the kind `server-away`
   */
  static async open(
    { auth, ...options }: SMTPConnection.Options & { readonly auth?: SMTPConnection.AuthenticationType | undefined },
    limits: SmtpLimits,
    signal: AbortSignal,
  ): Promise<SmtpSession> {
    const session = new SmtpSession(options, limits, signal);
    const { connection } = session;
    const connecting = setTimeout(
      () => connection.stage === 'init' && session.end(errorOf('ETIMEDOUT')),
      limits.connect,
    );
    try {
      await session.step((done) => connection.connect(done));
      if (auth && connection.allowsAuth) await session.step((done) => connection.login(auth, done));
      return session;
    } catch (error) {
      session.end(error as Error);
      throw mailErrorOf(error as Error, 'server-away');
    } finally {
      clearTimeout(connecting);
    }
  }

  /**
   * Sends a message. Its content is read when the server has accepted the envelope.
   *
   * @returns the reply with which the server takes responsibility
   * @throws DeliveryError of the kind `refused`
   */
  async send(envelope: SMTPConnection.Envelope, message: Readable): Promise<string> {
    message.once('error', (error) => this.end(error));
    const content = Readable.from(this.read(message), { objectMode: false });
    try {
      const { response } = await this.step<SMTPConnection.SentMessageInfo>((done) =>
        this.connection.send(envelope, content, done),
      );
      if (!this.isRead) throw errorOf('EPROTOCOL');
      return response;
    } catch (error) {
      this.end(error as Error);
      throw mailErrorOf(error as Error, 'refused');
    } finally {
      message.destroy();
    }
  }

  /** Takes leave of the server, and does not wait for its reply. */
  quit(): void {
    clearTimeout(this.timer);
    this.connection.quit();
    setTimeout(() => this.end(errorOf('ETIMEDOUT')), QUIT_MS).unref();
  }

  /** Reads the message for the server. Nodemailer also takes another positive reply to DATA than 354, and an early one to the message. */
  private async *read(message: Readable): AsyncIterable<Buffer> {
    // The event loop first reads what came together with the 354: a reply that nothing asked for.
    for (let turns = 0; turns < 2; turns++) await nextTurn();
    if (!String(this.connection.lastServerResponse).startsWith('354')) throw errorOf('EPROTOCOL');
    for await (const chunk of message) {
      this.limit('step');
      yield chunk as Buffer;
    }
    this.isRead = true;
    this.limit('dot');
  }

  /** Waits for the callback of a step, or for the end of the connection. */
  private async step<T>(begin: (done: (error?: Error | null, result?: T) => void) => void): Promise<T> {
    this.ended.signal.throwIfAborted();
    this.limit('step');
    const done = new Promise<T>((resolve, reject) =>
      begin((error, result) => (error ? reject(error) : resolve(result as T))),
    );
    return abortable(done, this.ended.signal);
  }

  /** Starts the time limit of a phase. */
  private limit(phase: 'step' | 'dot'): void {
    clearTimeout(this.timer);
    if (!this.ended.signal.aborted) this.timer = setTimeout(() => this.end(errorOf('ETIMEDOUT')), this.limits[phase]);
  }

  private end(reason: Error): void {
    clearTimeout(this.timer);
    this.ended.abort(reason);
    this.connection.close();
  }
}

const errorOf = (code: string): Error => Object.assign(new Error(code), { code });
