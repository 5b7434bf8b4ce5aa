import { setTimeout as pause } from 'node:timers/promises';
import { Redis, type RedisOptions } from 'ioredis';
import type { RedisSettings } from '../settings/settings.ts';

/** Prefix of all keys, so that other applications can share the Redis. */
export const KEY_PREFIX = 'kitewright';

/** The C library waits 5 s for a silent name server before it asks the next one. */
const CONNECT_MS = 10_000;

/**
 * A connection without an answer to its commands for so long is replaced: a proxy may keep the connection of a server
 * that is gone. Longer than BullMQ's blocking commands (10 s).
 */
const SILENCE_MS = 30_000;

/** Maximum pause between two connection attempts, so that everything works within 2 s of Redis's return. */
const RECONNECT_MAX_MS = 1_000;

/** Time limit for the answer to the write of a check. */
export const CHECK_MS = 1_000;

/** Lifetime of the key that a check writes. */
const CHECK_KEY_MS = 60_000;

/** Why each connection that is not ready was ended or refused. Its commands only learn that it is not ready. */
const connectionErrors = new WeakMap<Redis, Error>();

/** Options of a connection whose commands fail at once while Redis is unavailable, and otherwise after this time. */
export const failFastOptions = (commandTimeout: number) => ({
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  commandTimeout,
});

/**
 * Creates a connection that reconnects without limit and never crashes the process. Its `close` and `ready` events show
 * outages, so the driver's `error` events only explain them.
 *
 * A demoted server keeps its connections. So a rejection by a replica ends the connection, and the next one leads to the
 * new primary. The command is not repeated: BullMQ and the periodic tasks retry, and the caller learns the reason.
 */
export function createRedisClient({ REDIS_URL }: RedisSettings, options: RedisOptions): Redis {
  const client: Redis = new Redis(REDIS_URL, {
    connectTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    ...options,
    enableAutoPipelining: true,
    // The check would hide that Redis is loading its data. Without it, commands are rejected with LOADING.
    enableReadyCheck: false,
    retryStrategy: (attempt) => Math.min(attempt * 100, RECONNECT_MAX_MS),
    reconnectOnError: (error) => {
      if (!isFromReplica(error)) return false;
      connectionErrors.set(client, error);
      return true;
    },
  });
  client.on('error', (error) => connectionErrors.set(client, error));
  client.on('ready', () => connectionErrors.delete(client));
  return client;
}

/**
 * Checks a connection by a write, because Redis answers PING and reads when it is full, a replica, or cannot persist.
 *
 * @returns the fault; undefined if the write succeeds
 */
export async function checkRedis(client: Redis, timeoutMs = CHECK_MS): Promise<string | undefined> {
  const late = pause(timeoutMs, 'late', { ref: false });
  try {
    const answer = await Promise.race([client.set(`${KEY_PREFIX}:check`, 1, 'PX', CHECK_KEY_MS), late]);
    return answer === 'late' ? faultOf(client, undefined) : undefined;
  } catch (error) {
    return faultOf(client, error);
  }
}

/** Runs commands. @throws RedisUnavailableError that names the fault */
export async function withRedisErrors<T>(client: Redis, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new RedisUnavailableError(faultOf(client, error), { cause: error });
  }
}

/** Redis cannot be used now. Nothing is lost; a retry may help. */
export class RedisUnavailableError extends Error {
  override readonly name = 'RedisUnavailableError';

  constructor(fault: string, options?: ErrorOptions) {
    super(`REDIS_URL: ${fault}`, options);
  }
}

/** Returns the fault behind a failed command, or behind one without an answer in time. */
function faultOf(client: Redis, error: unknown): string {
  const isReady = client.status === 'ready';
  const rejection = rejectionOf(error) ?? (isReady ? undefined : rejectionOf(connectionErrors.get(client)));
  // The connection of a frozen Redis stays open.
  return rejection ?? (isReady || client.status === 'connect' ? 'connected, but does not answer' : 'does not answer');
}

/** Whether a replica has rejected a command. */
const isFromReplica = ({ message }: Error) => /\b(?:READONLY|MASTERDOWN)\b/.test(message);

/** Codes with which Redis rejects commands although it answers. In the error of a script, Redis 6 puts other words before. */
const CODE = /\b(?:OOM|READONLY|MASTERDOWN|NOREPLICAS|MISCONF|LOADING|NOAUTH|WRONGPASS|NOPERM)\b/;

/** Returns the fault that Redis's reply to a command names, without values, if the error is such a reply. */
export function rejectionOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || error.name !== 'ReplyError') return undefined;
  // Scripts of Redis 7 reject a command that the user may not run without its code.
  const text = error.message.replace(/.*user executing the script.*/s, 'NOPERM');
  const [code] = CODE.exec(text) ?? /^[A-Z]+/.exec(text) ?? ['ERR'];
  return `rejects commands (${code})`;
}
