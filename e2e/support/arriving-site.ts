import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** Less than a network packet carries, so that pages are cut where no packet would cut them too. */
const PIECE_BYTES = 900;
const PAUSE_MS = 9;
/** Of the body: what the first screen is made of, and then some. */
const IN_PIECES_BYTES = 24_000;

export interface ArrivingSite {
  readonly origin: string;
  close(): Promise<void>;
}

/** The same site as at `origin`, over a line so slow that the browser paints a page many times before it is complete. */
export async function serveSlowly(origin: string): Promise<ArrivingSite> {
  const server = createServer(async (request, response) => {
    const answer = await fetch(origin + request.url, {
      headers: { 'Accept-Encoding': 'identity' },
      redirect: 'manual',
    });
    const type = answer.headers.get('content-type') ?? '';
    response.writeHead(answer.status, {
      'Content-Type': type,
      'Content-Security-Policy': answer.headers.get('content-security-policy') ?? '',
    });
    const content = Buffer.from(await answer.arrayBuffer());
    if (type.startsWith('text/html')) await sendInPieces(response, content);
    response.end(type.startsWith('text/html') ? undefined : content);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The head at once, for nothing is painted before it; then the body. */
async function sendInPieces(response: ServerResponse, page: Buffer): Promise<void> {
  const body = page.indexOf('<body');
  const rest = Math.min(page.length, body + IN_PIECES_BYTES);
  response.write(page.subarray(0, body));
  for (let at = body; at < rest; at += PIECE_BYTES) {
    response.write(page.subarray(at, Math.min(at + PIECE_BYTES, rest)));
    await pause(PAUSE_MS);
  }
  response.write(page.subarray(rest));
}
