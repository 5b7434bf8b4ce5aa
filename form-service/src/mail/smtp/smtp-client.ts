import type { Duplex } from 'node:stream';
import SMTPConnection from 'nodemailer/lib/smtp-connection/index.js';

/** Maximum size of a reply that is not complete. RFC 5321, 4.5.3.1.5 allows 512 octets a line. */
const REPLY_MAX_BYTES = 64 * 1024;
const REPLY_LINE_MAX = 512;

/** Maximum number of characters of a reply that errors and histories keep. */
const REPLY_KEPT = 1_000;

type Done = (error: Error | null, result?: unknown) => void;

/**
 * Private members of nodemailer, whose exact version package.json pins for them. It counts replies instead of matching
 * them to commands, and has no option for that.
 */
interface Internals {
  /** Complete replies, and the lines of an incomplete one, that no command has taken yet. */
  readonly _responseQueue: readonly string[];
  /** End of the received data after the last line break. */
  readonly _remainder: string;
  /** Handlers of the replies that are expected. */
  readonly _responseActions: ((reply: string) => void)[];
  /** Whether the connection is encrypted. */
  readonly secure: boolean;
  /** Whether the server announced AUTH. A server that trusts our address does not. */
  readonly allowsAuth: boolean;
  _onData(chunk: Buffer): void;
  _onError(error: Error, code: string, reply: string | false, command: string): void;
  _formatError(message: string | Error, code: string, reply?: string | false, command?: string): Error;
  _processResponse(): void;
  _sendCommand(command: string, logged?: string): void;
  _actionEHLO(reply: string): void;
  _actionDATA(reply: string, done: Done): void;
  _actionSMTPStream(reply: string, done: Done): void;
  _createSendStream(done: Done): Duplex;
}

const Base = SMTPConnection as unknown as new (options: SMTPConnection.Options) => SMTPConnection & Internals;

/** Time limits, in milliseconds, for the reply to a command, and for the reply to the final dot. */
interface ReplyLimits {
  readonly reply: number;
  readonly finalDot: number;
}

/* oxlint-disable no-underscore-dangle -- the private members above */

/**
 * Nodemailer's SMTP client, in which a reply belongs to the command that it answers. A reply that was received before a
 * command is written is an error, only 354 opens the content, and only a reply after the final dot accepts it.
 */
export class SmtpClient extends Base {
  private readonly limits: ReplyLimits;
  private late: NodeJS.Timeout | undefined;
  /** Whether the whole message has been handed to the operating system, the final dot included. */
  private isFlushed = false;

  constructor(options: SMTPConnection.Options, limits: ReplyLimits) {
    super(options);
    this.limits = limits;
  }

  /** Sets the time limit for silence. */
  limitSilence(ms: number): void {
    this._socket.setTimeout(ms);
  }

  override close(): void {
    clearTimeout(this.late);
    super.close();
  }

  override _onData(chunk: Buffer): void {
    const received = this._responseQueue.reduce((sum, lines) => sum + lines.length, this._remainder.length);
    if (received + chunk.length > REPLY_MAX_BYTES) return this.breakOff('Reply too long');
    super._onData(chunk);
  }

  override _processResponse(): void {
    super._processResponse();
    if (this._responseActions.length === 0) clearTimeout(this.late);
  }

  override _sendCommand(command: string, logged?: string): void {
    if (this.hasReply()) return this.breakOff('Reply without a command');
    this.limitReply(this.limits.reply);
    super._sendCommand(command, logged);
  }

  /** Nodemailer's expressions take minutes for long lines of spaces. */
  override _actionEHLO(reply: string): void {
    const lines = reply.split('\n').map((line) => line.replace(/\s+/g, ' ').slice(0, REPLY_LINE_MAX));
    super._actionEHLO(lines.join('\n'));
  }

  override _actionDATA(reply: string, done: Done): void {
    const isPositive = /^[23]/.test(reply);
    if (isPositive && !reply.startsWith('354')) return this.breakOff('Content not asked for', reply);
    if (isPositive && this.hasReply()) return this.breakOff('Reply without a command');
    super._actionDATA(reply, done);
  }

  override _createSendStream(done: Done): Duplex {
    clearTimeout(this.late);
    this.isFlushed = false;
    const content = super._createSendStream(done);
    // The callback of an empty write follows those of the writes before it.
    content.once('end', () => this._socket.write('', (error) => !error && this.markFlushed()));
    return content;
  }

  override _actionSMTPStream(reply: string, done: Done): void {
    // DATA was answered twice. The reply to the message is still to come.
    if (reply.startsWith('354')) {
      this._responseActions.unshift((next) => this._actionSMTPStream(next, done));
      return;
    }
    if (reply.startsWith('2') && !this.isFlushed) return this.breakOff('Reply before the final dot');
    super._actionSMTPStream(reply.slice(0, REPLY_KEPT), done);
  }

  override _formatError(message: string | Error, code: string, reply?: string | false, command?: string): Error {
    const error = super._formatError(message, code, reply && reply.slice(0, REPLY_KEPT), command);
    error.message = error.message.slice(0, REPLY_KEPT);
    return error;
  }

  /** Whether a reply, or a part of one, was received that no command has taken. Empty lines are none. */
  private hasReply(): boolean {
    return [...this._responseQueue, this._remainder].some((lines) => lines.trim() !== '');
  }

  private markFlushed(): void {
    this.isFlushed = true;
    this.limitSilence(this.limits.finalDot);
    this.limitReply(this.limits.finalDot);
  }

  /** Limits the time until the reply is complete, which a server could extend for ever byte by byte. */
  private limitReply(ms: number): void {
    clearTimeout(this.late);
    this.late = setTimeout(() => this._onError(new Error('Timeout'), 'ETIMEDOUT', false, 'CONN'), ms).unref();
  }

  private breakOff(message: string, reply: string | false = false): void {
    this._onError(new Error(message), 'EPROTOCOL', reply, 'CONN');
  }
}
