import { connect } from 'node:net';

/** Result of one connection. */
export interface RawReply {
  /** Status of every final response, in order; empty if the connection was closed without one. */
  readonly statuses: readonly number[];
  /** All received bytes, as Latin-1. */
  readonly text: string;
  /** Whether the server kept the connection open until the time limit. */
  readonly isOpen: boolean;
}

/** Time limit, far longer than any of nginx or the service. */
const PATIENCE_MS = 90_000;

/** Time without a response after which the request is considered incomplete and ended. */
const SILENCE_MS = 1_500;

/** Builds a request from these lines, without any check. */
export const rawRequest = (line: string, headers: readonly string[], body = ''): string =>
  [line, ...headers, '', body].join('\r\n');

/**
 * Sends raw bytes (text as Latin-1) on a new connection, and reads until the server ends it.
 *
 * @param silenceMs time without a response after which this side is closed, Infinity for never. The server treats that
 *   as an abort, so a complete request needs more time than a busy server takes
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
