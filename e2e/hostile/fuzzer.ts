import fc from 'fast-check';
import { pdf } from '../../form-service/test/corpus/pdf.ts';
import { GOOD_APPLICATION, GOOD_CONTACT, MARKER, nextAddress, postOf, requestOf, type Target } from './hostile-case.ts';
import { sendRaw } from './wire.ts';

const AT_ONCE = 16;

/** Pieces that parsers are known to trip over. */
const TOKENS = [
  'A'.repeat(3_000),
  ...'%00 % & = [] { } " \\ \\u0000 \\ud800 ../ __proto__ ; : -- chunked -1 1e999'.split(' '),
  '\0',
  '\r\n',
  '\r\n\r\n',
  '\n',
  '\xff\xfe',
  '\xed\xa0\x80',
];

export interface FuzzResult {
  /** What went wrong; empty when every mutation got an answer below 500, or a closed connection. */
  readonly wrong: readonly string[];
  /** How often each first status came; 0 stands for a connection closed without one. */
  readonly statuses: Readonly<Record<number, number>>;
}

/** Sends so many mutations of valid requests; the seed repeats them. */
export async function fuzz({ port }: Target, seed: number, count: number): Promise<FuzzResult> {
  const wrong: string[] = [];
  const seen: Record<number, number> = {};
  const mutations = fc.sample(mutation, { seed, numRuns: count }).entries();
  const work = async () => {
    for (const [number, bytes] of mutations) {
      const { statuses, isOpen } = await sendRaw(port, bytes, { from: nextAddress() });
      const [first = 0] = statuses;
      seen[first] = (seen[first] ?? 0) + 1;
      if (isOpen) wrong.push(`mutation ${number}: the connection stays open`);
      if (statuses.some((status) => status >= 500)) wrong.push(`mutation ${number}: status ${statuses.join()}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return { wrong, statuses: seen };
}

function post(path: string, type: string, body: string, more = 'X-Thing: a'): string {
  const headers = `Accept: application/json
User-Agent: ${MARKER}
${more}
Form-Token: mwq8hc7e.CvcBl7TMjJQ-.SL4y1BPijAIFrnToDlhmSQ
Content-Type: ${type}
Content-Length: ${body.length}`;
  return postOf(headers.split('\n'), body, `${path}?${MARKER}`);
}

function multipart(): string {
  const disposition = '--fuzz\r\nContent-Disposition: form-data; name=';
  const fields = Object.entries(GOOD_APPLICATION).map(([name, value]) => `${disposition}"${name}"\r\n\r\n${value}\r\n`);
  const file = `${disposition}"resume"; filename="${MARKER}.pdf"\r\nContent-Type: application/pdf\r\n\r\n${pdf(2_000).toString('latin1')}\r\n`;
  return `${fields.join('')}${file}--fuzz--\r\n`;
}

const VALID = [
  post('/api/contact', 'application/json', JSON.stringify(GOOD_CONTACT)),
  post(
    '/api/contact',
    'application/x-www-form-urlencoded',
    `${new URLSearchParams(GOOD_CONTACT)}`,
    `Idempotency-Key: ${MARKER}`,
  ),
  post('/api/resume', 'multipart/form-data; boundary=fuzz', multipart()),
  ...[`/api/form-token`, `/services/web-development?name=${MARKER}`].map((path) =>
    requestOf(`GET ${path} HTTP/1.1`, ['Host: a', 'Connection: close', `If-None-Match: "${MARKER}"`]),
  ),
].map((request) => Buffer.from(request, 'latin1'));

const edit = fc.record({
  kind: fc.constantFrom('overwrite', 'cut', 'repeat', 'insert', 'end'),
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  // Most of a request with a file is file: every second edit goes to the beginning, where the meaning is.
  within: fc.constantFrom(600, Infinity),
  bytes: fc.oneof(
    fc.constantFrom(...TOKENS).map((token) => Buffer.from(token, 'latin1')),
    fc.uint8Array({ minLength: 1, maxLength: 40 }),
  ),
});

function edited(request: Buffer, { kind, at, within, bytes }: typeof edit extends fc.Arbitrary<infer T> ? T : never) {
  const place = Math.floor(at * Math.min(within, request.length));
  const [before, after] = [request.subarray(0, place), request.subarray(place)];
  const rest = after.subarray(bytes.length);
  if (kind === 'overwrite') return Buffer.concat([before, bytes, rest]);
  if (kind === 'cut') return Buffer.concat([before, rest]);
  if (kind === 'repeat') return Buffer.concat([before, after.subarray(0, bytes.length), after]);
  return kind === 'insert' ? Buffer.concat([before, bytes, after]) : before;
}

/** A valid request with one to four changes anywhere in it, or in a body whose length is then stated as it is. */
const mutation = fc
  .tuple(fc.constantFrom(...VALID), fc.boolean(), fc.array(edit, { minLength: 1, maxLength: 4 }))
  .map(([request, isWhole, edits]) => {
    const end = request.indexOf('\r\n\r\n') + 4;
    if (isWhole || end === request.length) return edits.reduce(edited, request);
    const body = edits.reduce(edited, request.subarray(end));
    const head = request.toString('latin1', 0, end).replace(/(?<=^Content-Length: )\d+/m, String(body.length));
    return Buffer.concat([Buffer.from(head, 'latin1'), body]);
  });
