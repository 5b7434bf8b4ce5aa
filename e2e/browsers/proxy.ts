import { createServer, request as forward } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Proxies a site, and replaces headers of its responses. Returns its origin, and a function that stops it. */
export async function startProxy(origin: string, replaced: Readonly<Record<string, string>>) {
  const server = createServer((request, response) => {
    const { method = 'GET', url = '/', headers } = request;
    const sent = forward(new URL(url, origin), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, { ...answer.headers, ...replaced });
      answer.pipe(response);
    });
    request.pipe(sent.on('error', () => response.destroy()));
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, close: () => void server.close().closeAllConnections() };
}
