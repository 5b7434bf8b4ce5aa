import { setTimeout as pause } from 'node:timers/promises';

/** What is asked of a connection: ioredis has it, to one server or to a cluster. */
interface Pingable {
  readonly status: string;
  ping(): Promise<string>;
}

/** A Redis that takes longer than this to answer a PING is frozen, or as good as that; in milliseconds. */
const TIMEOUT_MS = 1_000;

/**
 * What is wrong with Redis, or undefined when it answers. A connection alone says little: that of a Redis which hangs
 * stays open.
 */
export async function checkRedis(client: Pingable): Promise<'away' | 'connected, but does not answer' | undefined> {
  if (client.status !== 'ready') return 'away';
  const timeout = pause(TIMEOUT_MS, 'late', { ref: false });
  const answer = await Promise.race([client.ping().catch(() => 'failed'), timeout]);
  return answer === 'PONG' ? undefined : 'connected, but does not answer';
}
