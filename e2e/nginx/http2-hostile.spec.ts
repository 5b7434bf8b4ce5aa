import { mkdtempSync, rmSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from '../../scripts/stack/ports.ts';
import { makeCertificate } from '../support/certificate.ts';
import {
  block,
  CONTINUATION,
  DATA,
  END_HEADERS,
  END_STREAM,
  frame,
  HEADERS,
  PING,
  RST_STREAM,
  sendFrames,
  SETTINGS,
  WINDOW_UPDATE,
} from './http2-wire.ts';
import { expect, NginxServer, test } from './server.ts';

type Fields = readonly (readonly [name: string, value: string])[];

const SMUGGLED = '0\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n';
const POST: Fields = [
  [':method', 'POST'],
  [':scheme', 'https'],
  [':path', '/api/contact'],
  [':authority', 'localhost'],
];
const GET: Fields = [
  [':method', 'GET'],
  [':scheme', 'https'],
  [':path', '/api/form-token'],
  [':authority', 'localhost'],
];
const ALIVE: Fields = [
  [':method', 'GET'],
  [':scheme', 'https'],
  [':path', '/healthz'],
  [':authority', 'localhost'],
];

const head = (fields: Fields, flags = END_HEADERS, stream = 1) => frame(HEADERS, flags, stream, block(fields));
const withBody = (more: Fields, fields = POST) => [head([...fields, ...more]), frame(DATA, END_STREAM, 1, SMUGGLED)];
const instead = (name: string, value: string) =>
  withBody(
    [],
    POST.map(([known, usual]) => [known, known === name ? value : usual] as const),
  );
const times = (count: number, make: (index: number) => Buffer) =>
  Array.from({ length: count }, (_, index) => make(index));

/** Frames that could become a second request, or other headers, on the way to the api; and floods that cost the server more than the sender. */
const cases: Readonly<Record<string, readonly Buffer[]>> = {
  'a transfer encoding': withBody([['transfer-encoding', 'chunked']]),
  'a length of nothing': withBody([['content-length', '0']]),
  'two lengths': withBody([
    ['content-length', String(SMUGGLED.length)],
    ['content-length', '0'],
  ]),
  'a length that is none': withBody([['content-length', '+5']]),
  'a line break in a value': withBody([['x-thing', 'a\r\nTransfer-Encoding: chunked']]),
  'a line feed in a value': withBody([['x-thing', 'a\nTransfer-Encoding: chunked']]),
  'a line break in a name': withBody([['x-thing: a\r\ntransfer-encoding', 'chunked']]),
  'a colon in a name': withBody([['transfer-encoding: chunked\r\nx', 'a']]),
  'a null byte in a value': withBody([['x-thing', 'a\0b']]),
  'a name in capitals': withBody([['Transfer-Encoding', 'chunked']]),
  'headers of a connection': withBody([
    ['connection', 'x-forwarded-for'],
    ['keep-alive', '1'],
    ['upgrade', 'h2c'],
  ]),
  'a request in the path': instead(':path', '/api/contact HTTP/1.1\r\nHost: a\r\n\r\nGET /smuggled'),
  'a request in the method': instead(':method', 'GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\nPOST'),
  'a line break in the host': instead(':authority', 'localhost\r\nTransfer-Encoding: chunked'),
  'an empty path': instead(':path', ''),
  "a scheme of one's own": instead(':scheme', 'https://a/smuggled?'),
  'two paths': withBody([[':path', '/smuggled']]),
  'a pseudo header behind the others': withBody([
    ['x-thing', 'a'],
    [':method', 'GET'],
  ]),
  'an unknown pseudo header': withBody([[':smuggled', 'a']]),
  'two hosts': withBody([['host', 'another.example']]),
  trailers: [
    head([...POST]),
    frame(DATA, 0, 1, '{}'),
    head(
      [
        ['content-length', '5'],
        ['transfer-encoding', 'chunked'],
      ],
      END_HEADERS | END_STREAM,
    ),
  ],
  '1,000 headers': [
    head(
      [...GET, ...Array.from({ length: 1_000 }, (_, index) => [`x-${index}`, 'a'] as const)],
      END_HEADERS | END_STREAM,
    ),
  ],
  'headers that never end': [
    head(GET, 0),
    ...times(5_000, () => frame(CONTINUATION, 0, 1, block([['x-thing', 'a'.repeat(60)]]))),
  ],
  'headers on no stream': [head(GET, END_HEADERS | END_STREAM, 0)],
  'streams out of order': [head(GET, END_HEADERS | END_STREAM, 9), head(GET, END_HEADERS | END_STREAM, 3)],
  'a body of no request': [frame(DATA, END_STREAM, 7, SMUGGLED)],
  'an unknown frame': [frame(0xee, 0xff, 1, SMUGGLED), head(GET, END_HEADERS | END_STREAM)],
  'a window beyond numbers': [
    head(POST),
    ...times(3, () => frame(WINDOW_UPDATE, 0, 1, Buffer.from('7fffffff', 'hex'))),
  ],
  '2,000 requests taken back at once': times(2_000, (index) =>
    Buffer.concat([
      head(GET, END_HEADERS | END_STREAM, 2 * index + 1),
      frame(RST_STREAM, 0, 2 * index + 1, Buffer.alloc(4, 8)),
    ]),
  ),
  '1,000 requests at once': times(1_000, (index) => head(GET, END_HEADERS | END_STREAM, 2 * index + 1)),
  '20,000 settings': times(20_000, () => frame(SETTINGS, 0, 0)),
  '20,000 pings': times(20_000, () => frame(PING, 0, 0, Buffer.alloc(8))),
};

let folder: string;
let tlsPort: number;
let nginx: NginxServer;

test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'kitewright-http2-'));
  const { certificate, key } = makeCertificate(folder);
  [tlsPort = 0] = await freePorts(1);
  nginx = await NginxServer.start({
    variables: {
      NGINX_LISTEN_TLS: `127.0.0.1:${tlsPort}`,
      TLS_CERTIFICATE: certificate,
      TLS_CERTIFICATE_KEY: key,
      TLS_PORT: String(tlsPort),
      ACME_ROOT: folder,
    },
  });
});
test.afterAll(async () => {
  await nginx.close();
  rmSync(folder, { recursive: true });
});

