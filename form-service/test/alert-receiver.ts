import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { AlertPost } from '../src/delivery/alert-webhook.ts';

/** A program that receives alerts and can be told to refuse them. */
export class AlertReceiver {
  /** The alerts that it took. */
  readonly posts: AlertPost[] = [];
  /** The kinds of those that it refused. */
  readonly refused: string[] = [];
  /** The status that it answers a kind with; 200 where none is named. */
  statuses: Readonly<Record<string, number>> = {};

  private constructor(private readonly server: Server) {}

  static async start(): Promise<AlertReceiver> {
    const server = createServer((request, response) => {
      void json(request).then((body) => response.writeHead(receiver.statusFor(body as AlertPost)).end());
    }).listen(0, '127.0.0.1');
    const receiver = new AlertReceiver(server);
    await once(server, 'listening');
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/`;
  }

  /** The state in which a kind was last told. */
  stateOf(kind: string): AlertPost['state'] | undefined {
    return this.posts.findLast((post) => post.kind === kind)?.state;
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private statusFor(post: AlertPost): number {
    const status = this.statuses[post.kind] ?? 200;
    if (status === 200) this.posts.push(post);
    else this.refused.push(post.kind);
    return status;
  }
}
