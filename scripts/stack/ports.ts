import { createServer } from 'node:net';
import { StartError } from './start-error.ts';

/** Ports free on the loopback address at this moment, all different. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(Array.from({ length: count }, () => listen(0, '127.0.0.1')));
  return Promise.all(servers.map(({ port, close }) => close().then(() => port)));
}

/** Throws a {@link StartError} unless the port can be bound; `variable` is the setting that moves it. */
export async function requireFree(port: number, host: string, variable: string): Promise<void> {
  try {
    await (await listen(port, host)).close();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE')
      throw new StartError(`Port ${port} is in use: stop what listens there, or set ${variable} to another port.`);
    if (code === 'EACCES')
      throw new StartError(`Port ${port} may not be opened by this user: set ${variable} to one above 1023.`);
    throw new StartError(`Cannot listen on ${host}:${port} (${code}): set HOST to an address of this machine.`);
  }
}

function listen(port: number, host: string): Promise<{ port: number; close: () => Promise<void> }> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen({ port, host, exclusive: true }, () => {
      const address = server.address();
      if (address === null || typeof address === 'string') throw new TypeError('A TCP server has a port');
      resolve({ port: address.port, close: () => new Promise((closed) => server.close(() => closed())) });
    });
  });
}
