import type { Server } from 'node:http';
import { Server as TcpServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
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

/** The pause at shutdown is longer than nginx keeps an idle connection (`keepalive_timeout` of its upstream, 3 s). */
const DRAIN_MS = 4_000;
const SWEEP_MS = 100;

/** Configures the HTTP server: which proxy is trusted, the time-outs, and the headers that are left out. */
export function configureHttpServer(app: NestExpressApplication): void {
  // One hop is trusted: nginx appends the client's address as the last one, whatever the client claimed before.
  app.set('trust proxy', 1).disable('x-powered-by').disable('etag');
  const server = app.getHttpServer() as Server;
  server.headersTimeout = HEADERS_TIMEOUT_MS;
  server.requestTimeout = REQUEST_TIMEOUT_MS;
  server.keepAliveTimeout = KEEP_ALIVE_MS;
}

/**
 * Ends connections at shutdown so that nginx never sends a request on one that is being closed, which it could not
 * repeat. New connections are refused, so nginx goes to another replica; an answer on an open connection announces that
 * it is the last one; and idle connections are left for nginx to close.
 */
@Injectable()
export class ConnectionDrainService implements BeforeApplicationShutdown {
  constructor(private readonly host: HttpAdapterHost) {}

  /**
   * Without a signal the application ends inside another process and without nginx in front, so there is nothing to
   * wait for.
   */
  async beforeApplicationShutdown(signal?: string): Promise<void> {
    const server = this.host.httpAdapter.getHttpServer() as Server;
    if (signal !== undefined) await drain(server);
    // The remaining connections close as soon as they have their answers; otherwise they would keep the process alive.
    const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS).unref();
    server.once('close', () => clearInterval(sweep));
  }
}

async function drain(server: Server): Promise<void> {
  server.prependListener('request', (_request, response) => (response.shouldKeepAlive = false));
  // This is the close() of the base class: that of the HTTP server would end idle connections at once.
  const closed = new Promise<void>((resolve) => TcpServer.prototype.close.call(server, () => resolve()));
  await Promise.race([closed, pause(DRAIN_MS, undefined, { ref: false })]);
}
