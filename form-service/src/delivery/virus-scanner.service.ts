import { once } from 'node:events';
import { connect, type NetConnectOpts, type Socket } from 'node:net';
import { addAbortSignal, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, type Settings } from '../settings/settings.ts';
import { StorageUnavailableError } from '../database/storage-unavailable.error.ts';
import { DeliveryError } from '../outbox/attempt.ts';

const CONNECT_MS = 5_000;

/** Longest silence of the daemon, which sends nothing while it scans. */
const SILENCE_MS = 60_000;

/** Maximum size of a reply, which is one short line. A server that sends more is not clamd. */
const REPLY_MAX_BYTES = 4_096;

/**
 * Scans a résumé before it is mailed, if `CLAMD_URL` is set. In clamd's protocol (clamd(8), "COMMANDS") a connection has
 * one command and one reply, which ends in NUL.
 */
@Injectable()
export class VirusScanner {
  silenceMs = SILENCE_MS;
  private readonly address: NetConnectOpts | undefined;

  constructor(@Inject(SETTINGS) { CLAMD_URL }: Pick<Settings, 'CLAMD_URL'>) {
    this.address = CLAMD_URL ? scannerAddress(CLAMD_URL) : undefined;
  }

  get isEnabled(): boolean {
    return this.address !== undefined;
  }

  /** @throws DeliveryError if the scanner is enabled and unavailable */
  async ping(): Promise<void> {
    const reply = await this.command('PING');
    if (reply !== 'PONG') throw unavailable('unexpected reply');
  }

  /**
   * Scans a file, and destroys its stream.
   *
   * @param signal ends the scan
   * @returns the name of the malware, or undefined for a clean file
   * @throws DeliveryError if the scanner is unavailable, overloaded, or rejects the file; StorageUnavailableError
   */
  async scan(content: Readable, signal?: AbortSignal): Promise<string | undefined> {
    const reply = await this.command('INSTREAM', content, signal);
    if (reply === 'stream: OK') return undefined;
    const finding = /^stream: (.+) FOUND$/.exec(reply)?.[1];
    if (!finding) throw unavailable(reply.includes('size limit') ? 'size limit' : 'unexpected reply');
    return finding;
  }

  private async command(name: string, content?: Readable, signal?: AbortSignal): Promise<string> {
    const socket = connect(this.address ?? { path: '' });
    // An error after the end of the command has no effect.
    socket.on('error', () => undefined);
    if (signal) addAbortSignal(signal, socket);
    socket.setTimeout(CONNECT_MS, () => socket.destroy(unavailable('ETIMEDOUT')));
    try {
      await once(socket, 'connect');
      socket.setTimeout(this.silenceMs);
      const reply = readReply(socket);
      // The reply may come before the whole file is sent, for instance if the file is too large. It counts.
      reply.catch(() => undefined);
      socket.write(`z${name}\0`);
      if (content) await pipeline(content, inChunks, socket, { end: false }).catch(() => undefined);
      // Without the end of the file the daemon gives no verdict, which is not the daemon's fault.
      if (content?.errored instanceof StorageUnavailableError) throw content.errored;
      return await reply;
    } catch (error) {
      if (error instanceof DeliveryError || error instanceof StorageUnavailableError) throw error;
      throw unavailable((error as NodeJS.ErrnoException).code ?? 'connection closed');
    } finally {
      socket.destroy();
      content?.destroy();
    }
  }
}

const unavailable = (code: string) => new DeliveryError('scanner', `scanner: ${code}`);

/** @param url `tcp://host:port` or `unix:/path/to/socket` */
function scannerAddress(url: string): NetConnectOpts {
  if (url.startsWith('unix:')) return { path: url.slice('unix:'.length).replace(/^\/\//, '') };
  const { hostname, port } = new URL(url);
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 3310) };
}

/** Prefixes each chunk with its length, and ends with a chunk of length 0. */
async function* inChunks(content: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  const length = Buffer.alloc(4);
  for await (const chunk of content) {
    length.writeUInt32BE(chunk.length);
    yield Buffer.concat([length, chunk]);
  }
  yield Buffer.alloc(4);
}

async function readReply(socket: Socket): Promise<string> {
  let reply = '';
  for await (const chunk of socket) {
    reply += String(chunk);
    if (reply.includes('\0') || reply.length > REPLY_MAX_BYTES) break;
  }
  if (!reply.includes('\0')) throw unavailable('connection closed');
  return reply.slice(0, reply.indexOf('\0'));
}
