import { connect } from 'node:net';

/** What came back on one connection. */
export interface Reply {
  /** Status of every answer, in order; empty when the connection was closed without one. */
  readonly statuses: readonly number[];
  /** All that was received, as Latin-1. */
  readonly text: string;
  /** The server kept the connection open until the patience was over. */
  readonly isOpen: boolean;
}

interface Manner {
  /** Local address to send from. */
  readonly from?: string;
  /** Ends the connection at once when everything is sent, without reading. */
  readonly hangUp?: boolean;
  readonly patienceMs?: number;
}

const PATIENCE_MS = 20_000;

/** A request that gets no answer for so long is incomplete, and ended; sooner, the end would itself be taken for hanging up. */
const SILENCE_MS = 1_500;

/** Sends bytes as they are on a connection of its own and reads until the server ends it. */
export function sendRaw(
  port: number,
  bytes: string | Buffer,
  { from = '127.0.0.1', hangUp = false, patienceMs = PATIENCE_MS }: Manner = {},
): Promise<Reply> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let isOpen = true;
    const socket = connect({ port, host: '127.0.0.1', localAddress: from, allowHalfOpen: true });
    const timer = setTimeout(() => socket.destroy(), patienceMs);
    socket.setTimeout(SILENCE_MS, () => socket.end());
    const finish = () => {
      clearTimeout(timer);
      const text = Buffer.concat(chunks).toString('latin1');
      resolve({
        statuses: [...text.matchAll(/^HTTP\/1\.[01] (\d{3}) /gm)].map(([, status]) => Number(status)),
        text,
        isOpen,
      });
    };
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.once('end', () => {
      isOpen = false;
      socket.destroy();
    });
    socket.once('error', () => {
      isOpen = false;
    });
    socket.once('close', finish);
    socket.write(Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes, 'latin1'), () => hangUp && socket.destroy());
  });
}

/** A request with these lines in its head, in this order, whatever they say. */
export function requestOf(line: string, headers: readonly string[], body = ''): string {
  return [line, ...headers, '', body].join('\r\n');
}
