import { connect } from 'node:tls';

/** Types of frames (RFC 9113, 6). */
export const DATA = 0;
export const HEADERS = 1;
export const RST_STREAM = 3;
export const SETTINGS = 4;
export const PING = 6;
export const WINDOW_UPDATE = 8;
export const CONTINUATION = 9;

export const END_STREAM = 0x1;
export const END_HEADERS = 0x4;

const PREFACE = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n';

/** A server that said nothing for so long has nothing more to say. */
const SILENCE_MS = 1_000;

/** A frame with whatever is given for its parts. */
export function frame(type: number, flags: number, stream: number, payload: Buffer | string = ''): Buffer {
  const body = Buffer.from(payload);
  const head = Buffer.alloc(9);
  head.writeUIntBE(body.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, body]);
}

/** A block of header fields as they are, unpacked and unindexed (RFC 7541, 6.2.2). */
export function block(fields: readonly (readonly [name: string, value: string])[]): Buffer {
  return Buffer.concat(fields.flatMap(([name, value]) => [Buffer.of(0), text(name), text(value)]));
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value, 'latin1');
  return Buffer.concat([lengthOf(bytes.length), bytes]);
}

/** A whole number with a prefix of seven bits (RFC 7541, 5.1). */
function lengthOf(length: number): Buffer {
  if (length < 127) return Buffer.of(length);
  const rest: number[] = [];
  let left = length - 127;
  for (; left >= 128; left >>>= 7) rest.push((left & 127) | 128);
  return Buffer.of(127, ...rest, left);
}

/** Sends frames on a connection of their own and reads until the server ends it or falls silent. */
export function sendFrames(port: number, frames: readonly Buffer[]): Promise<Buffer> {
  return new Promise((resolve) => {
    const received: Buffer[] = [];
    const socket = connect({ port, host: '127.0.0.1', ALPNProtocols: ['h2'], rejectUnauthorized: false });
    socket.setTimeout(SILENCE_MS, () => socket.destroy());
    socket.on('data', (chunk: Buffer) => received.push(chunk));
    socket.on('error', () => undefined);
    socket.once('close', () => resolve(Buffer.concat(received)));
    socket.once('secureConnect', () =>
      socket.write(Buffer.concat([Buffer.from(PREFACE), frame(SETTINGS, 0, 0), ...frames])),
    );
  });
}
