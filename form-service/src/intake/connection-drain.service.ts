import type { Server } from 'node:http';
import { Server as TcpServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';

/** Longer than nginx keeps an idle connection (`keepalive_timeout` of its upstream, 3 s); in milliseconds. */
const DRAIN_MS = 4_000;
const SWEEP_MS = 100;

/**
 * Ends connections so that nginx never sends a request on one that is being closed, which it could not send again: nobody new
 * is let in, so that nginx goes to another replica; who asks on an open connection is told that it was the last time; and
 * those that are idle are left for nginx to close.
 */
@Injectable()
export class ConnectionDrainService implements BeforeApplicationShutdown {
  constructor(private readonly host: HttpAdapterHost) {}

  /** Without a signal the application ends inside another process, with no nginx in front: nothing is waited for. */
  async beforeApplicationShutdown(signal?: string): Promise<void> {
    const server = this.host.httpAdapter.getHttpServer() as Server;
    if (signal !== undefined) await drain(server);
    // What is left closes as soon as it has its answer, or it would hold the process up for as long as it is kept alive.
    const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS).unref();
    server.once('close', () => clearInterval(sweep));
  }
}

async function drain(server: Server): Promise<void> {
  server.prependListener('request', (_request, response) => (response.shouldKeepAlive = false));
  // The close() of the class above: that of HTTP ends idle connections at once.
  const closed = new Promise<void>((resolve) => TcpServer.prototype.close.call(server, () => resolve()));
  await Promise.race([closed, pause(DRAIN_MS, undefined, { ref: false })]);
}
