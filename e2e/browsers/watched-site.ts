import { createHash } from 'node:crypto';
import { createServer, request as forward, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** Records uncaught errors of all pages in a tab. WebKit's driver reports none, and WebDriver has no preload scripts. */
const RECORDER = `(() => {
  const note = (error) => (sessionStorage.errors = (sessionStorage.errors ?? '') + error + '\\n');
  addEventListener('error', ({ message }) => note(message));
  addEventListener('unhandledrejection', ({ reason }) => note(reason));
})()`;
const RECORDER_HASH = `'sha256-${createHash('sha256').update(RECORDER).digest('base64')}'`;

/** Expression for the errors that {@link RECORDER} has recorded. */
export const ERRORS = `sessionStorage.errors ?? ''`;

export interface WatchedSite {
  readonly origin: string;
  close(): void;
}

/** Proxies a site: adds the recorder to each page and its hash to the policy, and can replace headers. */
export async function watchSite(origin: string, replaced: Readonly<Record<string, string>> = {}): Promise<WatchedSite> {
  const server = createServer(async (request, response) => {
    const { method, url = '/' } = request;
    const headers = { ...request.headers, 'accept-encoding': 'identity' };
    const answered = new Promise<IncomingMessage>((resolve, reject) => {
      request.pipe(forward(new URL(url, origin), { method, headers }, resolve).on('error', reject));
    });
    const answer = await answered.catch(() => undefined);
    if (!answer) return void response.destroy();
    const before = String(answer.headers['content-security-policy']);
    // The inbox allows no script.
    if (!answer.headers['content-type']?.startsWith('text/html') || !before.includes('script-src')) {
      response.writeHead(answer.statusCode ?? 500, { ...answer.headers, ...replaced });
      return void answer.pipe(response);
    }
    const policy = before.replace('script-src', `script-src ${RECORDER_HASH}`);
    const { 'content-length': _, ...rest } = answer.headers;
    response.writeHead(answer.statusCode ?? 500, { ...rest, 'content-security-policy': policy, ...replaced });
    response.end((await text(answer)).replace('<head>', `<head><script>${RECORDER}</script>`));
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, close: () => void server.close().closeAllConnections() };
}
