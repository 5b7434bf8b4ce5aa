import { request } from 'node:http';
import type { EncodedBody } from './visitors.ts';

/** An answer that came in full. */
export interface Answer {
  readonly status: number;
  readonly contentType: string;
  readonly retryAfter: string | undefined;
  readonly body: string;
}

interface Sender {
  /** Local address to send from. */
  readonly address: string;
  readonly idempotencyKey: string;
}

/** Posts once, on a connection of its own. Resolves with undefined when no full answer came in that time. */
export function post(
  url: URL,
  body: EncodedBody,
  { address, idempotencyKey }: Sender,
  timeoutMs: number,
): Promise<Answer | undefined> {
  return new Promise((resolve) => {
    const headers = {
      'Content-Type': body.contentType,
      'Content-Length': body.bytes.length,
      'Idempotency-Key': idempotencyKey,
      Accept: 'application/json',
    };
    const outgoing = request(url, {
      method: 'POST',
      headers,
      agent: false,
      localAddress: address,
      signal: AbortSignal.timeout(timeoutMs),
    });
    outgoing.once('error', () => undefined);
    // After an answer that has been read to its end this changes nothing.
    outgoing.once('close', () => resolve(undefined));
    outgoing.once('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('error', () => undefined);
      response.once('end', () => {
        const { 'content-type': contentType = '', 'retry-after': retryAfter } = response.headers;
        resolve({ status: response.statusCode ?? 0, contentType, retryAfter, body: Buffer.concat(chunks).toString() });
      });
    });
    outgoing.end(body.bytes);
  });
}
