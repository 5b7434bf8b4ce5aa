import { GOOD_CONTACT, jsonCase, MARKER, postOf, rawCase, type HostileCase } from './hostile-case.ts';

const BODY = JSON.stringify(GOOD_CONTACT);
const base64 = (text: string) => Buffer.from(text).toString('base64');
const nested = (open: string, close: string, depth: number) => open.repeat(depth) + close.repeat(depth);
const withField = (field: string, value: unknown) => JSON.stringify({ ...GOOD_CONTACT, [field]: value });
const escaped = (text: string) =>
  Array.from(text, (_, at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`).join('');

const UNREADABLE = [400, 413, 422];
const MANY = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`f${index}`, 1]));

/** Bodies for the enquiry that `contact.integration.ts` does not have, each with the statuses that it may get. */
const BODIES: readonly (readonly [name: string, body: string, statuses: readonly number[]])[] = [
  ['a number', '1e999', [400, 422]],
  ['a list of forms', `[${BODY}]`, [400, 422]],
  ['half a form', BODY.slice(0, 60), [400]],
  ['two forms', BODY.repeat(2), [400]],
  ['a form in UTF-16', Buffer.from(BODY, 'utf16le').toString('latin1'), [400]],
  ['20,000 lists in one another', nested('[', ']', 20_000), UNREADABLE],
  ['10,000 objects in one another', `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`, UNREADABLE],
  ['10,000 unknown fields', JSON.stringify({ ...GOOD_CONTACT, ...MANY }), [202, 413, 422]],
  ['200 kB', withField('message', MARKER.repeat(12_000)), [413]],
  ['a field twice', `{"name":"${MARKER}",${BODY.slice(1)}`, [202, 400, 422]],
];

/** Keys and values that mean something to JavaScript, or to a database; a number or a truth value would be text enough. */
const KEYS = '__proto__ constructor prototype toString hasOwnProperty then $where __defineGetter__'.split(' ');
const VALUES: readonly unknown[] = [
  { toString: 'x' },
  { length: 1e9 },
  [['x']],
  { $gt: '' },
  null,
  { __proto__: null },
];

/** Texts that slow regular expressions are slow on, or that break out of where a value ends up. */
const TEXTS: readonly string[] = [
  ...['a', '<', '%'].map((text) => text.repeat(9_000)),
  ...['a.', 'a@', 'a-', '\t ', '('].flatMap((text) => [`${text.repeat(4_000)}@x`, `x@${text.repeat(4_000)}.com`]),
  `${'a'.repeat(5_000)}!`,
  `x@${'a.'.repeat(100)}b`,
  '\u0301'.repeat(5_000),
  '👩‍💻'.repeat(800),
  `\ud800${MARKER}`,
  '\u0000',
  ...`\u202Eevil¦x\r\nBcc: ${MARKER}@evil.example¦x\nContent-Type: text/html\n\n<script>¦"><script>alert(1)</script>`.split(
    '¦',
  ),
  ...`' OR 1=1 --¦\${7*7}{{7*7}}<%= 7*7 %>#{7*7}¦=HYPERLINK("http://evil.example")¦() { :;}; echo x`.split('¦'),
  ...`${MARKER}@a.example, ${MARKER}@b.example¦group: ${MARKER}@a.example;¦../../../../etc/passwd`.split('¦'),
];

/** Texts that look like others, or like nothing, or that end up as something else once they are folded or decoded. */
const UNICODE: Readonly<Record<keyof typeof GOOD_CONTACT, readonly (readonly [string, ...number[]])[]>> = {
  email: [
    [`${MARKER}\uff20visitor.example`, 422],
    [`${MARKER}@visitor\u3002example`, 422],
    [`${MARKER}@visitor.example\u200b`, 422],
    [`\u202e${MARKER}@visitor.example`, 422],
    [`${MARKER}@visitor.ex\u0430mple`, 202, 422],
    [`${MARKER}@visitor.example\u0000.evil.example`, 422],
    [`${MARKER}@\u212aelvin.example`, 202, 422],
    [`${MARKER}@xn--${'a'.repeat(80)}.example`, 422],
  ],
  name: [
    [`${MARKER}\u202e\u2066\u2069\u202c`, 202, 422],
    ['\u200b\u200d\u2060\ufeff\u00ad'.repeat(10), 202, 422],
    [`${MARKER}\u2028Bcc: x@evil.example`, 202],
    [`${MARKER}\u0085Bcc: x@evil.example`, 202],
    [`${MARKER} =?utf-8?B?QmNjOiB4QGV2aWwuZXhhbXBsZQ==?=`, 202],
    [`${MARKER}\ufffe\uffff\u{10ffff}`, 202, 422],
    ['\ufdfa'.repeat(190), 202, 422],
    [`A${'\u0489'.repeat(190)}`, 202, 422],
  ],
  message: [
    [`${MARKER} ${'\ud83d\udc68\u200d'.repeat(1_000)}`, 202],
    [`${MARKER} \udc00\ud800`, 422],
    [`\ufeff${MARKER}\ufeff`, 202],
  ],
  phone: [['\u0661\u0662\u0663\uff14\uff15\uff16', 202, 422]],
  service: [
    ['Web\u00a0Development', 422],
    ['We\u0062\u0300 Development', 422],
  ],
};

/** Bodies whose bytes are no UTF-8, or say one thing twice. */
const BYTES: readonly string[] = [
  ...['\xc0\xaf\xe0\x80\xaf', '\xe2\x82', '\xed\xa0\x80', '\xf4\x90\x80\x80\xf8\x88\x80\x80\x80'].map((bytes) =>
    BODY.replace('Name', bytes),
  ),
  `\xef\xbb\xbf${BODY}`,
  `{${Object.entries(GOOD_CONTACT).map(([name, value]) => `"${escaped(name)}":"${escaped(value)}"`)}}`,
];

const FORMS = `name=%ff%fe name=%C0%AE name=%u0041 name=% name=%E2%82 n%61me=Ada&name=Eve name[]=Ada name[__proto__]=Ada
__proto__=x&constructor=y =&=&= ${'&'.repeat(5_000)} ${'a=b&'.repeat(60)} name=${'%41'.repeat(30_000)}`.split(/\s/);

const FORGED_TOKEN = 'mwq8hc7e.aaaaaaaaaaaa.aaaaaaaaaaaaaaaaaaaaaa';

/** What programs may make up for the signed age of a form: the submission is taken whatever it is. */
const TOKENS =
  `x ${FORGED_TOKEN} ${FORGED_TOKEN}.${FORGED_TOKEN} ${'0'.repeat(7_000)} ${'.'.repeat(7_000)} \u00e9\u00ff\u0080
${'9'.repeat(9)}.${'-'.repeat(12)}.${'_'.repeat(22)} ${[MARKER, 'null', '{}'].map(base64).join(' ')}`.split(/\s/);

/** Content types, and encodings, of a good body. */
const TYPES = ['application/json; charset=utf-7', 'application/json; charset=', 'text/plain', 'application/xml'];
const JSON_TYPE = 'Content-Type: application/json';
const FORM_TYPE = 'Content-Type: application/x-www-form-urlencoded';

export const payloadCases: readonly HostileCase[] = [
  ...BODIES.map(([name, body, statuses]) => jsonCase(`body: ${name}`, body, statuses)),
  ...KEYS.map((key) =>
    jsonCase(
      `key: ${key}`,
      () =>
        [MARKER, { polluted: true }, { isAdmin: true, toString: null }].map(
          (value) => `{${JSON.stringify(key)}:${JSON.stringify(value)},${BODY.slice(1)}`,
        ),
      [202, 400, 422],
    ),
  ),
  ...Object.keys(GOOD_CONTACT).flatMap((field) => [
    jsonCase(`values that are no text: ${field}`, () => VALUES.map((value) => withField(field, value)), [422]),
    jsonCase(`texts: ${field}`, () => TEXTS.map((text) => withField(field, text)), [202, 422]),
  ]),
  ...Object.entries(UNICODE).flatMap(([field, texts]) =>
    texts.map(([text, ...statuses], index) => jsonCase(`Unicode: ${field} ${index}`, withField(field, text), statuses)),
  ),
  ...TEXTS.filter((text) => /^[\x20-\x7e]{0,5000}$/.test(text)).map((text) =>
    jsonCase(`idempotency key: ${text.slice(0, 30)}`, BODY, [202, 400], { 'idempotency-key': text }),
  ),
  ...[...TYPES, 'application/json, text/html', `a/${'b'.repeat(2_000)}`].map((type) =>
    jsonCase(`type: ${type.slice(0, 40)}`, BODY, [202, 400, 415], { 'content-type': type }),
  ),
  ...['gzip', 'br', 'deflate, gzip', 'x'].map((encoding) =>
    jsonCase(`content encoding: ${encoding}`, BODY, [400, 415], { 'content-encoding': encoding }),
  ),
  ...TOKENS.map((token) =>
    jsonCase(
      `form token that is made up: ${token.slice(0, 30)}`,
      // Looked at more closely only where something is suspicious, and markup is.
      () => [BODY, withField('message', `A message with <script> that says ${MARKER}.`)],
      [202],
      { 'Form-Token': token },
    ),
  ),
  ...BYTES.map((body, index) =>
    rawCase(`bytes ${index}`, postOf([JSON_TYPE, `Content-Length: ${body.length}`], body), {}),
  ),
  ...FORMS.map((body) =>
    rawCase(`plain form: ${body.slice(0, 30)}`, postOf([FORM_TYPE, `Content-Length: ${body.length}`], body), {}),
  ),
];
