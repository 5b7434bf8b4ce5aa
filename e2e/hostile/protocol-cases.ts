import { setTimeout as pause } from 'node:timers/promises';
import { GOOD_CONTACT, MARKER, postOf, rawCase, refusalOfGoodEnquiry, requestOf } from './hostile-case.ts';
import type { HostileCase } from './hostile-case.ts';
import { sendRaw } from './wire.ts';

const BODY = JSON.stringify(GOOD_CONTACT);
const TYPE = 'Content-Type: application/json';
const LENGTH = `Content-Length: ${BODY.length}`;
const CHUNKED = 'Transfer-Encoding: chunked';
const SMUGGLED = '0\r\n\r\nGET /metrics HTTP/1.1\r\nHost: a\r\n\r\n';

/** Requests that two servers could read differently: headers besides the usual ones, and the body. Nothing may follow the first answer. */
const SMUGGLING: readonly (readonly [name: string, headers: readonly string[], body: string])[] = [
  ['two different lengths', [LENGTH, 'Content-Length: 5'], BODY],
  ['the same length twice', [LENGTH, LENGTH], BODY],
  ['a list as length', [`${LENGTH}, ${BODY.length}`], BODY],
  ['a negative length', ['Content-Length: -1'], BODY],
  ['a length with a sign', [`Content-Length: +${BODY.length}`], BODY],
  ['a hexadecimal length', ['Content-Length: 0x10'], BODY],
  ['a length beyond numbers', [`Content-Length: ${'9'.repeat(40)}`], BODY],
  ['length and chunks', [`Content-Length: ${SMUGGLED.length}`, CHUNKED], SMUGGLED],
  ['chunks and length', [CHUNKED, 'Content-Length: 4'], SMUGGLED],
  ['chunked twice', [CHUNKED, CHUNKED], SMUGGLED],
  ['an unknown encoding', ['Transfer-Encoding: xchunked', 'Content-Length: 0'], SMUGGLED.slice(5)],
  ['chunked, then something else', [`${CHUNKED}, identity`], SMUGGLED],
  ['an encoding after a tab', ['Transfer-Encoding:\tchunked', 'Content-Length: 4'], SMUGGLED],
  ['a space before the colon', ['Transfer-Encoding : chunked', 'Content-Length: 5'], SMUGGLED],
  ['a folded header', ['Transfer-Encoding:', ' chunked', 'Content-Length: 5'], SMUGGLED],
  ['a chunk size beyond numbers', [CHUNKED], `${'f'.repeat(40)}\r\nx\r\n0\r\n\r\n`],
  ['a chunk size that is none', [CHUNKED], 'zz\r\nx\r\n0\r\n\r\n'],
  ['a chunk extension of 100 kB', [CHUNKED], `1;${'a'.repeat(100_000)}\r\nx\r\n0\r\n\r\n`],
  ['line breaks in a header', ['X-Thing: a\rContent-Length: 5'], BODY],
  ['a null byte in a header', ['X-Thing: a\0b', LENGTH], BODY],
];

