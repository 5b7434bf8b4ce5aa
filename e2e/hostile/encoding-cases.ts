import { expectAnswer, GOOD_CONTACT, MARKER, postJson, type HostileCase, type Target } from './hostile-case.ts';
import { requestOf, sendRaw } from './wire.ts';

const BODY = JSON.stringify(GOOD_CONTACT);
const JSON_TYPE = 'Content-Type: application/json';
const FORM_TYPE = 'Content-Type: application/x-www-form-urlencoded';
const LENGTH = `Content-Length: ${BODY.length}`;

/** A header twice, where each part of the product could take another one. */
const twice: Readonly<Record<string, readonly string[]>> = {
  'content type': [JSON_TYPE, FORM_TYPE],
  'idempotency key': ['Idempotency-Key: first-key-1', 'Idempotency-Key: second-key-2'],
  'idempotency key and its namesake': ['Idempotency-Key: first-key-1', 'Idempotency_Key: second-key-2'],
  'form token': ['Form-Token: a', 'Form-Token: b'],
  accept: ['Accept: application/json', 'Accept: text/html'],
  'client address': ['X-Forwarded-For: 203.0.113.1', 'X-Forwarded-For: 203.0.113.2'],
  connection: ['Connection: X-Forwarded-For, X-Request-Id, Host', 'Connection: keep-alive'],
  expectation: ['Expect: 100-continue', 'Expect: 100-continue'],
  'content encoding': ['Content-Encoding: identity', 'Content-Encoding: gzip'],
};

const chunked = (trailers: string) => `${BODY.length.toString(16)}\r\n${BODY}\r\n0\r\n${trailers}\r\n`;

/** Headers behind the body, which are nobody's. */
const trailers: Readonly<Record<string, string>> = {
  'another length': 'Content-Length: 5\r\n',
  'another encoding': 'Transfer-Encoding: identity\r\n',
  'another client': 'X-Forwarded-For: 203.0.113.9\r\nX-Request-Id: from-the-trailer\r\n',
  'a key': 'Idempotency-Key: from-the-trailer\r\n',
  'a second request': '\r\nGET /metrics HTTP/1.1\r\nHost: a\r\n',
  'no colon': `${MARKER}\r\n`,
  '100 kB': `X-Thing: ${MARKER.repeat(6_000)}\r\n`,
  '2,000 lines': 'X-Thing: a\r\n'.repeat(2_000),
};

const INVISIBLE = '\u200b\u200d\u2060\ufeff\u00ad';

/** Texts that look like others, or like nothing, or that end up as something else once they are folded or decoded. */
const tricks: readonly (readonly [field: keyof typeof GOOD_CONTACT, text: string, statuses: readonly number[]])[] = [
  ['email', `${MARKER}\uff20visitor.example`, [422]],
  ['email', `${MARKER}@visitor\u3002example`, [422]],
  ['email', `${MARKER}@visitor.example\u200b`, [422]],
  ['email', `\u202e${MARKER}@visitor.example`, [422]],
  ['email', `${MARKER}@visitor.ex\u0430mple`, [202, 422]],
  ['email', `${MARKER}@visitor.example\u0000.evil.example`, [422]],
  ['email', `${MARKER}@\u212aelvin.example`, [202, 422]],
  ['email', `${MARKER}@xn--${'a'.repeat(80)}.example`, [422]],
  ['name', `${MARKER}\u202e\u2066\u2069\u202c`, [202, 422]],
  ['name', INVISIBLE.repeat(10), [202, 422]],
  ['name', `${MARKER}\u2028Bcc: x@evil.example`, [202]],
  ['name', `${MARKER}\u0085Bcc: x@evil.example`, [202]],
  ['name', `${MARKER} =?utf-8?B?QmNjOiB4QGV2aWwuZXhhbXBsZQ==?=`, [202]],
  ['name', `${MARKER}\ufffe\uffff\u{10ffff}`, [202, 422]],
  ['name', `\ufdfa`.repeat(190), [202, 422]],
  ['name', `A${'\u0489'.repeat(190)}`, [202, 422]],
  ['message', `${MARKER} ${'\ud83d\udc68\u200d'.repeat(1_000)}`, [202]],
  ['message', `${MARKER} \udc00\ud800`, [422]],
  ['message', `\ufeff${MARKER}\ufeff`, [202]],
  ['phone', '\u0661\u0662\u0663\uff14\uff15\uff16', [202, 422]],
  ['service', 'Web\u00a0Development', [422]],
  ['service', 'We\u0062\u0300 Development', [422]],
];

