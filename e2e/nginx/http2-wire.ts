import { connect } from 'node:tls';

/** Types of frames (RFC 9113, 6). */
export const TYPES = {
  DATA: 0,
  HEADERS: 1,
  RST_STREAM: 3,
  SETTINGS: 4,
  PING: 6,
  GOAWAY: 7,
  WINDOW_UPDATE: 8,
  CONTINUATION: 9,
};
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

/** A text behind its length, a whole number with a prefix of seven bits (RFC 7541, 5.1). */
function text(value: string): Buffer {
  const bytes = Buffer.from(value, 'latin1');
  if (bytes.length < 127) return Buffer.concat([Buffer.of(bytes.length), bytes]);
  const rest: number[] = [];
  let left = bytes.length - 127;
  for (; left >= 128; left >>>= 7) rest.push((left & 127) | 128);
  return Buffer.concat([Buffer.of(127, ...rest, left), bytes]);
}

/** Whether the request on the first stream has its whole answer, or was refused, or the server says goodbye. */
function isAnswered(received: Buffer): boolean {
  for (let at = 0; at + 9 <= received.length; at += 9 + received.readUIntBE(at, 3)) {
    const [type, flags, stream] = [received[at + 3], received[at + 4] ?? 0, received.readUInt32BE(at + 5)];
    if (type === TYPES.RST_STREAM || type === TYPES.GOAWAY) return true;
    if (stream === 1 && (type === TYPES.DATA || type === TYPES.HEADERS) && flags & END_STREAM) return true;
  }
  return false;
}

/** Sends frames on a connection of their own and reads until they are answered, or the server falls silent. */
export function sendFrames(port: number, frames: readonly Buffer[]): Promise<Buffer> {
  return new Promise((resolve) => {
    let received = Buffer.alloc(0);
    const socket = connect({ port, host: '127.0.0.1', ALPNProtocols: ['h2'], rejectUnauthorized: false });
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      if (isAnswered(received)) socket.destroy();
    });
    socket.on('error', () => undefined);
    socket.once('close', () => resolve(received));
    socket.once('secureConnect', () => {
      socket.setTimeout(SILENCE_MS, () => socket.destroy());
      socket.write(Buffer.concat([Buffer.from(PREFACE), frame(TYPES.SETTINGS, 0, 0), ...frames]));
    });
  });
}
