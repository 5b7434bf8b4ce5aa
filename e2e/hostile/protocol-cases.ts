import { GOOD_CONTACT, MARKER, type HostileCase, type Target } from './hostile-case.ts';
import { requestOf, sendRaw } from './wire.ts';

const BODY = JSON.stringify(GOOD_CONTACT);
const HOST = 'Host: a';
const CLOSE = 'Connection: close';
const JSON_TYPE = 'Content-Type: application/json';
const SMUGGLED = `GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n`;

/** Requests that two servers could read differently. The first answer must be a refusal or a plain one, and nothing follows it. */
const smuggling: Readonly<Record<string, string>> = {
  'two different lengths': post([JSON_TYPE, `Content-Length: ${BODY.length}`, 'Content-Length: 5'], BODY),
  'the same length twice': post([JSON_TYPE, `Content-Length: ${BODY.length}`, `Content-Length: ${BODY.length}`], BODY),
  'a list as length': post([JSON_TYPE, `Content-Length: ${BODY.length}, ${BODY.length}`], BODY),
  'a negative length': post([JSON_TYPE, 'Content-Length: -1'], BODY),
  'a length with a sign': post([JSON_TYPE, `Content-Length: +${BODY.length}`], BODY),
  'a hexadecimal length': post([JSON_TYPE, 'Content-Length: 0x10'], BODY),
  'a length beyond numbers': post([JSON_TYPE, `Content-Length: ${'9'.repeat(40)}`], BODY),
  'length and chunks': post(
    [JSON_TYPE, `Content-Length: ${SMUGGLED.length + 5}`, 'Transfer-Encoding: chunked'],
    `0\r\n\r\n${SMUGGLED}`,
  ),
  'chunks and length': post([JSON_TYPE, 'Transfer-Encoding: chunked', 'Content-Length: 4'], `0\r\n\r\n${SMUGGLED}`),
  'chunked twice': post(
    [JSON_TYPE, 'Transfer-Encoding: chunked', 'Transfer-Encoding: chunked'],
    `0\r\n\r\n${SMUGGLED}`,
  ),
  'an unknown encoding': post([JSON_TYPE, 'Transfer-Encoding: xchunked', 'Content-Length: 0'], SMUGGLED),
  'chunked, then something else': post([JSON_TYPE, 'Transfer-Encoding: chunked, identity'], `0\r\n\r\n${SMUGGLED}`),
  'an encoding after a tab': post(
    [JSON_TYPE, 'Transfer-Encoding:\tchunked', 'Content-Length: 4'],
    `0\r\n\r\n${SMUGGLED}`,
  ),
  'a space before the colon': post(
    [JSON_TYPE, 'Transfer-Encoding : chunked', 'Content-Length: 5'],
    `0\r\n\r\n${SMUGGLED}`,
  ),
  'a folded header': post([JSON_TYPE, 'Transfer-Encoding:', ' chunked', 'Content-Length: 5'], `0\r\n\r\n${SMUGGLED}`),
  'a chunk size beyond numbers': post([JSON_TYPE, 'Transfer-Encoding: chunked'], `${'f'.repeat(40)}\r\nx\r\n0\r\n\r\n`),
  'a chunk size that is none': post([JSON_TYPE, 'Transfer-Encoding: chunked'], `zz\r\nx\r\n0\r\n\r\n`),
  'a chunk extension of 100 kB': post(
    [JSON_TYPE, 'Transfer-Encoding: chunked'],
    `1;${'a'.repeat(100_000)}\r\nx\r\n0\r\n\r\n`,
  ),
  'line breaks in a header': post([JSON_TYPE, `X-Thing: a\rContent-Length: 5`], BODY),
  'a null byte in a header': post([JSON_TYPE, 'X-Thing: a\0b', `Content-Length: ${BODY.length}`], BODY),
};

