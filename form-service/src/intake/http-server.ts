import type { Server } from 'node:http';
import type { NestExpressApplication } from '@nestjs/platform-express';

/** The longest time for the head of a request. */
const HEADERS_TIMEOUT_MS = 10_000;

/**
 * The longest time for a whole request: that of a résumé of 10 MiB at 12 kB/s, which a phone at the edge of its network
 * has. A client that sends nothing is ended by nginx long before.
 */
const REQUEST_TIMEOUT_MS = 15 * 60_000;

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
