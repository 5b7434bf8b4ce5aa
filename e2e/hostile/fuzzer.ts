import { pdf } from '../../form-service/test/corpus/pdf.ts';
import { Random } from '../faults/random.ts';
import { GOOD_APPLICATION, GOOD_CONTACT, MARKER, type Target } from './hostile-case.ts';
import { requestOf, sendRaw } from './wire.ts';

const AT_ONCE = 16;
const ADDRESSES = 200;

/** Pieces that parsers are known to trip over. */
const TOKENS = [
  '\0',
  '\r\n',
  '\r\n\r\n',
  '\n',
  '%00',
  '%',
  '&',
  '=',
  '[]',
  '{',
  '}',
  '"',
  '\\',
  '\\u0000',
  '\\ud800',
  '../',
  '__proto__',
  '\xff\xfe',
  '\xed\xa0\x80',
  ';',
  ':',
  '--',
  'chunked',
  '-1',
  '1e999',
  'A'.repeat(3_000),
] as const;

/** Of the right form, and ours in nothing. */
const TOKEN = 'mwq8hc7e.CvcBl7TMjJQ-.SL4y1BPijAIFrnToDlhmSQ';
const PROOF = Buffer.from(
  '{"challenge":{"parameters":{"cost":1,"expiresAt":9999999999,"nonce":"00","salt":"00"},"signature":"00"},"solution":{"counter":1,"derivedKey":"00"}}',
).toString('base64');

export interface FuzzResult {
  /** What went wrong; empty when every mutation got an answer below 500, or a closed connection. */
  readonly wrong: readonly string[];
  /** How often each first status came; 0 stands for a connection closed without one. */
  readonly statuses: ReadonlyMap<number, number>;
}

export async function fuzz({ port }: Target, seed: number, count: number): Promise<FuzzResult> {
  const wrong: string[] = [];
  const seen = new Map<number, number>();
  let next = 0;
  const work = async () => {
    while (next < count) {
      const number = next++;
      const from = `127.0.2.${1 + (number % ADDRESSES)}`;
      const { statuses, isOpen } = await sendRaw(port, mutationOf(seed, number), { from });
      const worst = Math.max(0, ...statuses);
      seen.set(statuses[0] ?? 0, (seen.get(statuses[0] ?? 0) ?? 0) + 1);
      if (worst >= 500 || isOpen)
        wrong.push(`mutation ${number}: ${isOpen ? 'the connection stays open' : `status ${worst}`}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return { wrong, statuses: seen };
}

/** A valid request with one to four random changes anywhere in it. */
export function mutationOf(seed: number, number: number): Buffer {
  const random = new Random(seed, `mutation ${number}`);
  let bytes: Buffer = Buffer.from(random.pick(VALID)(number), 'latin1');
  for (let changes = random.whole(1, 4); changes > 0; changes--) bytes = change(bytes, random);
  return bytes;
}

function change(bytes: Buffer, random: Random): Buffer {
  // Most of a request with a file is file: every second change goes to the beginning, where the meaning is.
  const at = random.whole(0, random.chance(0.5) ? Math.min(600, bytes.length - 1) : bytes.length - 1);
  const to = Math.min(bytes.length, at + random.whole(1, 40));
  const before = bytes.subarray(0, at);
  switch (random.whole(0, 5)) {
    case 0:
      return Buffer.concat([before, random.bytes(1), bytes.subarray(at + 1)]);
    case 1:
      return Buffer.concat([before, bytes.subarray(to)]);
    case 2:
      return Buffer.concat([before, bytes.subarray(at, to), bytes.subarray(at)]);
    case 3:
      return Buffer.concat([before, Buffer.from(random.pick(TOKENS), 'latin1'), bytes.subarray(at)]);
    case 4:
      return Buffer.concat([before, random.bytes(random.whole(1, 30)), bytes.subarray(to)]);
    default:
      return before.length > 20 ? before : bytes;
  }
}

const VALID: readonly [(number: number) => string, ...((number: number) => string)[]] = [
  (number) => post('/api/contact', 'application/json', JSON.stringify(GOOD_CONTACT), number),
  (number) =>
    post('/api/contact', 'application/x-www-form-urlencoded', new URLSearchParams(GOOD_CONTACT).toString(), number),
  (number) => post('/api/resume', 'multipart/form-data; boundary=fuzz', multipart(), number),
  () =>
    requestOf('GET /api/form-token HTTP/1.1', [
      'Host: a',
      'Connection: close',
      `Cookie: a=${MARKER}`,
      `If-None-Match: "${MARKER}"`,
    ]),
  () =>
    requestOf(`GET /services/web-development?name=${MARKER} HTTP/1.1`, [
      'Host: a',
      'Connection: close',
      `Referer: http://a/${MARKER}`,
      'Accept-Encoding: br',
    ]),
];

function post(path: string, type: string, body: string, number: number): string {
  const headers = [
    'Host: a',
    'Connection: close',
    'Accept: application/json',
    `User-Agent: ${MARKER}`,
    `Idempotency-Key: fuzz-${number}-${MARKER}`,
    `Form-Token: ${TOKEN}`,
    `Form-Proof: ${PROOF}`,
  ];
  return requestOf(
    `POST ${path}?${MARKER} HTTP/1.1`,
    [...headers, `Content-Type: ${type}`, `Content-Length: ${body.length}`],
    body,
  );
}

function multipart(): string {
  const fields = Object.entries(GOOD_APPLICATION).map(
    ([name, value]) => `--fuzz\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const file = `--fuzz\r\nContent-Disposition: form-data; name="resume"; filename="${MARKER}.pdf"\r\nContent-Type: application/pdf\r\n\r\n${pdf(2_000).toString('latin1')}\r\n`;
  return `${fields.join('')}${file}--fuzz--\r\n`;
}
