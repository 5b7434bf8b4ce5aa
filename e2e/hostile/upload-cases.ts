import { pdf } from '../../form-service/test/corpus/pdf.ts';
import { expectAnswer, GOOD_APPLICATION, MARKER, postForm, rawCase, requestOf } from './hostile-case.ts';
import type { HostileCase } from './hostile-case.ts';
import { sendRaw } from './wire.ts';

const BOUNDARY = 'kitewright-boundary';
const REFUSED = [400, 413, 422];

type File = readonly [name: string, type: string, bytes: Buffer];
const pdfNamed = (name: string): File => [name, 'application/pdf', pdf(20_000)];

function applicationForm([name, type, bytes]: File, more: readonly string[] = []): FormData {
  const form = new FormData();
  for (const [field, value] of Object.entries(GOOD_APPLICATION)) form.append(field, value);
  for (const field of more) form.append(field, MARKER);
  form.append('resume', new Blob([new Uint8Array(bytes)], { type }), name);
  return form;
}

const formCase = (name: string, form: () => FormData, statuses: readonly number[]): HostileCase => ({
  name: `upload: ${name}`,
  run: async (target) => expectAnswer(await postForm(target, form()), statuses),
});

const PROTOTYPE = ['__proto__', 'constructor', 'constructor[prototype][polluted]', '__proto__[polluted]', 'toString'];
const FILE_NAMES = [
  `../../../etc/${MARKER}.pdf`,
  `a\u0000${MARKER}.pdf`,
  `${MARKER}\u202Efdp.exe.pdf`,
  '"; rm -rf / ".pdf',
];

const part = (disposition: string, content = '', more = '') =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; ${disposition}\r\n${more}\r\n${content}\r\n`;
const IS_PDF = 'Content-Type: application/pdf\r\n';
const MIXED = 'Content-Type: multipart/mixed; boundary=inner\r\n';
const filePart = (bytes = 20_000) =>
  part(`name="resume"; filename="${MARKER}.pdf"`, pdf(bytes).toString('latin1'), IS_PDF);

/** Bodies that are not what they say; where one is far too large the server may hang up. */
const PARTS: readonly (readonly [name: string, parts: string, mayHangUp?: boolean])[] = [
  ['100,000 parts of nothing', part('name="a"').repeat(100_000), true],
  ['20,000 parts that are files of nothing', part(`name="resume"; filename="${MARKER}.pdf"`).repeat(20_000), true],
  ['a part with 5,000 headers', `--${BOUNDARY}\r\n${'X-Thing: a\r\n'.repeat(5_000)}\r\n${MARKER}\r\n`, true],
  ['a part whose head is 5 MB', part(`name="${'a'.repeat(5_000_000)}"`, MARKER), true],
  ['5 MB before the first part', `${MARKER.repeat(300_000)}\r\n`, true],
  ['parts within a part', part('name="resume"', `--inner\r\n\r\n${MARKER}\r\n--inner--`, MIXED)],
  [
    'file names in two encodings',
    part(`name="resume"; filename="a.pdf"; filename*=UTF-7''%2BADw-${MARKER}.pdf`, 'hello', IS_PDF),
  ],
  ['lines that end in LF alone', filePart().replaceAll('\r\n', '\n'), true],
  ['a part without a head', `--${BOUNDARY}\r\n\r\n${MARKER}\r\n`],
];

function multipart(body: string, length = `Content-Length: ${body.length}`): string {
  const type = `Content-Type: multipart/form-data; boundary=${BOUNDARY}`;
  const headers = ['Host: a', 'Connection: close', 'Accept: application/json', type, length];
  return requestOf('POST /api/resume HTTP/1.1', headers, body);
}

const END = `--${BOUNDARY}--\r\n`;
const OPENING = filePart().slice(0, 200);
const CHUNKS = `c8\r\n${OPENING}\r\n${`100000\r\n${'x'.repeat(0x100000)}\r\n`.repeat(12)}0\r\n\r\n`;
const statuses = [400, 408, 413, 415, 422];

/** What `resume.integration.ts` does not have: bodies that are not what they say, and what nginx reads before the service. */
export const uploadCases: readonly HostileCase[] = [
  formCase('fields that reach for the prototype', () => applicationForm(pdfNamed('a.pdf'), PROTOTYPE), [
    202,
    ...REFUSED,
  ]),
  ...[...FILE_NAMES, `${'x'.repeat(5_000)}.pdf`].map((name) =>
    formCase(`the file name ${name.slice(0, 40)}`, () => applicationForm(pdfNamed(name)), [202, 415, ...REFUSED]),
  ),
  ...PARTS.map(([name, parts, mayHangUp = false]) =>
    rawCase(`upload: ${name}`, multipart(parts + END), { statuses, mayHangUp }),
  ),
  rawCase('upload: chunked, with no length, 12 MB', multipart(CHUNKS, 'Transfer-Encoding: chunked'), { statuses }),
  {
    name: 'upload: a client that hangs up half way',
    async run({ port }) {
      const whole = Buffer.from(multipart(filePart(2_000_000)), 'latin1');
      const parts = [0.2, 0.5, 0.8, 0.99].map((share) => whole.subarray(0, whole.length * share));
      await Promise.all(parts.map((bytes) => sendRaw(port, bytes, { hangUp: true })));
      return undefined;
    },
  },
];
