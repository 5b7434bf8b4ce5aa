import type { Attempt } from '../../outbox/attempt.ts';
import type { ServerConnections } from './server-connections.ts';
import { ConnectionRefused, SmtpConnection, type SmtpOptions } from './smtp-connection.ts';

/**
 * A few persistent connections to the mail server. The pool shrinks to the number of connections that the server allows:
 * a connection that the server refuses while others work rests, and is then tried again.
 */
export class ConnectionPool {
  private readonly connections: readonly SmtpConnection[];
  /** Connections that are not in use. The one used last is used next, so that no more are open than needed. */
  private free: SmtpConnection[];
  /** Connections that the server does not allow at the moment. */
  private readonly resting: SmtpConnection[] = [];
  /** Messages that wait for a connection, in order. */
  private readonly waiting: ((connection: SmtpConnection) => void)[] = [];
  private restTimer: NodeJS.Timeout | undefined;
  private readonly onClosed = () => this.isStarved && this.endOneRest();

  /** @param size maximum number of connections */
  constructor(
    size: number,
    private readonly options: SmtpOptions,
    private readonly server: ServerConnections,
  ) {
    this.connections = Array.from({ length: size }, () => new SmtpConnection(options, server));
    this.free = [...this.connections];
    server.add(this);
    server.on('closed', this.onClosed);
  }

  /**
   * Does work over a connection. If the server refuses the connection, the work waits for another one, in front of the
   * others, and this is no failure.
   */
  async use<T>(attempt: Attempt, work: (connection: SmtpConnection) => Promise<T>): Promise<T> {
    for (let isFirst = false; ; isFirst = true) {
      const connection = await this.next(attempt.signal, isFirst);
      try {
        const result = await attempt.run(() => work(connection));
        this.release(connection);
        return result;
      } catch (error) {
        if (!(error instanceof ConnectionRefused)) {
          this.release(connection);
          throw error;
        }
        this.rest(connection);
      }
    }
  }

  get isStarved(): boolean {
    return this.waiting.length > 0 && this.resting.length === this.connections.length;
  }

  closeIdle(): void {
    this.free.find(({ isOpen }) => isOpen)?.close();
  }

  close(): void {
    clearTimeout(this.restTimer);
    this.server.remove(this);
    this.server.off('closed', this.onClosed);
    for (const connection of this.connections) connection.close();
  }

  private async next(signal: AbortSignal, isFirst: boolean): Promise<SmtpConnection> {
    signal.throwIfAborted();
    const free = this.free.pop();
    if (free) return free;
    return new Promise((resolve, reject) => {
      const assign = (connection: SmtpConnection) => {
        signal.removeEventListener('abort', leave);
        resolve(connection);
      };
      const leave = () => {
        this.waiting.splice(this.waiting.indexOf(assign), 1);
        reject(signal.reason as Error);
      };
      signal.addEventListener('abort', leave, { once: true });
      if (isFirst) this.waiting.unshift(assign);
      else this.waiting.push(assign);
      if (!this.isStarved) return;
      if (this.server.isEmpty) this.endOneRest();
      else this.server.closeIdle(this);
    });
  }

  private release(connection: SmtpConnection): void {
    if (this.server.isAnotherStarved(this)) connection.close();
    const next = this.waiting.shift();
    if (next) next(connection);
    else this.free.push(connection);
  }

  /** Lets a refused connection rest, and all that are not open, because the server would refuse them too. */
  private rest(connection: SmtpConnection): void {
    this.resting.push(connection, ...this.free.filter(({ isOpen }) => !isOpen));
    this.free = this.free.filter(({ isOpen }) => isOpen);
    this.restTimer ??= setTimeout(() => this.endOneRest(), this.options.limits.refused).unref();
  }

  /** Lets one connection be tried again, so that the pool grows one by one. */
  private endOneRest(): void {
    clearTimeout(this.restTimer);
    this.restTimer = undefined;
    const connection = this.resting.shift();
    if (!connection) return;
    if (this.resting.length > 0)
      this.restTimer = setTimeout(() => this.endOneRest(), this.options.limits.refused).unref();
    const next = this.waiting.shift();
    if (next) next(connection);
    else this.free.unshift(connection);
  }
}
