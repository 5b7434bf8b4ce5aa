import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type SMTPConnection from 'nodemailer/lib/smtp-connection/index.js';
import type { ServerConnections } from './server-connections.ts';
import { SmtpClient } from './smtp-client.ts';

/** Time limits of a connection to the mail server, in milliseconds. */
export const SMTP_LIMITS = {
  /** Short, so that an unavailable server is noticed at once. */
  connect: 5_000,
  /** Servers delay the greeting to detect bots: Postfix by 6 s, others by up to 30 s. */
  greeting: 40_000,
  /** Each reply up to the final dot, and silence. The server has accepted nothing yet, so a retry is safe. */
  reply: 2 * 60_000,
  /** The reply to the final dot. A retry that is too early delivers twice (RFC 5321, 4.5.3.2.6). */
  finalDot: 10 * 60_000,
  /** An unused connection is closed before a firewall forgets it. */
  idle: 20_000,
  /** All replies to a health check together. */
  probe: 3 * 60_000,
  /** Rest of a connection that the server refused while others work. */
  refused: 30_000,
  /** Wait after QUIT for the server to close the connection, so that it does not count a next one in addition. */
  quit: 1_000,
} as const;
export type SmtpLimits = { readonly [Stage in keyof typeof SMTP_LIMITS]: number };

/** TCP keepalive detects a dead server within a minute, also during the wait for the final reply. */
const KEEP_ALIVE_MS = 30_000;

/** Maximum number of messages over one connection; some servers allow no more. */
const MESSAGES_MAX = 100;

export interface SmtpOptions extends SMTPConnection.Options {
  readonly limits: SmtpLimits;
}

/** The server had closed a persistent connection before the message was sent. A retry on a new connection is safe. */
export class KeptConnectionLost extends Error {}

/**
 * The server refused the connection, or ended it before the first message. If other connections work, it allows no more
 * of them at the moment. The cause is the error of nodemailer.
 */
export class ConnectionRefused extends Error {}

/** One connection to the mail server, opened for the first message and kept for the next. */
export class SmtpConnection {
  private socket: Socket | undefined;
  private client: SmtpClient | undefined;
  private failure = failureOfConnection();
  private idle: NodeJS.Timeout | undefined;
  private messages = 0;
  private isInUse = false;

  constructor(
    private readonly options: SmtpOptions,
    private readonly server: ServerConnections,
  ) {}

  get isOpen(): boolean {
    return this.client !== undefined;
  }

  /**
   * Sends one message.
   *
   * @param content read only after the server has accepted the envelope
   * @param signal ends the sending: nothing more of the message reaches the server
   * @returns the server's reply to the final dot
   * @throws KeptConnectionLost, ConnectionRefused, the signal's reason, or the error of nodemailer
   */
  async send(
    envelope: SMTPConnection.Envelope,
    content: Iterable<Buffer> | AsyncIterable<Buffer>,
    signal: AbortSignal,
  ): Promise<string> {
    const isKept = this.isOpen;
    const read = { isBegun: false };
    const message = Readable.from(this.watched(content, read), { objectMode: false });
    message.on('error', () => undefined);
    try {
      const reply = await this.use(signal, (client) => {
        client.limitSilence(this.options.limits.reply);
        return new Promise<string>((resolve, reject) => {
          client.send(envelope, message, (error, info) => {
            if (!error) return resolve(info.response);
            // Nodemailer reads the rest of a message that was refused.
            message.destroy();
            reject(error);
          });
        });
      });
      this.messages += 1;
      if (this.messages >= MESSAGES_MAX) this.close();
      return reply;
    } catch (error) {
      const isLost = error instanceof ConnectionRefused || isEndOfConnection(error);
      if (isKept && !read.isBegun && isLost) throw new KeptConnectionLost();
      throw error;
    } finally {
      message.destroy();
    }
  }

