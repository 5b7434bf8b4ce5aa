import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import getPort, { portNumbers } from 'get-port';
import { StartError } from './start-error.ts';

/** Below those that systems give to outgoing connections, of which one could take a port before it is listened on. */
const RANGE = [15_000, 32_000] as const;

/** Ports free on the loopback address at this moment, all different, and others than another process is told just then. */
export function freePorts(count: number): Promise<number[]> {
  const ports = () => portNumbers(randomInt(...RANGE), RANGE[1]);
  return Promise.all(Array.from({ length: count }, () => getPort({ host: '127.0.0.1', port: ports() })));
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
