import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** The scanner gave no verdict: it is away or overloaded, or it refuses the file. The message is a code alone. */
export class ScannerUnavailableError extends Error {
  override readonly name = 'ScannerUnavailableError';
}

const CONNECT_MS = 5_000;

/** The daemon may be silent for this long; it says nothing while it scans. */
const SILENCE_MS = 60_000;

/** A reply is one short line, so whatever sends more is not clamd. */
const REPLY_MAX_BYTES = 4_096;

/** A client for clamd's protocol (clamd(8), "COMMANDS"): one connection, one command, one reply that ends in NUL. */
export class ClamdClient {
  private readonly address: { host: string; port: number } | { path: string };

  /** @param url `tcp://host:port` or `unix:/path/to/socket` */
  constructor(url: string) {
    this.address = url.startsWith('unix:') ? { path: url.slice('unix:'.length).replace(/^\/\//, '') } : tcpAddress(url);
  }

  /** @throws ScannerUnavailableError */
  async ping(): Promise<void> {
    const reply = await this.command('PING');
    if (reply !== 'PONG') throw new ScannerUnavailableError('unexpected reply');
  }

  /**
   * Scans a stream.
   *
   * @returns the name of the malware, or undefined when there is none
   * @throws ScannerUnavailableError
   */
  async scan(content: Readable): Promise<string | undefined> {
    const reply = await this.command('INSTREAM', content);
    if (reply === 'stream: OK') return undefined;
    const finding = /^stream: (.+) FOUND$/.exec(reply)?.[1];
    if (!finding) throw new ScannerUnavailableError(reply.includes('size limit') ? 'size limit' : 'unexpected reply');
    return finding;
  }

  private async command(name: string, content?: Readable): Promise<string> {
    try {
      const socket = await this.open();
      try {
        const reply = replyOf(socket);
        // The reply may come before everything is sent, for instance when the file is too large. Then the reply counts.
        reply.catch(() => undefined);
        socket.write(`z${name}\0`);
        if (content) await pipeline(content, inChunks, socket, { end: false }).catch(() => undefined);
        return await reply;
      } finally {
        socket.destroy();
      }
    } catch (error) {
      if (error instanceof ScannerUnavailableError) throw error;
      throw new ScannerUnavailableError((error as NodeJS.ErrnoException).code ?? 'connection closed');
    } finally {
      content?.destroy();
    }
  }

  private async open(): Promise<Socket> {
    const socket = connect(this.address);
    socket.setTimeout(CONNECT_MS, () => socket.destroy(new ScannerUnavailableError('ETIMEDOUT')));
    await once(socket, 'connect');
    socket.setTimeout(SILENCE_MS);
    return socket;
  }
}

function tcpAddress(url: string): { host: string; port: number } {
  const { hostname, port } = new URL(url);
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 3310) };
}

/** Prefixes each chunk with its length, and ends with a chunk of length 0. */
async function* inChunks(content: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  for await (const chunk of content) yield Buffer.concat([lengthOf(chunk), chunk]);
  yield lengthOf(Buffer.alloc(0));
}

function lengthOf(chunk: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(chunk.length);
  return length;
}

async function replyOf(socket: Socket): Promise<string> {
  let reply = '';
  for await (const chunk of socket) {
    reply += String(chunk);
    if (reply.includes('\0') || reply.length > REPLY_MAX_BYTES) break;
  }
  if (!reply.includes('\0')) throw new ScannerUnavailableError('connection closed');
  return reply.slice(0, reply.indexOf('\0'));
}
