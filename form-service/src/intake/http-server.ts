import type { Server } from 'node:http';
import type { NestExpressApplication } from '@nestjs/platform-express';

/** A client that is slower than this with its head, or with the whole request, is cut off; in milliseconds. */
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 120_000;

/** Longer than nginx keeps its idle connections, so that it is never nginx that finds one closed; in milliseconds. */
const KEEP_ALIVE_MS = 75_000;

/** Sets what holds for every request: whom to believe, how long to wait, what not to tell. */
export function configureHttpServer(app: NestExpressApplication): void {
  // One hop: nginx appends the client's address as the last one, whatever the client claimed before.
  app.set('trust proxy', 1).disable('x-powered-by').disable('etag');
  const server = app.getHttpServer() as Server;
  server.headersTimeout = HEADERS_TIMEOUT_MS;
  server.requestTimeout = REQUEST_TIMEOUT_MS;
  server.keepAliveTimeout = KEEP_ALIVE_MS;
}
