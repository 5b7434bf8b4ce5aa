import { mkdtempSync, rmSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { block, END_HEADERS, END_STREAM, frame, sendFrames, TYPES } from './http2-wire.ts';
import { expect, NginxServer, test, tlsVariables } from './server.ts';

type Fields = readonly (readonly [name: string, value: string])[];

const SMUGGLED = '0\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n';
const to = (method: string, path: string): Fields => [
  [':method', method],
  [':scheme', 'https'],
  [':path', path],
  [':authority', 'localhost'],
];
const POST = to('POST', '/api/contact');
const GET = to('GET', '/api/form-token');
const WHOLE = END_HEADERS | END_STREAM;

const head = (fields: Fields, flags = END_HEADERS, stream = 1) => frame(TYPES.HEADERS, flags, stream, block(fields));
const withBody = (fields: Fields) => [head(fields), frame(TYPES.DATA, END_STREAM, 1, SMUGGLED)];
const withHeaders = (...more: Fields) => withBody([...POST, ...more]);
const instead = (name: string, value: string) =>
  withBody(POST.map(([known, usual]) => [known, known === name ? value : usual] as const));
const times = (count: number, make: (index: number) => Buffer) => Array.from({ length: count }, (_, at) => make(at));

/** Frames that could become a second request, or other headers, on the way to the api. */
const SMUGGLING: Readonly<Record<string, readonly Buffer[]>> = {
  'a transfer encoding': withHeaders(['transfer-encoding', 'chunked']),
  'a length of nothing': withHeaders(['content-length', '0']),
  'two lengths': withHeaders(['content-length', String(SMUGGLED.length)], ['content-length', '0']),
  'a length that is none': withHeaders(['content-length', '+5']),
  'a line break in a value': withHeaders(['x-thing', 'a\r\nTransfer-Encoding: chunked']),
  'a line feed in a value': withHeaders(['x-thing', 'a\nTransfer-Encoding: chunked']),
  'a line break in a name': withHeaders(['x-thing: a\r\ntransfer-encoding', 'chunked']),
  'a colon in a name': withHeaders(['transfer-encoding: chunked\r\nx', 'a']),
  'a null byte in a value': withHeaders(['x-thing', 'a\0b']),
  'a name in capitals': withHeaders(['Transfer-Encoding', 'chunked']),
  'headers of a connection': withHeaders(['connection', 'x-forwarded-for'], ['keep-alive', '1'], ['upgrade', 'h2c']),
  'a request in the path': instead(':path', '/api/contact HTTP/1.1\r\nHost: a\r\n\r\nGET /smuggled'),
  'a request in the method': instead(':method', 'GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\nPOST'),
  'a line break in the host': instead(':authority', 'localhost\r\nTransfer-Encoding: chunked'),
  'an empty path': instead(':path', ''),
  "a scheme of one's own": instead(':scheme', 'https://a/smuggled?'),
  'two paths': withHeaders([':path', '/smuggled']),
  'a pseudo header behind the others': withHeaders(['x-thing', 'a'], [':method', 'GET']),
  'an unknown pseudo header': withHeaders([':smuggled', 'a']),
  'two hosts': withHeaders(['host', 'another.example']),
  trailers: [
    head(POST),
    frame(TYPES.DATA, 0, 1, '{}'),
    head(
      [
        ['content-length', '5'],
        ['transfer-encoding', 'chunked'],
      ],
      WHOLE,
    ),
  ],
  'headers on no stream': [head(GET, WHOLE, 0)],
  'streams out of order': [head(GET, WHOLE, 9), head(GET, WHOLE, 3)],
  'a body of no request': [frame(TYPES.DATA, END_STREAM, 7, SMUGGLED)],
  'an unknown frame': [frame(0xee, 0xff, 1, SMUGGLED), head(GET, WHOLE)],
  'a window beyond numbers': [
    head(POST),
    ...times(3, () => frame(TYPES.WINDOW_UPDATE, 0, 1, Buffer.from('7fffffff', 'hex'))),
  ],
};

/** Floods that cost the server more than the sender. */
const FLOODS: Readonly<Record<string, readonly Buffer[]>> = {
  '1,000 headers': [head([...GET, ...Array.from({ length: 1_000 }, (_, at) => [`x-${at}`, 'a'] as const)], WHOLE)],
  'headers that never end': [
    head(GET, 0),
    ...times(5_000, () => frame(TYPES.CONTINUATION, 0, 1, block([['x-thing', 'a'.repeat(60)]]))),
  ],
  '2,000 requests taken back at once': times(2_000, (at) =>
    Buffer.concat([head(GET, WHOLE, 2 * at + 1), frame(TYPES.RST_STREAM, 0, 2 * at + 1, Buffer.alloc(4, 8))]),
  ),
  '1,000 requests at once': times(1_000, (at) => head(GET, WHOLE, 2 * at + 1)),
  '20,000 settings': times(20_000, () => frame(TYPES.SETTINGS, 0, 0)),
  '20,000 pings': times(20_000, () => frame(TYPES.PING, 0, 0, Buffer.alloc(8))),
};

let folder: string;
let tlsPort: number;
let nginx: NginxServer;
let seen: { request: IncomingMessage; body: string }[];

test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'kitewright-http2-'));
  const { port, variables } = await tlsVariables(folder);
  tlsPort = port;
  nginx = await NginxServer.start({ variables });
});
test.afterAll(async () => {
  await nginx.close();
  rmSync(folder, { recursive: true });
});
test.beforeEach(() => {
  seen = [];
  nginx.upstream = (request, response) => {
    const entry = { request, body: '' };
    seen.push(entry);
    request.on('data', (chunk: Buffer) => (entry.body += chunk.toString()));
    request.on('end', () => response.writeHead(202).end());
  };
});

/** nginx goes on, and the api has seen nothing but what it is asked. */
async function expectNoHarm(name: string): Promise<void> {
  for (const { request } of seen) {
    const { url, headers, rawHeaders } = request;
    expect(['/api/contact', '/api/form-token'], name).toContain(url);
    const told = [headers['transfer-encoding'] ?? 'none', headers['x-forwarded-for'], headers.upgrade];
    expect(told, name).toEqual(['none', '127.0.0.1', undefined]);
    expect(rawHeaders.join(), name).not.toMatch(/smuggled|another\.example/i);
  }
  const alive = await sendFrames(tlsPort, [head(to('GET', '/healthz'), WHOLE)]);
  expect(alive.toString('latin1'), name).toContain('ok\n');
}

test('No frame over HTTP/2 becomes another request on the way to the api.', async () => {
  for (const [name, frames] of Object.entries(SMUGGLING)) {
    await sendFrames(tlsPort, frames);
    await expectNoHarm(name);
  }
});

for (const [name, frames] of Object.entries(FLOODS)) {
  test(`nginx goes on after HTTP/2 with ${name}.`, async () => {
    await sendFrames(tlsPort, frames);
    await expectNoHarm(name);
  });
}

test('The frames of this suite are such as nginx understands.', async () => {
  await sendFrames(tlsPort, withHeaders(['x-thing', 'a'.repeat(300)], ['content-length', String(SMUGGLED.length)]));
  expect(seen.map(({ body }) => body)).toEqual([SMUGGLED]);
});
