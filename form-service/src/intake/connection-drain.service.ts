import type { Server } from 'node:http';
import { Server as TcpServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';

/** This is longer than nginx keeps an idle connection (`keepalive_timeout` of its upstream, 3 s). */
const DRAIN_MS = 4_000;
const SWEEP_MS = 100;

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
