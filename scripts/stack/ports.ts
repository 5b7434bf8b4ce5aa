import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import getPort, { portNumbers } from 'get-port';
import { StartError } from './start-error.ts';

/**
 * Ports to choose from, below the ephemeral ports of outgoing connections. Parallel test steps each set `PORT_RANGE`, so
 * that none takes the port of a process that another step is restarting.
 */
const [FIRST = 15_000, LAST = 32_000] = process.env.PORT_RANGE?.split('-').map(Number) ?? [];

/** Finds different ports that are currently free on the loopback address. */
export function freePorts(count: number): Promise<number[]> {
  const ports = () => portNumbers(randomInt(FIRST, LAST), LAST);
  return Promise.all(Array.from({ length: count }, () => getPort({ host: '127.0.0.1', port: ports() })));
}

const REASONS: Readonly<Record<string, (port: number, variable: string) => string>> = {
  EADDRINUSE: (port, variable) =>
    `Port ${port} is in use. Stop the program that listens there, or set ${variable} to another port.`,
  EACCES: (port, variable) => `This user may not open port ${port}. Set ${variable} to a port above 1023.`,
};

/** Throws a {@link StartError} that names the setting `variable` if the port cannot be bound. */
export async function requireFreePort(port: number, host: string, variable: string): Promise<void> {
  const server = createServer();
  try {
    await once(server.listen({ port, host, exclusive: true }), 'listening');
    await once(server.close(), 'close');
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    throw new StartError(
      REASONS[code]?.(port, variable) ??
        `Cannot listen on ${host}:${port} (${code}). Set HOST to an address of this machine.`,
    );
  }
}
