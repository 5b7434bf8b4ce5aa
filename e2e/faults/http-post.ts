import { request } from 'node:http';

/** An answer that came in full. */
export interface Answer {
  readonly status: number;
  readonly contentType: string;
  readonly retryAfter: string | undefined;
  readonly body: string;
}

export interface EncodedBody {
  readonly contentType: string;
  readonly bytes: Buffer;
}

interface Sender {
  /** Local address to send from. */
  readonly address: string;
  readonly idempotencyKey: string;
}

/** Posts once, on a connection of its own. Resolves with undefined when no full answer came in that time. */
export function post(
  url: URL,
  { contentType, bytes }: EncodedBody,
  { address: localAddress, idempotencyKey }: Sender,
  timeoutMs: number,
): Promise<Answer | undefined> {
  return new Promise((resolve) => {
    const headers = {
      'Content-Type': contentType,
      'Content-Length': bytes.length,
      'Idempotency-Key': idempotencyKey,
      Accept: 'application/json',
    };
    const signal = AbortSignal.timeout(timeoutMs);
    const outgoing = request(url, { method: 'POST', headers, agent: false, localAddress, signal });
    outgoing.once('error', () => undefined);
    // After an answer that has been read to its end this changes nothing.
    outgoing.once('close', () => resolve(undefined));
    outgoing.once('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('error', () => undefined);
      response.once('end', () => {
        const { 'content-type': type = '', 'retry-after': retryAfter } = response.headers;
        const body = Buffer.concat(chunks).toString();
        resolve({ status: response.statusCode ?? 0, contentType: type, retryAfter, body });
      });
    });
    outgoing.end(bytes);
  });
}
