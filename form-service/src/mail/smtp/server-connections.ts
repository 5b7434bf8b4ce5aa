import { EventEmitter, once } from 'node:events';
import type { Socket } from 'node:net';

/** State of a connection: `open` after the login, `closing` from our QUIT until the server has closed it. */
type State = 'opening' | 'open' | 'closing';

/** A connection that has been busy with one message for longer says nothing about the server. */
const WORKING_MS = 2 * 60_000;

/** A pool of connections, as other pools for the same server see it. */
interface Pool {
  /** Whether messages wait, and the server refused all of the pool's connections. */
  readonly isStarved: boolean;
  /** Closes an open connection that is not in use, if there is one. */
  closeIdle(): void;
}

/**
 * Connections of this process to the mail server, over all of its pools. Servers limit simultaneous connections and
 * refuse the next one as if they were unavailable. A refusal therefore means an outage only if no other connection works.
 */
export class ServerConnections extends EventEmitter<{ change: []; closed: [] }> {
  private readonly states = new Map<Socket, { readonly state: State; readonly since: number }>();
  private readonly pools = new Set<Pool>();

  constructor(private readonly workingMs = WORKING_MS) {
    super();
    this.setMaxListeners(0);
  }

  add(pool: Pool): void {
    this.pools.add(pool);
  }

  remove(pool: Pool): void {
    this.pools.delete(pool);
  }

  /** Records the state of a connection, and that it begins another message if it is open. */
  set(socket: Socket, state: State): void {
    if (socket.destroyed) return;
    this.states.set(socket, { state, since: performance.now() });
    this.emit('change');
  }

  /** Emits `closed` if the server may accept another connection instead of this one. */
  delete(socket: Socket): void {
    const { state } = this.states.get(socket) ?? {};
    if (!this.states.delete(socket)) return;
    this.emit('change');
    if (state === 'closing' || this.states.size === 0) this.emit('closed');
  }

  get isEmpty(): boolean {
    return this.states.size === 0;
  }

  /** Waits for the connections that are being closed, because the server still counts them. */
  async waitForClosing(): Promise<void> {
    while ([...this.states.values()].some(({ state }) => state === 'closing')) await once(this, 'change');
  }

  /** Whether another connection shows that the server works. Waits for those that are being opened. */
  async isServing(): Promise<boolean> {
    for (;;) {
      const connections = [...this.states.values()];
      const isWorking = ({ state, since }: (typeof connections)[number]) =>
        state === 'closing' || (state === 'open' && performance.now() - since < this.workingMs);
      if (connections.some(isWorking)) return true;
      if (!connections.some(({ state }) => state === 'opening')) return false;
      await once(this, 'change');
    }
  }

  /** Whether a pool has no connection, so that this one should close one of its own. */
  isAnotherStarved(pool: Pool): boolean {
    return [...this.pools].some((other) => other !== pool && other.isStarved);
  }

  /** Makes room for a pool that has no connection. */
  closeIdle(pool: Pool): void {
    for (const other of this.pools) if (other !== pool) other.closeIdle();
  }
}
