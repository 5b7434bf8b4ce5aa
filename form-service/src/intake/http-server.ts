import type { Server } from 'node:http';
import type { NestExpressApplication } from '@nestjs/platform-express';

/** A client that needs longer than this for the head of a request, or for the whole of it, is cut off. */
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 120_000;

/**
 * This is longer than nginx keeps idle connections, so that nginx closes them and never uses one that is closed here.
 */
const KEEP_ALIVE_MS = 75_000;

/** Configures the HTTP server: which proxy is trusted, the time-outs, and the headers that are left out. */
export function configureHttpServer(app: NestExpressApplication): void {
  // One hop is trusted: nginx appends the client's address as the last one, whatever the client claimed before.
  app.set('trust proxy', 1).disable('x-powered-by').disable('etag');
  const server = app.getHttpServer() as Server;
  server.headersTimeout = HEADERS_TIMEOUT_MS;
  server.requestTimeout = REQUEST_TIMEOUT_MS;
  server.keepAliveTimeout = KEEP_ALIVE_MS;
}
