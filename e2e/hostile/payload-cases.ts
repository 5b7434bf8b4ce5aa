import { expectAnswer, GOOD_CONTACT, MARKER, postJson, type HostileCase } from './hostile-case.ts';

const nested = (open: string, close: string, depth: number) => open.repeat(depth) + close.repeat(depth);

/** Bodies for the enquiry, each with the statuses that it may get. */
const bodies: readonly [name: string, body: string, statuses: readonly number[]][] = [
  ['nothing', '', [400, 422]],
  ['a text', JSON.stringify(MARKER), [400, 422]],
  ['a number', '1e999', [400, 422]],
  ['null', 'null', [400, 422]],
  ['a list', '[]', [400, 422]],
  ['a list of forms', JSON.stringify([GOOD_CONTACT]), [400, 422]],
  ['half a form', JSON.stringify(GOOD_CONTACT).slice(0, 60), [400]],
  ['two forms', JSON.stringify(GOOD_CONTACT).repeat(2), [400]],
  ['a form in UTF-16', Buffer.from(JSON.stringify(GOOD_CONTACT), 'utf16le').toString('latin1'), [400]],
  ['20,000 lists in one another', nested('[', ']', 20_000), [400, 413, 422]],
  ['a field that is 20,000 lists', `{"name":${nested('[', ']', 20_000)}}`, [400, 413, 422]],
  ['10,000 objects in one another', `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`, [400, 413, 422]],
  [
    '10,000 unknown fields',
    JSON.stringify({
      ...GOOD_CONTACT,
      ...Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`f${index}`, 1])),
    }),
    [202, 413, 422],
  ],
  ['200 kB', JSON.stringify({ ...GOOD_CONTACT, message: MARKER.repeat(12_000) }), [413]],
  ['1 MB', JSON.stringify({ ...GOOD_CONTACT, message: MARKER.repeat(60_000) }), [413]],
  [
    'a field twice',
    `{"name":"${MARKER}","name":"x"${JSON.stringify(GOOD_CONTACT).slice(1).replace('{', ',')}`,
    [202, 400, 422],
  ],
];

/** Keys and values that mean something to JavaScript, or to a database; a number or a truth value would be text enough. */
const trickKeys = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'then',
  '$where',
  '__defineGetter__',
];
const trickValues: readonly unknown[] = [
  { toString: 'x' },
  { length: 1e9 },
  [['x']],
  { $gt: '' },
  null,
  { __proto__: null },
];

/** Texts that slow regular expressions are slow on, or that break out of where a value ends up. */
const evilTexts: readonly string[] = [
  'a'.repeat(9_000),
  `${'a'.repeat(5_000)}!`,
  `${'a.'.repeat(4_000)}@`,
  `${'a@'.repeat(4_000)}`,
  `${'@a.'.repeat(3_000)}a`,
  `x@${'a.'.repeat(100)}b`,
  `x@${'a-'.repeat(4_000)}.com`,
  `${'\t '.repeat(4_000)}x`,
  `${'('.repeat(4_000)}`,
  `${'<'.repeat(9_000)}`,
  `${'%'.repeat(9_000)}`,
  `${'\u0301'.repeat(5_000)}`,
  `${'👩‍💻'.repeat(800)}`,
  `\ud800${MARKER}`,
  '\u0000',
  `x\r\nBcc: ${MARKER}@evil.example`,
  `x\nContent-Type: text/html\n\n<script>`,
  `"><script>alert(1)</script>`,
  `' OR 1=1 --`,
  '${7*7}{{7*7}}<%= 7*7 %>#{7*7}',
  '=HYPERLINK("http://evil.example")',
  '() { :;}; echo x',
  `${MARKER}@a.example, ${MARKER}@b.example`,
  `group: ${MARKER}@a.example;`,
  '../../../../etc/passwd',
  '\u202Eevil',
];

export const payloadCases: readonly HostileCase[] = [
  ...bodies.map(([name, body, statuses]): HostileCase => ({
    name: `body: ${name}`,
    run: async (target) => expectAnswer(await postJson(target, body), statuses),
  })),
  ...trickKeys.map((key): HostileCase => ({
    name: `key: ${key}`,
    async run(target) {
      for (const value of [MARKER, { polluted: true }, { isAdmin: true, toString: null }]) {
        const body = `{${JSON.stringify(key)}:${JSON.stringify(value)},${JSON.stringify(GOOD_CONTACT).slice(1)}`;
        const wrong = await expectAnswer(await postJson(target, body), [202, 400, 422]);
        if (wrong !== undefined) return wrong;
      }
      return undefined;
    },
  })),
  ...Object.keys(GOOD_CONTACT).flatMap((field) => [
    {
      name: `values that are no text: ${field}`,
      run: (target) =>
        firstWrong(trickValues, async (value) =>
          expectAnswer(await postJson(target, JSON.stringify({ ...GOOD_CONTACT, [field]: value })), [422]),
        ),
    } satisfies HostileCase,
    {
      name: `texts: ${field}`,
      run: (target) =>
        firstWrong(evilTexts, async (text) =>
          expectAnswer(await postJson(target, JSON.stringify({ ...GOOD_CONTACT, [field]: text })), [202, 422]),
        ),
    } satisfies HostileCase,
  ]),
  {
    name: 'texts: idempotency key',
    run: (target) =>
      firstWrong(
        evilTexts.filter((text) => !/[^\x20-\x7e]/.test(text) && text.length < 5_000),
        async (text) =>
          expectAnswer(await postJson(target, JSON.stringify(GOOD_CONTACT), { 'idempotency-key': text }), [202, 400]),
      ),
  },
  ...[
    'application/json; charset=utf-7',
    'application/json; charset=',
    'text/plain',
    'application/xml',
    'application/json, text/html',
    `a/${'b'.repeat(2_000)}`,
  ].map((type): HostileCase => ({
    name: `type: ${type.slice(0, 40)}`,
    run: async (target) =>
      expectAnswer(await postJson(target, JSON.stringify(GOOD_CONTACT), { 'content-type': type }), [202, 400, 415]),
  })),
  ...['gzip', 'br', 'deflate, gzip', 'x'].map((encoding): HostileCase => ({
    name: `content encoding: ${encoding}`,
    run: async (target) =>
      expectAnswer(await postJson(target, JSON.stringify(GOOD_CONTACT), { 'content-encoding': encoding }), [400, 415]),
  })),
];

async function firstWrong<T>(
  items: readonly T[],
  check: (item: T) => Promise<string | undefined>,
): Promise<string | undefined> {
  for (const [index, item] of items.entries()) {
    const wrong = await check(item);
    if (wrong !== undefined) return `number ${index}: ${wrong}`;
  }
  return undefined;
}
