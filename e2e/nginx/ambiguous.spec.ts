import { connect } from 'node:net';
import { expect, test } from './server.ts';

test.use({ setup: { variables: { HEADER_TIMEOUT: '1s', BODY_TIMEOUT: '1s' } } });

const BODY = '{"name":"Ana"}';
const LENGTH = `Content-Length: ${BODY.length}`;
const CHUNKED = 'Transfer-Encoding: chunked';
const SMUGGLED = '0\r\n\r\nGET /metrics HTTP/1.1\r\nHost: a\r\n\r\n';

/** Request smuggling: headers and bodies that nginx and Node.js could parse differently. */
const AMBIGUOUS: readonly (readonly [headers: readonly string[], body: string])[] = [
  [[LENGTH, 'Content-Length: 5'], BODY],
  [[LENGTH, LENGTH], BODY],
  [[`${LENGTH}, ${BODY.length}`], BODY],
  [['Content-Length: -1'], BODY],
  [[`Content-Length: +${BODY.length}`], BODY],
  [['Content-Length: 0x10'], BODY],
  [[`Content-Length: ${'9'.repeat(40)}`], BODY],
  [[`Content-Length: ${SMUGGLED.length}`, CHUNKED], SMUGGLED],
  [[CHUNKED, 'Content-Length: 4'], SMUGGLED],
  [[CHUNKED, CHUNKED], SMUGGLED],
  [['Transfer-Encoding: xchunked', 'Content-Length: 0'], SMUGGLED.slice(5)],
  [[`${CHUNKED}, identity`], SMUGGLED],
  [['Transfer-Encoding:\tchunked', 'Content-Length: 4'], SMUGGLED],
  [['Transfer-Encoding : chunked', 'Content-Length: 5'], SMUGGLED],
  [['Transfer-Encoding:', ' chunked', 'Content-Length: 5'], SMUGGLED],
  [[CHUNKED], `${'f'.repeat(40)}\r\nx\r\n0\r\n\r\n`],
  [['X-Thing: a\rContent-Length: 5'], BODY],
  [['X-Thing: a\0b', LENGTH], BODY],
  [[CHUNKED], `e\r\n${BODY}\r\n0\r\nX-Forwarded-For: 203.0.113.9\r\nContent-Length: 5\r\n\r\n`],
];

/** Time limit, far longer than any of nginx. */
const PATIENCE_MS = 90_000;

/** Time without a response after which a request is considered incomplete and ended. */
const SILENCE_MS = 1_500;

/** Builds a request from these lines, without any check. */
const rawRequest = (line: string, headers: readonly string[], body = ''): string =>
  [line, ...headers, '', body].join('\r\n');

/**
 * Sends raw bytes (text as Latin-1) on a new connection, and reads until the server ends it.
 *
 * @param silenceMs time without a response after which this side is closed, Infinity for never
 * @returns the status of every final response in order, and whether the connection was open until the time limit
 */
async function sendRaw(port: number, request: string, silenceMs = SILENCE_MS) {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  let [text, isOpen] = ['', true];
  const closed = () => {
    isOpen = false;
    socket.destroy();
  };
  socket.setEncoding('latin1').on('data', (chunk: string) => (text += chunk));
  socket.once('end', closed).once('error', closed);
  if (silenceMs < Infinity) socket.setTimeout(silenceMs, () => socket.end());
  const timer = setTimeout(() => socket.destroy(), PATIENCE_MS);
  socket.write(request, 'latin1');
  await new Promise((resolve) => socket.once('close', resolve));
  clearTimeout(timer);
  const statuses = [...text.matchAll(/^HTTP\/1\.[01] (\d{3}) /gm)].map(([, status]) => Number(status));
  return { statuses: statuses.filter((status) => status !== 100), isOpen };
}

test('ambiguous request > reaches the api at most once, with the real address', async ({ nginx }) => {
  for (const [headers, body] of AMBIGUOUS) {
    const seen: (string | undefined)[] = [];
    nginx.upstream = ({ url, headers: { 'x-forwarded-for': from } }, response) => {
      seen.push(`${url} from ${String(from)}`);
      response.writeHead(202).end();
    };
    const { statuses, isOpen } = await sendRaw(
      nginx.port,
      rawRequest('POST /api/contact HTTP/1.1', ['Host: a', ...headers], body),
    );
    const what = JSON.stringify([headers, body]).slice(0, 200);
    expect.soft([[], ['/api/contact from 127.0.0.1']], what).toContainEqual(seen);
    // After the first response, nginx rejects the remaining bytes as an invalid request.
    expect
      .soft(
        statuses.slice(0, 1).every((status) => status < 500),
        `${what}: ${statuses}`,
      )
      .toBe(true);
    expect.soft(isOpen, what).toBe(false);
  }
});

test('unfinished request > times out without delaying others', async ({ nginx }) => {
  nginx.upstream = (request, response) => void request.resume().on('end', () => response.writeHead(202).end());
  const head = rawRequest('POST /api/contact HTTP/1.1', ['Host: a', 'Content-Length: 500']);
  const upload = rawRequest('POST /api/resume HTTP/1.1', ['Host: a', 'Content-Length: 500000'], '--slow\r\n');
  const unfinished = [head.slice(0, -2), `${head}{"name":`, upload].map((begun) =>
    sendRaw(nginx.port, begun, Infinity),
  );
  expect((await nginx.request('/api/contact', { method: 'POST', body: '{}' })).status).toBe(202);
  for (const { isOpen, statuses } of await Promise.all(unfinished)) {
    expect(isOpen).toBe(false);
    expect(statuses.filter((status) => status >= 500)).toEqual([]);
  }
});