for (const [name, frames] of Object.entries(cases)) {
  test(`HTTP/2 with ${name} brings the api no request but its own, and nginx goes on`, async () => {
    const seen: IncomingMessage[] = [];
    nginx.upstream = (question, response) => {
      seen.push(question);
      question.resume().on('end', () => response.writeHead(202).end());
    };
    await sendFrames(tlsPort, frames);
    for (const { url, headers, rawHeaders } of seen) {
      expect(['/api/contact', '/api/form-token']).toContain(url);
      expect([headers['transfer-encoding'] ?? 'none', headers['x-forwarded-for'], headers['upgrade']]).toEqual([
        'none',
        '127.0.0.1',
        undefined,
      ]);
      expect(rawHeaders.join()).not.toMatch(/smuggled|another\.example/i);
    }
    const after = await sendFrames(tlsPort, [head(ALIVE, END_HEADERS | END_STREAM)]);
    expect(after.toString('latin1')).toContain('ok\n');
  });
}

test('the frames of this suite are such as nginx understands', async () => {
  let body = '';
  nginx.upstream = (question, response) => {
    question.on('data', (chunk: Buffer) => (body += chunk.toString()));
    question.on('end', () => response.writeHead(202).end());
  };
  await sendFrames(
    tlsPort,
    withBody([
      ['x-thing', 'a'.repeat(300)],
      ['content-length', String(SMUGGLED.length)],
    ]),
  );
  expect(body).toBe(SMUGGLED);
});
