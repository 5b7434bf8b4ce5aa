import { freePorts } from '../../scripts/stack/ports.ts';

/** A port of the loopback address that nothing listens on, and that no connection is given before a test's server has it. */
export async function freePort(): Promise<number> {
  const [port = 0] = await freePorts(1);
  return port;
}
