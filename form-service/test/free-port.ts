import { freePorts } from '../../scripts/stack/ports.ts';

/** Returns a free loopback port outside the ephemeral range, so that no outgoing connection takes it. */
export async function freePort(): Promise<number> {
  const [port = 0] = await freePorts(1);
  return port;
}