/** Odd requests by method, path, protocol, or further headers, with the statuses that they may get. */
const ODDITIES: readonly (readonly [line: string, statuses: readonly number[], headers?: readonly string[]])[] = [
  ['BREW /api/contact HTTP/1.1', [400, 405, 501]],
  ['post /api/contact HTTP/1.1', [400]],
  ['TRACE /api/contact HTTP/1.1', [405], [`X-Thing: ${MARKER}`]],
  ['CONNECT example.org:443 HTTP/1.1', [400, 405]],
  ['DELETE /api/contact HTTP/1.1', [405]],
  ['GET /api/contact HTTP/1.1', [405], ['X-HTTP-Method-Override: POST']],
  ['GET /api/contact HTTP/1.1', [400, 405], ['Connection: Upgrade', 'Upgrade: websocket']],
  ['POST /about HTTP/1.1', [405], ['Content-Length: 0']],
  ['GET / HTTP/1.1', [400], ['Host: b']],
  [`GET http://${MARKER}.example/about HTTP/1.1`, [200]],
  ['GET / HTTP/0.9', [400]],
  ['GET / HTTP/9.9', [400]],
  ['GET / HTTP/1.1', [400, 431], [`X-Thing: ${MARKER.repeat(6_000)}`]],
  ['GET / HTTP/1.1', [200, 400, 431], Array.from({ length: 1_000 }, (_, index) => `X-${index}: ${MARKER}`)],
  [`GET /${MARKER.repeat(1_200)} HTTP/1.1`, [414]],
  ['POST /api/contact HTTP/1.1', [400, 415, 417, 422], ['Expect: 200-maybe', 'Content-Length: 0']],
  ['GET /favicon.ico HTTP/1.1', [200, 206, 416], [`Range: bytes=${'1-,'.repeat(800)}2-`]],
];

