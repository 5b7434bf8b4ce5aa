import { pdf } from '../../form-service/test/corpus/pdf.ts';
import { Random } from '../faults/random.ts';
import { GOOD_APPLICATION, GOOD_CONTACT, MARKER, requestOf, type Target } from './hostile-case.ts';
import { sendRaw } from './wire.ts';

const AT_ONCE = 16;
const ADDRESSES = 200;

/** Pieces that parsers are known to trip over. */
const TOKENS = [
  'A'.repeat(3_000),
  ...'%00 % & = [] { } " \\ \\u0000 \\ud800 ../ __proto__ ; : -- chunked -1 1e999'.split(' '),
];
const BYTES = ['\0', '\r\n', '\r\n\r\n', '\n', '\xff\xfe', '\xed\xa0\x80'];

export interface FuzzResult {
  /** What went wrong; empty when every mutation got an answer below 500, or a closed connection. */
  readonly wrong: readonly string[];
  /** How often each first status came; 0 stands for a connection closed without one. */
  readonly statuses: Readonly<Record<number, number>>;
}

export async function fuzz({ port }: Target, seed: number, count: number): Promise<FuzzResult> {
  const wrong: string[] = [];
  const seen: Record<number, number> = {};
  let next = 0;
  const work = async () => {
    while (next < count) {
      const number = next++;
      const from = `127.0.2.${1 + (number % ADDRESSES)}`;
      const { statuses, isOpen } = await sendRaw(port, mutationOf(seed, number), { from });
      const [first = 0] = statuses;
      seen[first] = (seen[first] ?? 0) + 1;
      if (isOpen) wrong.push(`mutation ${number}: the connection stays open`);
      if (statuses.some((status) => status >= 500)) wrong.push(`mutation ${number}: status ${statuses.join()}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return { wrong, statuses: seen };
}

/** A valid request with one to four random changes anywhere in it. */
function mutationOf(seed: number, number: number): Buffer {
  const random = new Random(seed, `mutation ${number}`);
  let bytes: Buffer = Buffer.from(random.pick(VALID)(number), 'latin1');
  for (let changes = random.pick([1, 2, 3, 4]); changes > 0; changes--) bytes = change(bytes, random);
  return bytes;
}

function change(bytes: Buffer, random: Random): Buffer {
  // Most of a request with a file is file: every second change goes to the beginning, where the meaning is.
  const at = Math.floor(random.between(0, random.chance(0.5) ? Math.min(600, bytes.length) : bytes.length));
  const to = Math.min(bytes.length, at + Math.ceil(random.between(0, 40)));
  const [before, removed, after] = [bytes.subarray(0, at), bytes.subarray(at, to), bytes.subarray(to)];
  const token = Buffer.from(random.pick([...BYTES, ...TOKENS] as [string]), 'latin1');
  const noise = Buffer.from(Array.from({ length: removed.length }, () => random.between(0, 256)));
  const changed: [Buffer, ...Buffer[]] = [
    Buffer.concat([before, noise, after]),
    Buffer.concat([before, after]),
    Buffer.concat([before, removed, removed, after]),
    Buffer.concat([before, token, removed, after]),
    before.length > 20 ? before : bytes,
  ];
  return random.pick(changed);
}

const VALID: readonly [(number: number) => string, ...((number: number) => string)[]] = [
  (number) => post('/api/contact', 'application/json', JSON.stringify(GOOD_CONTACT), number),
  (number) => post('/api/contact', 'application/x-www-form-urlencoded', `${new URLSearchParams(GOOD_CONTACT)}`, number),
  (number) => post('/api/resume', 'multipart/form-data; boundary=fuzz', multipart(), number),
  () => get('/api/form-token', [`Cookie: a=${MARKER}`, `If-None-Match: "${MARKER}"`]),
  () => get(`/services/web-development?name=${MARKER}`, [`Referer: http://a/${MARKER}`, 'Accept-Encoding: br']),
];

const get = (path: string, headers: readonly string[]) =>
  requestOf(`GET ${path} HTTP/1.1`, ['Host: a', 'Connection: close', ...headers]);

function post(path: string, type: string, body: string, number: number): string {
  const headers = `Host: a
Connection: close
Accept: application/json
User-Agent: ${MARKER}
Idempotency-Key: fuzz-${number}-${MARKER}
Form-Token: mwq8hc7e.CvcBl7TMjJQ-.SL4y1BPijAIFrnToDlhmSQ
Content-Type: ${type}
Content-Length: ${body.length}`.split('\n');
  return requestOf(`POST ${path}?${MARKER} HTTP/1.1`, headers, body);
}

function multipart(): string {
  const disposition = '--fuzz\r\nContent-Disposition: form-data; name=';
  const fields = Object.entries(GOOD_APPLICATION).map(([name, value]) => `${disposition}"${name}"\r\n\r\n${value}\r\n`);
  const file = `${disposition}"resume"; filename="${MARKER}.pdf"\r\nContent-Type: application/pdf\r\n\r\n${pdf(2_000).toString('latin1')}\r\n`;
  return `${fields.join('')}${file}--fuzz--\r\n`;
}