  /** Connects and logs in. @throws ConnectionRefused, the signal's reason, or the error of nodemailer */
  async verify(signal: AbortSignal): Promise<void> {
    const timer = setTimeout(() => this.fail(transportError('Timeout', 'ETIMEDOUT')), this.options.limits.probe);
    try {
      await this.use(signal, async () => undefined);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Ends the connection with QUIT, or at once while a message is in progress. */
  close(): void {
    if (this.isInUse) return this.fail(transportError('Connection closed', 'ECLOSED'));
    const { client, socket } = this;
    this.forget();
    if (!client || !socket || socket.destroyed) return;
    this.server.set(socket, 'closing');
    const late = setTimeout(() => socket.destroy(), this.options.limits.quit).unref();
    socket.once('close', () => clearTimeout(late));
    client.quit();
  }

  /** Does work on an open connection, which is kept for the next message only if the work succeeds. */
  private async use<T>(signal: AbortSignal, work: (client: SmtpClient) => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    const abort = () => this.fail(signal.reason as Error);
    signal.addEventListener('abort', abort);
    const { promise: failed } = this.failure;
    clearTimeout(this.idle);
    this.isInUse = true;
    let isOpened = false;
    const openAndWork = async () => {
      const client = await this.open();
      isOpened = true;
      return work(client);
    };
    try {
      const result = await Promise.race([openAndWork(), failed]);
      this.idle = setTimeout(() => this.close(), this.options.limits.idle).unref();
      return result;
    } catch (error) {
      this.fail(error as Error);
      throw isRefusal(error as TransportError, isOpened) ? new ConnectionRefused('', { cause: error }) : error;
    } finally {
      this.isInUse = false;
      signal.removeEventListener('abort', abort);
    }
  }

  private async open(): Promise<SmtpClient> {
    if (this.client && this.socket) {
      this.server.set(this.socket, 'open');
      return this.client;
    }
    const { failure } = this;
    await this.server.waitForClosing();
    if (this.failure !== failure) throw transportError('Connection closed', 'ECLOSED');
    const { limits, auth, ...options } = this.options;
    const socket = (this.socket = openSocket(options));
    this.server.set(socket, 'opening');
    socket.once('close', () => this.server.delete(socket));
    await waitUntilConnected(socket, limits.connect);
    if (this.socket !== socket) throw transportError('Connection closed', 'ECLOSED');
    const { reject } = failure;
    const connection = {
      connection: socket,
      // Applies to the TLS handshake, which comes before the greeting on port 465.
      connectionTimeout: limits.greeting,
      greetingTimeout: limits.greeting,
      socketTimeout: limits.reply,
    };
    const client = (this.client = new SmtpClient({ ...options, ...connection }, limits));
    client.on('error', reject);
    // The server may also end a connection that is not in use.
    client.on('end', () => {
      reject(transportError('Connection closed unexpectedly', 'ECONNECTION'));
      // Ends its timers.
      client.close();
      if (this.client === client) this.forget();
    });
    await new Promise<void>((resolve) => client.connect(() => resolve()));
    if (options.requireTLS && !client.secure) throw transportError('Connection not encrypted', 'ETLS');
    if (auth && client.allowsAuth) await logIn(client, auth);
    this.server.set(socket, 'open');
    this.messages = 0;
    return client;
  }

  /** Records that the content is being read. */
  private async *watched(
    content: Iterable<Buffer> | AsyncIterable<Buffer>,
    read: { isBegun: boolean },
  ): AsyncIterable<Buffer> {
    // The event loop reads what the server has already sent after its 354: a reply that nothing asked for.
    await nextTurn();
    await nextTurn();
    read.isBegun = true;
    yield* content;
  }

  /** Ends the connection at once, with the message. */
  private fail(error: Error): void {
    this.failure.reject(error);
    if (this.socket) this.server.delete(this.socket);
    this.socket?.destroy();
    this.client?.close();
    this.forget();
  }

  private forget(): void {
    clearTimeout(this.idle);
    this.socket = this.client = undefined;
    this.failure = failureOfConnection();
  }
}

/** A promise that rejects with the fault of a connection, also while nothing waits for it. */
function failureOfConnection(): { readonly promise: Promise<never>; readonly reject: (error: Error) => void } {
  let reject: (error: Error) => void = () => undefined;
  const promise = new Promise<never>((_, fail) => (reject = fail));
  promise.catch(() => undefined);
  return { promise, reject };
}

/**
 * Opens the socket with Nagle's algorithm off, for which nodemailer has no option: it would hold the last lines of each
 * message back until the server acknowledges the lines before, 40 ms on most systems.
 */
function openSocket({ host = 'localhost', port, secure }: SMTPConnection.Options): Socket {
  // The standard ports, if the URL has none (RFC 8314, 7.3; RFC 6409, 3.1).
  const address = { host, port: port ?? (secure ? 465 : 587) };
  return connect({ ...address, noDelay: true, keepAlive: true, keepAliveInitialDelay: KEEP_ALIVE_MS });
}

/** Waits until the socket is connected. Errors have the codes that nodemailer gives them. */
async function waitUntilConnected(socket: Socket, limitMs: number): Promise<void> {
  const late = setTimeout(() => socket.destroy(transportError('Connection timeout', 'ETIMEDOUT')), limitMs);
  try {
    await once(socket, 'connect');
  } catch (error) {
    // A name with several addresses has one error for each.
    const [cause = error] = error instanceof AggregateError ? (error.errors as unknown[]) : [];
    const isUnknownName = (cause as NodeJS.ErrnoException).syscall === 'getaddrinfo';
    throw Object.assign(cause as Error, isUnknownName && { code: 'EDNS' });
  } finally {
    clearTimeout(late);
  }
}

function logIn(client: SmtpClient, auth: SMTPConnection.AuthenticationType): Promise<void> {
  return new Promise((resolve, reject) => {
    client.login(auth as never, (error) => (error ? reject(error) : resolve()));
  });
}

const transportError = (message: string, code: string) => Object.assign(new Error(message), { code, command: 'CONN' });

/** Codes of a connection that ended, or whose end the server announced (421). */
const END_CODES = new Set(['ECONNECTION', 'ESOCKET', 'ETIMEDOUT', 'EPROTOCOL']);

type TransportError = Partial<SMTPConnection.SMTPError> & { readonly errno?: number };

/** A reply that is neither an acceptance nor a rejection belongs to another command. */
function isEndOfConnection(error: unknown): boolean {
  const { code = '', responseCode, response = '' } = error as TransportError;
  return END_CODES.has(code) || responseCode === 421 || (response !== '' && !/^[45]\d\d/.test(response));
}

/** Codes of a server that accepts no connection, or ends it before its greeting. Network errors have a number. */
const REFUSAL_CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'ECONNECTION']);

function isRefusal(error: TransportError, isOpened: boolean): boolean {
  const { code = '', errno, responseCode, command, message = '' } = error;
  if (isOpened) return responseCode === 421 && command === 'MAIL FROM';
  if (responseCode) return responseCode >= 400 && responseCode < 500;
  const isReset = code === 'ESOCKET' && (errno !== undefined || /disconnected before secure/.test(message));
  return REFUSAL_CODES.has(code) || isReset;
}
