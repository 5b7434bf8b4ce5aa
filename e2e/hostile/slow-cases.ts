import { connect } from 'node:net';
import { expectAnswer, GOOD_CONTACT, MARKER, postJson, type HostileCase, type Target } from './hostile-case.ts';
import { requestOf } from './wire.ts';

/** nginx gives a head 10 s in all and a body 15 s from one piece to the next; a busy machine gets as much again, and more. */
const PATIENCE_MS = 60_000;
const DRIP_MS = 500;
const CONNECTIONS = 30;

const HEAD = requestOf('POST /api/contact HTTP/1.1', ['Host: a', `X-Thing: ${MARKER.repeat(100)}`]);
const BODY = JSON.stringify(GOOD_CONTACT);
const HALF = requestOf(
  'POST /api/contact HTTP/1.1',
  ['Host: a', 'Content-Type: application/json', `Content-Length: ${BODY.length}`],
  BODY.slice(0, 40),
);
const HALF_FILE = requestOf(
  'POST /api/resume HTTP/1.1',
  ['Host: a', 'Content-Type: multipart/form-data; boundary=slow', 'Content-Length: 500000'],
  '--slow\r\nContent-Disposition: form-data; name="resume"; filename="a.pdf"\r\nContent-Type: application/pdf\r\n\r\n%PDF-1.4',
);

export const slowCases: readonly HostileCase[] = [
  { name: 'slow: a head that comes by the byte', run: (target) => ended(target, HEAD, 1) },
  { name: 'slow: a body that stops half way', run: (target) => ended(target, HALF, HALF.length) },
  { name: 'slow: a file that stops half way', run: (target) => ended(target, HALF_FILE, HALF_FILE.length) },
  {
    name: `slow: ${CONNECTIONS} connections that hang, while somebody else is served`,
    async run(target) {
      const hanging = Array.from({ length: CONNECTIONS }, (_, index) =>
        ended(target, index % 2 ? HALF : HALF_FILE, 100_000),
      );
      const wrong = await expectAnswer(await postJson(target, BODY), [202]);
      return wrong ?? (await Promise.all(hanging)).find((one) => one !== undefined);
    },
  },
];

/** Sends some bytes at a time, as slowly as {@link DRIP_MS}, and never ends by itself: the server has to. */
function ended({ port }: Target, bytes: string, step: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    let sent = 0;
    let text = '';
    const socket = connect({ port, host: '127.0.0.1' });
    const send = () => void (sent < bytes.length && socket.write(bytes.slice(sent, (sent += step)), 'latin1'));
    const timers = [setInterval(send, DRIP_MS), setTimeout(() => finish('the connection stays open'), PATIENCE_MS)];
    const finish = (wrong?: string) => {
      for (const timer of timers) clearTimeout(timer);
      socket.destroy();
      resolve(wrong ?? (/^HTTP\/1\.1 5/m.test(text) ? `answered ${text.slice(0, 12)}` : undefined));
    };
    socket.on('connect', send);
    socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
    socket.on('error', () => undefined);
    socket.once('close', () => finish());
  });
}
