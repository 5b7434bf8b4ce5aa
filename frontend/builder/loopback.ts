import { createServer, type AddressInfo } from 'node:net';
import type { Plugin } from 'vite';

/** Answers on `[::1]` in addition to `127.0.0.1`, as nginx does: `localhost` can be either. Vite listens at one address. */
export function bothLoopbacks(): Plugin {
  return {
    name: 'both-loopbacks',
    configureServer({ httpServer, config }) {
      if (config.server.host !== '127.0.0.1' || !httpServer) return;
      // Injects each connection into Vite's server, which so serves its WebSockets too.
      const other = createServer((socket) => httpServer.emit('connection', socket));
      // The machine has no IPv6, or another program listens there.
      other.on('error', () => undefined);
      httpServer.once('listening', () => other.listen((httpServer.address() as AddressInfo).port, '::1'));
      httpServer.once('close', () => other.close());
    },
  };
}