/** Odd requests, with the statuses that they may get; a closed connection is always right. */
const oddities: readonly [name: string, request: string, statuses: readonly number[]][] = [
  ["a method of one's own", requestOf('BREW /api/contact HTTP/1.1', [HOST, CLOSE]), [400, 405, 501]],
  ['a method in small letters', requestOf('post /api/contact HTTP/1.1', [HOST, CLOSE]), [400]],
  ['TRACE', requestOf('TRACE /api/contact HTTP/1.1', [HOST, CLOSE, `X-Thing: ${MARKER}`]), [405]],
  ['CONNECT', requestOf('CONNECT example.org:443 HTTP/1.1', [HOST, CLOSE]), [400, 405]],
  ['DELETE', requestOf('DELETE /api/contact HTTP/1.1', [HOST, CLOSE]), [405]],
  ['a method by header', requestOf('GET /api/contact HTTP/1.1', [HOST, CLOSE, 'X-HTTP-Method-Override: POST']), [405]],
  ['POST to a page', requestOf('POST /about HTTP/1.1', [HOST, CLOSE, 'Content-Length: 0']), [405]],
  ['no host', requestOf('GET / HTTP/1.1', [CLOSE]), [400]],
  ['two hosts', requestOf('GET / HTTP/1.1', [HOST, 'Host: b', CLOSE]), [400]],
  ['another host', requestOf('GET /about/ HTTP/1.1', [`Host: ${MARKER}.example`, CLOSE]), [301]],
  ['a host with a path', requestOf('GET / HTTP/1.1', ['Host: a/../b', CLOSE]), [400]],
  ['an absolute address', requestOf(`GET http://${MARKER}.example/about HTTP/1.1`, [HOST, CLOSE]), [200]],
  ['an old protocol', requestOf('GET / HTTP/0.9', [HOST]), [400]],
  ['a protocol to come', requestOf('GET / HTTP/9.9', [HOST]), [400]],
  ['TLS on a plain port', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', [400]],
  ['a header of 100 kB', requestOf('GET / HTTP/1.1', [HOST, CLOSE, `X-Thing: ${MARKER.repeat(6_000)}`]), [400, 431]],
  [
    '1,000 headers',
    requestOf('GET / HTTP/1.1', [HOST, CLOSE, ...Array.from({ length: 1_000 }, (_, index) => `X-${index}: ${MARKER}`)]),
    [200, 400, 431],
  ],
  [
    'a cookie of 7 kB',
    requestOf(
      'POST /api/contact HTTP/1.1',
      [HOST, CLOSE, JSON_TYPE, `Cookie: a=${MARKER.repeat(400)}`, `Content-Length: ${BODY.length}`],
      BODY,
    ),
    [202],
  ],
  ['an address of 20 kB', requestOf(`GET /${MARKER.repeat(1_200)} HTTP/1.1`, [HOST, CLOSE]), [414]],
  [
    'an address that was forwarded often',
    requestOf(
      'POST /api/contact HTTP/1.1',
      [
        HOST,
        CLOSE,
        JSON_TYPE,
        `X-Forwarded-For: ${Array(200).fill('10.0.0.1').join(', ')}`,
        `Content-Length: ${BODY.length}`,
      ],
      BODY,
    ),
    [202],
  ],
  [
    "a request id of one's own",
    requestOf(
      'POST /api/contact HTTP/1.1',
      [HOST, CLOSE, JSON_TYPE, `X-Request-Id: ${MARKER}`, `Content-Length: ${BODY.length}`],
      BODY,
    ),
    [202],
  ],
  ['an upgrade', requestOf('GET /api/contact HTTP/1.1', [HOST, 'Connection: Upgrade', 'Upgrade: websocket']), [405]],
  ['HTTP/2 by force', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', [400, 405]],
  [
    'an expectation',
    requestOf('POST /api/contact HTTP/1.1', [HOST, CLOSE, 'Expect: 200-maybe', 'Content-Length: 0']),
    [400, 415, 417, 422],
  ],
  [
    'ranges without end',
    requestOf('GET /favicon.ico HTTP/1.1', [
      HOST,
      CLOSE,
      `Range: bytes=${Array.from({ length: 800 }, (_, index) => `${index}-`).join(',')}`,
    ]),
    [200, 206, 416],
  ],
];

/** Ways to leave the folder of the pages, or to reach what is not public. */
const paths = [
  '/../../../../etc/passwd',
  '/..%2f..%2f..%2fetc/passwd',
  '/%2e%2e/%2e%2e/etc/passwd',
  '/assets/..%5c..%5cetc%5cpasswd',
  '/images/%252e%252e/%252e%252e/etc/passwd',
  '/assets/../../package.json',
  '/.env',
  '/.git/config',
  '/.well-known/../.env',
  '/%00',
  '/about%00.html',
  '/site.css%20',
  '/metrics',
  '/health/ready',
  '/health/live',
  '/-/error/html',
  '/-/error/json',
  '/api/../metrics',
  '/api/%2e%2e/metrics',
  '/api/..;/metrics',
  '/api/health/ready',
  '/api/contact/../../health/live',
  '//example.org/about/',
  '/about//',
  '/%0d%0aX-Injected:%20yes/',
  '/about%0d%0aX-Injected:%20yes.html',
  '/index.html.br',
  '/assets/x.js.map',
  '/404.html',
  '/\\..\\..\\etc\\passwd',
  '/~root',
  '/%c0%ae%c0%ae/etc/passwd',
  '/%ff%fe',
] as const;

export const protocolCases: readonly HostileCase[] = [
  ...Object.entries(smuggling).map(([name, request]): HostileCase => ({
    name: `smuggling: ${name}`,
    run: (target) => notSmuggled(target, request),
  })),
  ...oddities.map(([name, request, statuses]): HostileCase => ({
    name: `request: ${name}`,
    run: (target) => oneOf(target, request, statuses),
  })),
  ...paths.map((path): HostileCase => ({ name: `path: ${path}`, run: (target) => notFound(target, path) })),
];

function post(headers: readonly string[], body: string): string {
  return requestOf('POST /api/contact HTTP/1.1', [HOST, ...headers], body);
}

async function notSmuggled({ port }: Target, request: string): Promise<string | undefined> {
  const { statuses, text, isOpen } = await sendRaw(port, request);
  if (isOpen) return 'the connection stays open';
  if (text.includes('kitewright_') || text.includes('# HELP')) return 'the metrics came out';
  return statuses.find((status) => status >= 500) === undefined ? undefined : `status ${statuses.join()}`;
}

async function oneOf({ port }: Target, request: string, allowed: readonly number[]): Promise<string | undefined> {
  const { statuses, text, isOpen } = await sendRaw(port, request);
  if (isOpen) return 'the connection stays open';
  if (statuses.length > 1 || statuses.some((status) => !allowed.includes(status))) return `status ${statuses.join()}`;
  return text.includes(MARKER) ? 'the answer quotes what was sent' : undefined;
}

async function notFound({ port }: Target, path: string): Promise<string | undefined> {
  const { statuses, text } = await sendRaw(port, requestOf(`GET ${path} HTTP/1.1`, [HOST, CLOSE]));
  const [status = 400] = statuses;
  const location = /^location: *(.*)$/im.exec(text)?.[1] ?? '';
  if (/^X-Injected/im.test(text)) return 'a header was injected';
  if (/root:x:|"workspaces"|# HELP|"ready"|\[core\]/.test(text)) return 'something private came out';
  if (status === 301) return /^\/(?![/\\])/.test(location) ? undefined : 'a redirect to another site';
  return [400, 404].includes(status) ? undefined : `status ${status}`;
}
