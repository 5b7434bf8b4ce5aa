import type { Duplex } from 'node:stream';
import SMTPConnection from 'nodemailer/lib/smtp-connection/index.js';

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
  /** Whether the server announced AUTH. */
  readonly allowsAuth: boolean;
  _onError(error: Error, code: string, reply: string | false, command: string): void;
  _sendCommand(command: string, logged?: string): void;
  _actionDATA(reply: string, done: Done): void;
  _actionSMTPStream(reply: string, done: Done): void;
  _createSendStream(done: Done): Duplex;
}

const Base = SMTPConnection as unknown as new (options: SMTPConnection.Options) => SMTPConnection & Internals;

/* oxlint-disable no-underscore-dangle -- the private members above */

/**
 * Nodemailer's SMTP client, in which a reply belongs to the command that it answers. A reply that was received before a
 * command is written is an error, only 354 opens the content, and only a reply after the final dot accepts it.
 */
export class SmtpClient extends Base {
  /** Whether the whole message has been handed to the operating system, the final dot included. */
  private isFlushed = false;

  override _sendCommand(command: string, logged?: string): void {
    if (this.hasReply()) return this.breakOff('Reply without a command');
    super._sendCommand(command, logged);
  }

  override _actionDATA(reply: string, done: Done): void {
    const isPositive = /^[23]/.test(reply);
    if (isPositive && (!reply.startsWith('354') || this.hasReply()))
      return this.breakOff('Content not asked for', reply);
    super._actionDATA(reply, done);
  }

  override _createSendStream(done: Done): Duplex {
    const content = super._createSendStream(done);
    // The callback of an empty write follows those of the writes before it.
    content.once('end', () => this._socket.write('', (error) => (this.isFlushed = !error)));
    return content;
  }

  override _actionSMTPStream(reply: string, done: Done): void {
    if (reply.startsWith('2') && !this.isFlushed) return this.breakOff('Reply before the final dot');
    super._actionSMTPStream(reply, done);
  }

  /** Whether a reply, or a part of one, was received that no command has taken. Empty lines are none. */
  private hasReply(): boolean {
    return [...this._responseQueue, this._remainder].some((lines) => lines.trim() !== '');
  }

  private breakOff(message: string, reply: string | false = false): void {
    this._onError(new Error(message), 'EPROTOCOL', reply, 'CONN');
  }
}
