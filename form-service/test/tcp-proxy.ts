import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/**
 * A TCP proxy on 127.0.0.1 whose new connections lead to another server after a switch, like a DNS name or a virtual
 * address. Open connections keep their target, as in a failover.
 */
export class TcpProxy {
  /** Port of this machine to which new connections lead. */
  target: number;
  private readonly server: Server;
  /** Open connections of clients with their targets. */
  private readonly targets = new Map<Socket, number>();

  private constructor(target: number) {
    this.target = target;
    this.server = createServer((client) => this.join(client));
  }

  static async start(target: number): Promise<TcpProxy> {
    const proxy = new TcpProxy(target);
    proxy.server.listen(0, '127.0.0.1');
    await once(proxy.server, 'listening');
    return proxy;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Returns the number of open connections to a server. */
  connectionsTo(port: number): number {
    return [...this.targets.values()].filter((target) => target === port).length;
  }

  async stop(): Promise<void> {
    for (const client of this.targets.keys()) client.destroy();
    this.server.close();
    await once(this.server, 'close');
  }

  private join(client: Socket): void {
    const server = connect(this.target, '127.0.0.1');
    this.targets.set(client, this.target);
    client.once('close', () => this.targets.delete(client));
    for (const [from, to] of [[client, server] as const, [server, client] as const]) {
      from.on('error', () => to.destroy());
      from.once('close', () => to.destroy());
      from.pipe(to);
    }
  }
}
