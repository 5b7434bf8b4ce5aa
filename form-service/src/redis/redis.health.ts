import { setTimeout as pause } from 'node:timers/promises';

/** The command that the check needs; ioredis has it for one server and for a cluster. */
interface Pingable {
  readonly status: string;
  ping(): Promise<string>;
}

/** A Redis that takes longer than this to answer a PING counts as frozen. */
const TIMEOUT_MS = 1_000;

/**
 * The fault of a Redis connection, or undefined when Redis answers. An open connection alone is no proof, since that of
 * a Redis which hangs stays open.
 */
export async function checkRedis(client: Pingable): Promise<'away' | 'connected, but does not answer' | undefined> {
  if (client.status !== 'ready') return 'away';
  const timeout = pause(TIMEOUT_MS, 'late', { ref: false });
  const answer = await Promise.race([client.ping().catch(() => 'failed'), timeout]);
  return answer === 'PONG' ? undefined : 'connected, but does not answer';
}
