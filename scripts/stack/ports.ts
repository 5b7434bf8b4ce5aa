import { createServer } from 'node:net';
import { once } from 'node:events';
import getPort from 'get-port';
import { StartError } from './start-error.ts';

/** Ports free on the loopback address at this moment, all different. */
export function freePorts(count: number): Promise<number[]> {
  return Promise.all(Array.from({ length: count }, () => getPort({ host: '127.0.0.1' })));
}

const REASONS: Readonly<Record<string, (port: number, variable: string) => string>> = {
  EADDRINUSE: (port, variable) =>
    `Port ${port} is in use: stop what listens there, or set ${variable} to another port.`,
  EACCES: (port, variable) => `Port ${port} may not be opened by this user: set ${variable} to one above 1023.`,
};

/** Throws a {@link StartError} unless the port can be bound; `variable` is the setting that moves it. */
export async function requireFree(port: number, host: string, variable: string): Promise<void> {
  const server = createServer();
  try {
    await once(server.listen({ port, host, exclusive: true }), 'listening');
    await once(server.close(), 'close');
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    throw new StartError(
      REASONS[code]?.(port, variable) ??
        `Cannot listen on ${host}:${port} (${code}): set HOST to an address of this machine.`,
    );
  }
}