/** Bodies whose bytes are no UTF-8, or say one thing twice. */
const bytes: Readonly<Record<string, string>> = {
  'an overlong slash': BODY.replace('Name', '\xc0\xaf\xe0\x80\xaf'),
  'half a character': BODY.replace('Name', '\xe2\x82'),
  'a surrogate in UTF-8': BODY.replace('Name', '\xed\xa0\x80'),
  'beyond Unicode': BODY.replace('Name', '\xf4\x90\x80\x80\xf8\x88\x80\x80\x80'),
  'a byte order mark': `\xef\xbb\xbf${BODY}`,
  'escapes of everything': `{${Object.entries(GOOD_CONTACT)
    .map(([name, value]) => `"${escaped(name)}":"${escaped(value)}"`)
    .join()}}`,
};

const forms: readonly string[] = [
  'name=%ff%fe',
  'name=%C0%AE',
  'name=%u0041',
  'name=%',
  'name=%E2%82',
  'n%61me=Ada&name=Eve',
  'name[]=Ada',
  'name[__proto__]=Ada',
  '__proto__=x&constructor=y',
  '&'.repeat(5_000),
  '=&=&=',
  `${'a=b&'.repeat(60)}`,
  `name=${'%41'.repeat(30_000)}`,
];

export const encodingCases: readonly HostileCase[] = [
  ...Object.entries(twice).map(([name, headers]): HostileCase => ({
    name: `twice: ${name}`,
    run: (target) => once(target, post([JSON_TYPE, LENGTH, ...headers], BODY)),
  })),
  ...Object.entries(trailers).map(([name, trailer]): HostileCase => ({
    name: `trailer: ${name}`,
    run: (target) =>
      once(target, post([JSON_TYPE, 'Transfer-Encoding: chunked', 'Trailer: X-Thing'], chunked(trailer)), 2),
  })),
  ...tricks.map(([field, text, statuses], index): HostileCase => ({
    name: `Unicode: ${field} ${index}`,
    run: async (target) =>
      expectAnswer(await postJson(target, JSON.stringify({ ...GOOD_CONTACT, [field]: text })), statuses),
  })),
  ...Object.entries(bytes).map(([name, body]): HostileCase => ({
    name: `bytes: ${name}`,
    run: (target) => once(target, post([JSON_TYPE, `Content-Length: ${body.length}`], body)),
  })),
  ...forms.map((body, index): HostileCase => ({
    name: `plain form ${index}`,
    run: (target) => once(target, post([FORM_TYPE, `Content-Length: ${body.length}`], body)),
  })),
];

function escaped(text: string): string {
  return Array.from({ length: text.length }, (_, at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`).join(
    '',
  );
}

function post(headers: readonly string[], body: string): string {
  return requestOf('POST /api/contact HTTP/1.1', ['Host: a', 'Connection: close', ...headers], body);
}

/** Answered below 500 and not more often than it may be taken for requests; nothing inner or of the sender comes out. */
async function once({ port }: Target, request: string, answers = 1): Promise<string | undefined> {
  const { statuses, text, isOpen } = await sendRaw(port, request);
  if (isOpen) return 'the connection stays open';
  if (statuses.filter((status) => status !== 100).length > answers || statuses.some((status) => status >= 500))
    return `status ${statuses.join()}`;
  if (text.includes('kitewright_') || text.includes('# HELP')) return 'the metrics came out';
  return text.includes(MARKER) ? 'the answer quotes what was sent' : undefined;
}
