import { Readable } from 'node:stream';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import { abortable, type DeliveryError } from '../outbox/attempt.ts';
import { mailErrorOf } from './mail-error.ts';

/** Time limits, in milliseconds. */
const LIMITS = {
  /** Servers delay the greeting to detect bots: Postfix by 6 s, others by up to 30 s. */
  greeting: 40_000,
  /** A step without progress, until the server has all of the message. Everything up to the greeting is one step. */
  step: 60_000,
  /** Reply to the whole message. A retry before it delivers twice (RFC 5321, 4.5.3.2.6). */
  dot: 10 * 60_000,
  /** Reply to QUIT. */
  quit: 1_000,
};

type Options = SMTPConnection.Options & { readonly auth?: SMTPConnection.AuthenticationType | undefined };

/** Methods with user and password that nodemailer has. Some servers write `AUTH=`. */
const PASSWORD_LOGIN = /^250[ -]AUTH[ =](?:.*[ =])?(?:PLAIN|LOGIN|CRAM-MD5)\b/im;

/** A session with the mail server, for one message. Its connection ends at the first error, and when the signal aborts. */
export class SmtpSession {
  private readonly connection: SMTPConnection;
  private readonly ended = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  /** Whether the message has been read to its end, so that a reply can be the reply to it. */
  private isRead = false;
  /** Reply to EHLO, which lists the extensions of the server. */
  private extensions = '';

  private constructor(options: Options, signal: AbortSignal) {
    this.connection = new SMTPConnection({
      ...options,
      connectionTimeout: LIMITS.step,
      greetingTimeout: LIMITS.greeting,
      // The server must not receive the rest of the buffer of a connection that we end.
      socketCloseTimeout: 0,
    });
    this.connection.once('error', (error) => this.end(error));
    // An error of the command itself comes after this event.
    this.connection.once('end', () => setImmediate(() => this.end(errorOf('ECONNECTION'))));
    const abort = () => this.end(signal.reason as Error);
    signal.addEventListener('abort', abort, { signal: this.ended.signal });
    if (signal.aborted) abort();
  }

  /**
   * Connects, and logs in if the server offers it. A server that trusts our address does not.
   *
   * @throws DeliveryError of the kind `server-away`
   */
  static async open({ auth, ...options }: Options, signal: AbortSignal): Promise<SmtpSession> {
    const session = new SmtpSession(options, signal);
    const { connection } = session;
    try {
      await session.step((done) => connection.connect(done));
      session.extensions = String(connection.lastServerResponse);
      if (auth && connection.allowsAuth) {
        if (!PASSWORD_LOGIN.test(session.extensions)) throw errorOf('EAUTH');
        await session.step((done) => connection.login(auth, done));
      }
      return session;
    } catch (error) {
      throw session.fail(error as Error, 'server-away');
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
      // Nodemailer would send such an address all the same (RFC 6531 forbids it).
      const isAscii = /^[\x20-\x7e]*$/.test([envelope.from, envelope.to].flat().join(' '));
      if (!isAscii && !/^250[ -]SMTPUTF8\b/im.test(this.extensions)) throw errorOf('ESMTPUTF8');
      const { response } = await this.step<SMTPConnection.SentMessageInfo>((done) =>
        this.connection.send(envelope, content, done),
      );
      if (!this.isRead) throw errorOf('EPROTOCOL');
      return response;
    } catch (error) {
      throw this.fail(error as Error, 'refused');
    } finally {
      message.destroy();
    }
  }

  /** Takes leave of the server, and does not wait for its reply. */
  quit(): void {
    this.connection.quit();
    this.limit('quit');
  }

  /** Reads the message, if the server asks for it. Nodemailer also takes any other positive reply to DATA for a yes. */
  private async *read(message: Readable): AsyncIterable<Buffer> {
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
  private limit(phase: 'step' | 'dot' | 'quit'): void {
    clearTimeout(this.timer);
    if (!this.ended.signal.aborted) this.timer = setTimeout(() => this.end(errorOf('ETIMEDOUT')), LIMITS[phase]);
  }

  private fail(error: Error, kind: 'server-away' | 'refused'): DeliveryError {
    this.end(error);
    return mailErrorOf(error, kind);
  }

  private end(reason: Error): void {
    clearTimeout(this.timer);
    this.ended.abort(reason);
    this.connection.close();
  }
}

const errorOf = (code: string): Error => Object.assign(new Error(code), { code });
