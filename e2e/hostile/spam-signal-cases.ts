import { expectAnswer, GOOD_CONTACT, MARKER, postJson, type HostileCase, type Target } from './hostile-case.ts';
import { requestOf, sendRaw } from './wire.ts';

const PATH = '/api/form-token';
const FORGED = 'mwq8hc7e.aaaaaaaaaaaa.aaaaaaaaaaaaaaaaaaaaaa';
const base64 = (text: string) => Buffer.from(text).toString('base64');

/** Looked at more closely only where something is suspicious, and markup is. */
const SUSPICIOUS = JSON.stringify({ ...GOOD_CONTACT, message: `A message with <script> that says ${MARKER}.` });

/** What programs may make up for the signed age of a form: the submission is taken whatever it is. */
const madeUp: readonly string[] = [
  'x',
  FORGED,
  `${FORGED}.${FORGED}`,
  '0'.repeat(7_000),
  '.'.repeat(7_000),
  '\u00e9\u00ff\u0080',
  `${'9'.repeat(9)}.${'-'.repeat(12)}.${'_'.repeat(22)}`,
  base64(MARKER),
  base64('null'),
  base64('{}'),
];

/** Ways to ask for a token, with the statuses that they may get. */
const asked: readonly [name: string, request: string, statuses: readonly number[]][] = [
  ...['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'].map((method): [string, string, number[]] => [
    method,
    ask(method),
    [405],
  ]),
  ['HEAD', ask('HEAD'), [200]],
  ['a query', ask('GET', `${PATH}?${MARKER}`), [200]],
  ['a longer path', ask('GET', `${PATH}/${MARKER}`), [404]],
  ['an encoded path', ask('GET', '/api/form%2dtoken'), [200, 404]],
  ['an encoded line break', ask('GET', `${PATH}%0d%0aX-Injected:1`), [404]],
  ['a body', ask('GET', PATH, ['Content-Length: 5'], 'hello'), [200]],
  ['a body that is too large', ask('GET', PATH, ['Content-Length: 5000'], 'x'.repeat(5_000)), [413]],
  [
    'an endless body',
    ask('GET', PATH, ['Transfer-Encoding: chunked'], `400\r\n${'x'.repeat(1_024)}\r\n`.repeat(100)),
    [413],
  ],
  [
    'a condition',
    ask('GET', PATH, ['If-None-Match: *', 'If-Modified-Since: Sat, 21 Nov 2099 00:00:00 GMT', 'Range: bytes=0-0']),
    [200, 206, 304, 416],
  ],
  [
    'a forged origin',
    ask('GET', PATH, [`Origin: https://${MARKER}.example`, 'Access-Control-Request-Method: GET']),
    [200],
  ],
];

export const spamSignalCases: readonly HostileCase[] = [
  ...asked.map(([name, request, statuses]): HostileCase => ({
    name: `form token: ${name}`,
    run: (target) => oneToken(target, request, statuses),
  })),
  { name: 'form token: no other site may read it', run: notReadable },
  {
    name: 'a form token that is made up',
    async run(target) {
      for (const [index, value] of madeUp.entries()) {
        for (const body of [JSON.stringify(GOOD_CONTACT), SUSPICIOUS]) {
          const wrong = await expectAnswer(await postJson(target, body, { 'Form-Token': value }), [202]);
          if (wrong !== undefined) return `number ${index}: ${wrong}`;
        }
      }
      return undefined;
    },
  },
];

function ask(method: string, path = PATH, headers: readonly string[] = [], body = ''): string {
  return requestOf(`${method} ${path} HTTP/1.1`, ['Host: a', 'Connection: close', ...headers], body);
}

async function oneToken({ port }: Target, request: string, allowed: readonly number[]): Promise<string | undefined> {
  const { statuses, text, isOpen } = await sendRaw(port, request);
  if (isOpen) return 'the connection stays open';
  if (statuses.length !== 1 || !allowed.includes(statuses[0] ?? 0)) return `status ${statuses.join()}`;
  if (/^X-Injected/im.test(text)) return 'a header was injected';
  if (!/^Cache-Control: no-store\r$/im.test(text)) return 'an answer that may be kept';
  return text.includes(MARKER) ? 'the answer quotes what was sent' : undefined;
}

async function notReadable({ siteUrl }: Target): Promise<string | undefined> {
  const answer = await fetch(`${siteUrl}${PATH}`, { headers: { origin: 'https://evil.example' } });
  await answer.body?.cancel();
  const allowed = answer.headers.get('access-control-allow-origin');
  return allowed === null && answer.headers.get('cross-origin-resource-policy') === 'same-origin'
    ? undefined
    : `it is open to ${allowed}`;
}