/** The same without the usual host or at all as HTTP/1.1. */
const BARE: readonly (readonly [name: string, bytes: string, statuses: readonly number[]])[] = [
  ['no host', requestOf('GET / HTTP/1.1', ['Connection: close']), [400]],
  ['another host', requestOf('GET /about/ HTTP/1.1', [`Host: ${MARKER}.example`, 'Connection: close']), [301]],
  ['a host with a path', requestOf('GET / HTTP/1.1', ['Host: a/../b', 'Connection: close']), [400]],
  ['TLS on a plain port', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', [400]],
  ['HTTP/2 by force', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', [400, 405]],
];

/** Headers that a good enquiry may bring along without harm, some of them twice, where each part of the product could take another one. */
const HARMLESS: readonly (readonly string[])[] = [
  [`Cookie: a=${MARKER.repeat(400)}`],
  [`X-Forwarded-For: ${Array(200).fill('10.0.0.1').join(', ')}`],
  [`X-Request-Id: ${MARKER}`],
  ['Content-Type: application/x-www-form-urlencoded'],
  ['Idempotency-Key: first-key-1', 'Idempotency-Key: second-key-2'],
  ['Idempotency-Key: first-key-1', 'Idempotency_Key: second-key-2'],
  ['Form-Token: a', 'Form-Token: b'],
  ['Accept: application/json', 'Accept: text/html'],
  ['X-Forwarded-For: 203.0.113.1', 'X-Forwarded-For: 203.0.113.2'],
  ['Connection: X-Forwarded-For, X-Request-Id, Host', 'Connection: keep-alive'],
  ['Expect: 100-continue', 'Expect: 100-continue'],
  ['Content-Encoding: identity', 'Content-Encoding: gzip'],
];

/** Headers behind the body, which are nobody's. */
const TRAILERS: readonly string[] = [
  'Content-Length: 5\r\n',
  'Transfer-Encoding: identity\r\n',
  'X-Forwarded-For: 203.0.113.9\r\nX-Request-Id: from-the-trailer\r\n',
  'Idempotency-Key: from-the-trailer\r\n',
  '\r\nGET /metrics HTTP/1.1\r\nHost: a\r\n',
  `${MARKER}\r\n`,
  `X-Thing: ${MARKER.repeat(6_000)}\r\n`,
  'X-Thing: a\r\n'.repeat(2_000),
];

/** Ways to leave the folder of the pages, or to reach what is not public. */
const PATHS = String.raw`
/../../../../etc/passwd /..%2f..%2f..%2fetc/passwd /%2e%2e/%2e%2e/etc/passwd /assets/..%5c..%5cetc%5cpasswd
/images/%252e%252e/%252e%252e/etc/passwd /assets/../../package.json /.env /.git/config /.well-known/../.env /%00 /about%00.html
/site.css%20 /metrics /health/ready /health/live /-/error/html /-/error/json /api/../metrics /api/%2e%2e/metrics /api/..;/metrics
/api/health/ready /api/contact/../../health/live //example.org/about/ /about// /%0d%0aX-Injected:%20yes/
/about%0d%0aX-Injected:%20yes.html /index.html.br /assets/x.js.map /404.html /\..\..\etc\passwd /~root
/%c0%ae%c0%ae/etc/passwd /%ff%fe /api/form-token/${MARKER} /api/form-token%0d%0aX-Injected:1`;

const withTrailer = (trailer: string) =>
  postOf([TYPE, CHUNKED, 'Trailer: X-Thing'], `${BODY.length.toString(16)}\r\n${BODY}\r\n0\r\n${trailer}\r\n`);

const HALF = postOf([TYPE, LENGTH], BODY.slice(0, 40));
const HALF_FILE = requestOf(
  'POST /api/resume HTTP/1.1',
  ['Host: a', 'Content-Type: multipart/form-data; boundary=slow', 'Content-Length: 500000'],
  '--slow\r\nContent-Disposition: form-data; name="resume"; filename="a.pdf"\r\nContent-Type: application/pdf\r\n\r\n%PDF-1.4',
);
/** How many connections hang, while somebody else is served. */
const CONNECTIONS = 10;

export const protocolCases: readonly HostileCase[] = [
  ...SMUGGLING.map(([name, headers, body]) =>
    rawCase(`smuggling: ${name}`, requestOf('POST /api/contact HTTP/1.1', ['Host: a', TYPE, ...headers], body), {
      most: 9,
    }),
  ),
  ...ODDITIES.map(([line, statuses, headers = []]) =>
    rawCase(
      `request: ${line.slice(0, 60)} ${headers.join().slice(0, 30)}`,
      requestOf(line, ['Host: a', 'Connection: close', ...headers]),
      { statuses },
    ),
  ),
  ...BARE.map(([name, bytes, statuses]) => rawCase(`request: ${name}`, bytes, { statuses })),
  ...HARMLESS.map((headers) =>
    rawCase(`headers: ${headers.join().slice(0, 60)}`, postOf([TYPE, LENGTH, ...headers], BODY), {}),
  ),
  ...TRAILERS.map((trailer) => rawCase(`trailer: ${trailer.slice(0, 40).trim()}`, withTrailer(trailer), { most: 2 })),
  ...PATHS.trim().split(/\s+/).map(notFound),
  slowCase('a head that comes by the byte', `${HALF}X-Thing: ${MARKER.repeat(100)}`, 1),
  slowCase('a body that stops half way', HALF),
  slowCase('a file that stops half way', HALF_FILE),
];

/** Neither a file, nor a redirect to elsewhere. */
function notFound(path: string): HostileCase {
  const request = requestOf(`GET ${path} HTTP/1.1`, ['Host: a', 'Connection: close']);
  const plain = rawCase(`path: ${path}`, request, { statuses: [301, 400, 404] });
  return {
    name: plain.name,
    async run(target) {
      const { text } = await sendRaw(target.port, request);
      const location = /^location: *(.*)$/im.exec(text)?.[1] ?? '/';
      return /^\/(?![/\\])/.test(location) ? plain.run(target) : 'a redirect to another site';
    },
  };
}

/** Many such connections at once are each ended by the server, and meanwhile somebody else is served. */
function slowCase(name: string, bytes: string, step = bytes.length): HostileCase {
  return {
    name: `slow: ${name}`,
    async run(target) {
      const hanging = Array.from({ length: CONNECTIONS }, () => sendRaw(target.port, bytes, { step }));
      await pause(100);
      const wrong = await refusalOfGoodEnquiry(target);
      const replies = await Promise.all(hanging);
      if (replies.some(({ isOpen }) => isOpen)) return 'a connection stays open';
      return wrong ?? (replies.some(({ text }) => /^HTTP\/1\.1 5/m.test(text)) ? 'answered 5xx' : undefined);
    },
  };
}
