import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A TCP server that accepts connections and says nothing, such as a frozen machine behind a load balancer. */
export class SilentPeer {
  /** Number of all connections so far. */
  connections = 0;
  private readonly sockets = new Set<Socket>();

  private constructor(private readonly server: Server) {
    server.on('connection', (socket) => {
      this.connections += 1;
      this.sockets.add(socket.on('error', () => undefined).resume());
    });
  }

  static async start(): Promise<SilentPeer> {
    const server = createServer();
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return new SilentPeer(server);
  }

  /** Host and port. */
  get address(): string {
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Number of connections that their clients have ended. */
  get ended(): number {
    return [...this.sockets].filter(({ destroyed }) => destroyed).length;
  }

  /** Ends all connections and listens no longer. */
  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
    await once(this.server, 'close');
  }
}
