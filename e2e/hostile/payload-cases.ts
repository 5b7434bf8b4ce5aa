import { pdf } from '../../form-service/test/corpus/pdf.ts';
import { GOOD_CONTACT, MARKER, postOf, rawCase, type HostileCase } from './hostile-case.ts';

const BODY = JSON.stringify(GOOD_CONTACT);
const nested = (open: string, close: string, depth: number) => open.repeat(depth) + close.repeat(depth);
const withField = (field: string, value: unknown) => JSON.stringify({ ...GOOD_CONTACT, [field]: value });
const MANY = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`f${index}`, 1]));
const REFUSED = [400, 413, 422];

/** Bodies for the enquiry, each with the statuses that it may get; what people type is tried in `contact.integration.ts`. */
const BODIES: readonly (readonly [name: string, body: string, statuses: readonly number[]])[] = [
  ['a number', '1e999', REFUSED],
  ['a list of forms', `[${BODY}]`, REFUSED],
  ['two forms', BODY.repeat(2), [400]],
  ['a form in UTF-16', Buffer.from(BODY, 'utf16le').toString('latin1'), [400]],
  ['bytes that are no UTF-8', BODY.replace('Name', '\xc0\xaf\xed\xa0\x80\xf4\x90\x80\x80'), [202, ...REFUSED]],
  ['20,000 lists in one another', nested('[', ']', 20_000), REFUSED],
  ['10,000 objects in one another', `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`, REFUSED],
  ['10,000 unknown fields', JSON.stringify({ ...GOOD_CONTACT, ...MANY }), [202, 413, 422]],
  ['200 kB', withField('message', MARKER.repeat(12_000)), [413]],
  ['a field twice', `{"name":"${MARKER}",${BODY.slice(1)}`, [202, ...REFUSED]],
  ...'__proto__ constructor prototype toString then $where __defineGetter__'
    .split(' ')
    .map((key) => [`the key ${key}`, `{"${key}":{"polluted":true},${BODY.slice(1)}`, [202, ...REFUSED]] as const),
  ...[{ toString: 'x' }, { length: 1e9 }, [['x']], { $gt: '' }, null].map(
    (value) => [`${JSON.stringify(value)} as a name`, withField('name', value), [422]] as const,
  ),
];

/** Content types, encodings and form tokens that programs make up for a good body. */
const HEADERS: readonly (readonly [header: string, statuses: readonly number[]])[] = [
  ...['application/json; charset=utf-7', 'text/plain', `a/${'b'.repeat(2_000)}`].map(
    (type) => [`Content-Type: ${type}`, [202, 400, 415]] as const,
  ),
  ...['gzip', 'br', 'x'].map((encoding) => [`Content-Encoding: ${encoding}`, [400, 415]] as const),
  ...['x', '0'.repeat(7_000), 'mwq8hc7e.aaaaaaaaaaaa.aaaaaaaaaaaaaaaaaaaaaa', '9.-._', '\u00e9\u00ff'].map(
    (token) => [`Form-Token: ${token}`, [202]] as const,
  ),
];

const BOUNDARY = 'kitewright-boundary';
const END = `--${BOUNDARY}--\r\n`;
const part = (disposition: string, content = '', more = '') =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; ${disposition}\r\n${more}\r\n${content}\r\n`;
const FILE = `name="resume"; filename="${MARKER}.pdf"`;
const MIXED = 'Content-Type: multipart/mixed; boundary=inner\r\n';

/** Uploads that are not what they say; where one is far too large the server may hang up. */
const UPLOADS: readonly (readonly [name: string, parts: string])[] = [
  ['100,000 parts of nothing', part('name="a"').repeat(100_000)],
  ['20,000 parts that are files of nothing', part(FILE).repeat(20_000)],
  ['a part with 5,000 headers', `--${BOUNDARY}\r\n${'X-Thing: a\r\n'.repeat(5_000)}\r\n${MARKER}\r\n`],
  ['a part whose head is 5 MB', part(`name="${'a'.repeat(5_000_000)}"`, MARKER)],
  ['5 MB before the first part', `${MARKER.repeat(300_000)}\r\n`],
  ['parts within a part', part('name="resume"', `--inner\r\n\r\n${MARKER}\r\n--inner--`, MIXED)],
  ['lines that end in LF alone', part(FILE, pdf(20_000).toString('latin1')).replaceAll('\r\n', '\n')],
  ['a part without a head', `--${BOUNDARY}\r\n\r\n${MARKER}\r\n`],
];
const MULTIPART = ['Accept: application/json', `Content-Type: multipart/form-data; boundary=${BOUNDARY}`];
const CHUNKS = `${`100000\r\n${'x'.repeat(0x100000)}\r\n`.repeat(12)}0\r\n\r\n`;

const json = (header: string, body: string) => {
  const type = header.startsWith('Content-Type') ? [] : ['Content-Type: application/json'];
  return postOf([...type, 'Accept: application/json', header, `Content-Length: ${body.length}`], body);
};
const upload = (headers: readonly string[], body: string) => postOf([...MULTIPART, ...headers], body, '/api/resume');
const uploadStatuses = [400, 408, 413, 415, 422];

export const payloadCases: readonly HostileCase[] = [
  ...BODIES.map(([name, body, statuses]) => rawCase(`body: ${name}`, json('X-Thing: a', body), { statuses })),
  ...HEADERS.map(([header, statuses]) => rawCase(header.slice(0, 60), json(header, BODY), { statuses })),
  ...UPLOADS.map(([name, parts]) =>
    rawCase(`upload: ${name}`, upload([`Content-Length: ${parts.length + END.length}`], parts + END), {
      statuses: uploadStatuses,
    }),
  ),
  rawCase('upload: chunked, 12 MB', upload(['Transfer-Encoding: chunked'], CHUNKS), { statuses: uploadStatuses }),
];
