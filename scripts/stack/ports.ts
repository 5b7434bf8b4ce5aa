import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { acquireLock } from './lock.ts';
import { StartError } from './start-error.ts';

/** Ports to choose from, below the ephemeral ports of outgoing connections. */
const RANGE = [15_000, 32_000] as const;

/** Lock files, one per port, shared by all checkouts of a user on this machine. */
const LOCKS = join(tmpdir(), `kitewright-ports-${userInfo().uid}`);

/**
 * Finds different ports that are free on the loopback address, and reserves them until this process ends: no other stack or
 * test run gets one, also while the server that uses it is starting or restarting.
 */
export async function freePorts(count: number, [first, last]: readonly [number, number] = RANGE): Promise<number[]> {
  const ports: number[] = [];
  const size = last - first + 1;
  const start = randomInt(size);
  for (let step = 0; ports.length < count; step++) {
    if (step === size) throw new Error(`Fewer than ${count} ports from ${first} to ${last} are free.`);
    const port = first + ((start + step) % size);
    const unlock = acquireLock(join(LOCKS, String(port)));
    if (!unlock) continue;
    if ((await bindError(port, '127.0.0.1')) === undefined) ports.push(port);
    else unlock();
  }
  return ports;
}

/** Throws a {@link StartError} that names the setting `variable` if the port cannot be bound. */
export async function requireFreePort(port: number, host: string, variable: string): Promise<void> {
  const code = await bindError(port, host);
  if (code === undefined) return;
  const remedy = `Stop the program that listens there, or set ${variable} to another port`;
  throw new StartError(`Cannot listen on port ${port} of ${host} (${code}). ${remedy}.`);
}

/** Returns the error code if the port cannot be bound, otherwise undefined. */
async function bindError(port: number, host: string): Promise<string | undefined> {
  const server = createServer();
  try {
    await once(server.listen({ port, host, exclusive: true }), 'listening');
    await once(server.close(), 'close');
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? '';
  }
}
