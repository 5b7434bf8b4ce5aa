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

/** A program that receives submissions and can be told to misbehave. */
export class WebhookReceiver {
  /** Every request, taken or not. */
  readonly posts: Post[] = [];
  /** What it answers; `silence` is no answer at all. */
  answer: number | 'silence' = 200;
  /** Where a 3xx leads. */
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

  /** What the service needs to post here. */
  get settings() {
    return { SUBMISSION_WEBHOOK_URL: `http://127.0.0.1:${this.port}/`, SUBMISSION_WEBHOOK_SECRET: WEBHOOK_SECRET };
  }

  get ids(): unknown[] {
    return this.posts.map(({ headers }) => headers['webhook-id']);
  }

  /** Whether a post is signed as Standard Webhooks say, now. */
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
