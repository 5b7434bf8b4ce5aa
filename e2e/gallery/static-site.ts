import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.avif': 'image/avif',
  '.webp': 'image/webp',
  '.jpg': 'image/jpeg',
  '.woff2': 'font/woff2',
};

export interface StaticSite {
  readonly origin: string;
  close(): Promise<void>;
}

/** Serves a folder of prerendered pages on a free port of this machine: `/about` is `about.html`, anything unknown is `404.html`. */
export async function serveSite(folder: string): Promise<StaticSite> {
  const server = createServer(async (request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url ?? '/', 'http://localhost').pathname));
    const file = path === '/' ? '/index.html' : extname(path) ? path : `${path}.html`;
    const found = await readFile(join(folder, file)).catch(() => undefined);
    const body = found ?? (await readFile(join(folder, '404.html')));
    response.writeHead(found ? 200 : 404, { 'Content-Type': (found && TYPES[extname(file)]) ?? TYPES['.html'] });
    response.end(body);
  });
  await listen(server);
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    close: () => new Promise((resolve) => void server.close(() => resolve())),
  };
}

const listen = (server: Server) => new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
