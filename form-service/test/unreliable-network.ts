import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Fate of a request: forwarded; cut off before the server receives it; cut off after the server has answered; or half of
 * the response body, then silence.
 */
type Fate = 'pass' | 'cut' | 'lose the answer' | 'stall';

/** A proxy between a client and a server that loses requests or responses. */
export class UnreliableNetwork {
  private seen = 0;
  private fateOf: (index: number) => Fate = () => 'pass';

  private constructor(
    private readonly server: Server,
    private readonly target: URL,
  ) {
    server.on('request', (incoming: IncomingMessage, answer: ServerResponse) => this.carry(incoming, answer));
  }

  static async start(target: string): Promise<UnreliableNetwork> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new UnreliableNetwork(server, new URL(target));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Sets the fate of each further request by its index, from 0. */
  behave(fateOf: (index: number) => Fate): void {
    this.seen = 0;
    this.fateOf = fateOf;
  }

  /** Number of requests since the last call of {@link behave}. */
  get count(): number {
    return this.seen;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private carry(incoming: IncomingMessage, answer: ServerResponse): void {
    const fate = this.fateOf(this.seen++);
    if (fate === 'cut') {
      incoming.socket.destroy();
      return;
    }
    const { method, url: path, headers } = incoming;
    const outgoing = request({
      host: this.target.hostname,
      port: this.target.port,
      method,
      path,
      headers,
      agent: false,
    });
    outgoing.once('error', () => incoming.socket.destroy());
    outgoing.once('response', (response) => {
      if (fate === 'lose the answer') {
        response.resume();
        response.once('end', () => incoming.socket.destroy());
        return;
      }
      answer.writeHead(response.statusCode ?? 502, response.headers);
      if (fate === 'stall') response.once('data', (chunk: Buffer) => answer.write(chunk.subarray(0, chunk.length / 2)));
      else response.pipe(answer);
    });
    incoming.pipe(outgoing);
  }
}
