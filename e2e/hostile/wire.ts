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

interface Sending {
  /** Local address to send from. */
  readonly from?: string;
  /** Ends the connection at once when everything is sent, without reading. */
  readonly hangUp?: boolean;
  /** Sends so many bytes at a time, twice a second, and never ends by itself: the server has to. */
  readonly step?: number;
}

/** nginx gives a head 10 s in all and a body 15 s from one piece to the next; a busy machine gets as much again, and more. */
const PATIENCE_MS = 60_000;
const STEP_MS = 500;

/** A request that gets no answer for so long is incomplete, and ended; sooner, the end would itself be taken for hanging up. */
const SILENCE_MS = 1_500;

/** Sends bytes as they are on a connection of its own and reads until the server ends it. */
export function sendRaw(
  port: number,
  request: string | Buffer,
  { from = '127.0.0.1', hangUp = false, step }: Sending = {},
): Promise<Reply> {
  return new Promise((resolve) => {
    const bytes = Buffer.isBuffer(request) ? request : Buffer.from(request, 'latin1');
    const chunks: Buffer[] = [];
    let isOpen = true;
    const socket = connect({ port, host: '127.0.0.1', localAddress: from, allowHalfOpen: true });
    const timers = [setTimeout(() => socket.destroy(), PATIENCE_MS)];
    if (step === undefined) socket.setTimeout(SILENCE_MS, () => socket.end());
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    const closed = () => {
      isOpen = false;
      socket.destroy();
    };
    socket.once('end', closed).once('error', closed);
    socket.once('close', () => {
      for (const timer of timers) clearTimeout(timer);
      const text = Buffer.concat(chunks).toString('latin1');
      const statuses = [...text.matchAll(/^HTTP\/1\.[01] (\d{3}) /gm)].map(([, status]) => Number(status));
      resolve({ statuses, text, isOpen });
    });
    if (step === undefined) {
      socket.write(bytes, () => hangUp && socket.destroy());
      return;
    }
    let sent = 0;
    const send = () => void (sent < bytes.length && socket.write(bytes.subarray(sent, (sent += step))));
    socket.once('connect', send);
    timers.push(setInterval(send, STEP_MS));
  });
}
