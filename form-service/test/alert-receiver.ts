import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { AlertPost } from '../src/alerts/alert-webhook.ts';

/** A fake webhook for alerts, which can reject them. */
export class AlertReceiver {
  /** Accepted alerts. */
  readonly posts: AlertPost[] = [];
  /** Kinds of rejected alerts. */
  readonly refused: string[] = [];
  /** Status of the response by kind; 200 by default. */
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

  /** Returns the latest state of a kind. */
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
