import { connect } from 'node:net';

/** What came back on one connection. */
export interface RawReply {
  /** Status of every final answer, in order; empty when the connection was closed without one. */
  readonly statuses: readonly number[];
  /** All that was received, as Latin-1. */
  readonly text: string;
  /** The server kept the connection open until the patience was over. */
  readonly isOpen: boolean;
}

/** Far longer than any limit of nginx or the service. */
const PATIENCE_MS = 90_000;

/** A request that gets no answer for so long is taken for incomplete, and ended. */
const SILENCE_MS = 1_500;

/** A request with these lines in its head, in this order, whatever they say. */
export const rawRequest = (line: string, headers: readonly string[], body = ''): string =>
  [line, ...headers, '', body].join('\r\n');

/**
 * Sends bytes as they are, text as Latin-1, on a connection of its own, and reads until the server ends it.
 *
 * @param silenceMs the time without an answer after which this end is closed, Infinity for never. The server takes that
 * for hanging up, so whoever wants the answers of complete requests gives a busy server more than it can need
 */
export function sendRaw(port: number, request: string | Buffer, silenceMs = SILENCE_MS): Promise<RawReply> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let isOpen = true;
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    const timer = setTimeout(() => socket.destroy(), PATIENCE_MS);
    const closed = () => {
      isOpen = false;
      socket.destroy();
    };
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.once('end', closed).once('error', closed);
    socket.once('close', () => {
      clearTimeout(timer);
      const text = Buffer.concat(chunks).toString('latin1');
      const statuses = [...text.matchAll(/^HTTP\/1\.[01] (\d{3}) /gm)].map(([, status]) => Number(status));
      resolve({ statuses: statuses.filter((status) => status !== 100), text, isOpen });
    });
    if (silenceMs < Infinity) socket.setTimeout(silenceMs, () => socket.end());
    socket.write(typeof request === 'string' ? Buffer.from(request, 'latin1') : request);
  });
}
