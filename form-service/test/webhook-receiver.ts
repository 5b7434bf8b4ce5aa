import { createHmac, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export const WEBHOOK_SECRET = `whsec_${randomBytes(32).toString('base64')}`;

interface Post {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A fake webhook for submissions, which can simulate faults. */
export class WebhookReceiver {
  /** All requests, accepted or not. */
  readonly posts: Post[] = [];
  /** Status of the response; `silence` for none. */
  answer: number | 'silence' = 200;
  /** Target of a redirect. */
  location = '';

  private constructor(private readonly server: Server) {}

  static async start(): Promise<WebhookReceiver> {
    const server = createServer((request, response) => {
      void text(request).then((body) => {
        receiver.posts.push({ headers: request.headers, body });
        if (receiver.answer !== 'silence')
          response.writeHead(receiver.answer, { location: receiver.location }).end('x');
      });
    }).listen(0, '127.0.0.1');
    const receiver = new WebhookReceiver(server);
    await once(server, 'listening');
    return receiver;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Settings of the service for this webhook. */
  get settings() {
    return { SUBMISSION_WEBHOOK_URL: `http://127.0.0.1:${this.port}/`, SUBMISSION_WEBHOOK_SECRET: WEBHOOK_SECRET };
  }

  get ids(): unknown[] {
    return this.posts.map(({ headers }) => headers['webhook-id']);
  }

  /** Whether a post has a current signature (Standard Webhooks). */
  isSigned({ headers, body }: Post): boolean {
    const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature } = headers;
    const key = Buffer.from(WEBHOOK_SECRET.slice('whsec_'.length), 'base64');
    const mac = createHmac('sha256', key)
      .update(`${String(id)}.${String(timestamp)}.${body}`)
      .digest('base64');
    return signature === `v1,${mac}` && Math.abs(Number(timestamp) - Date.now() / 1_000) < 300;
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}
