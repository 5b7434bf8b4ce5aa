import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A TCP proxy on 127.0.0.1 whose target can be switched. Open connections keep their target, as in a failover. */
export class TcpProxy {
  private readonly sockets = new Set<Socket>();
  private readonly server: Server;
  /** Port of this machine to which new connections lead. */
  target: number;

  private constructor(server: Server, target: number) {
    this.server = server;
    this.target = target;
    server.on('connection', (incoming: Socket) => {
      const outgoing = connect(this.target, '127.0.0.1');
      for (const [from, to] of [[incoming, outgoing] as const, [outgoing, incoming] as const]) {
        this.sockets.add(from);
        from.once('close', () => this.sockets.delete(from) && to.destroy());
        from.on('error', () => from.destroy());
        from.pipe(to);
      }
    });
  }

  static async start(target: number): Promise<TcpProxy> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new TcpProxy(server, target);
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Number of open connections from clients. */
  get connections(): Promise<number> {
    return new Promise((resolve, reject) =>
      this.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
    );
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
    await once(this.server, 'close');
  }
}
