import type { Server } from 'node:http';
import { Server as TcpServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';

/** Time limit for the head of a request. */
const HEADERS_TIMEOUT_MS = 10_000;

/**
 * Time limit for a whole request: a résumé of 10 MiB at 12 kB/s, the speed of a phone with a weak signal. nginx ends
 * silent clients long before.
 */
const REQUEST_TIMEOUT_MS = 15 * 60_000;

/** Longer than nginx keeps idle connections, so that nginx closes them and never reuses one that is closed here. */
const KEEP_ALIVE_MS = 75_000;

/** Time for draining, longer than nginx keeps an idle connection (`keepalive_timeout` of its upstream, 3 s). */
const DRAIN_MS = 4_000;
const SWEEP_MS = 100;

/** Configures trust in the proxy, timeouts and response headers. */
export function configureHttpServer(app: NestExpressApplication): void {
  // Trusts one hop: nginx appends the client's address, so only the last one in X-Forwarded-For is not forged.
  app.set('trust proxy', 1).disable('x-powered-by').disable('etag');
  const server = app.getHttpServer() as Server;
  server.headersTimeout = HEADERS_TIMEOUT_MS;
  server.requestTimeout = REQUEST_TIMEOUT_MS;
  server.keepAliveTimeout = KEEP_ALIVE_MS;
}

/**
 * Drains connections in a graceful shutdown, so that nginx never sends a POST on a closing connection, which it could
 * not retry. New connections are refused, so nginx uses another replica. A response on an open connection announces
 * `Connection: close`. Idle connections are left for nginx to close; what is left afterwards is ended once it is idle.
 * Otherwise a client that keeps its connection would delay the end of the process by {@link KEEP_ALIVE_MS}.
 */
@Injectable()
export class ConnectionDrainService implements BeforeApplicationShutdown {
  constructor(private readonly host: HttpAdapterHost) {}

  /** Drains only after a signal. Without one, the application runs inside another process, without nginx. */
  async beforeApplicationShutdown(signal?: string): Promise<void> {
    const server = this.host.httpAdapter.getHttpServer() as Server;
    if (signal !== undefined) await drain(server);
    const sweep = setInterval(() => {
      if (!server.listening) server.closeIdleConnections();
    }, SWEEP_MS).unref();
    server.once('close', () => clearInterval(sweep));
  }
}

async function drain(server: Server): Promise<void> {
  server.prependListener('request', (_request, response) => (response.shouldKeepAlive = false));
  // close() of the base class: http.Server.close() would end idle connections at once.
  const closed = new Promise<void>((resolve) => TcpServer.prototype.close.call(server, () => resolve()));
  await Promise.race([closed, pause(DRAIN_MS, undefined, { ref: false })]);
}
