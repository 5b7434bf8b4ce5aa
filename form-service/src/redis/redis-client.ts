import { readFileSync } from 'node:fs';
import { Cluster, Redis, type RedisOptions } from 'ioredis';
import type { RedisSettings } from '../config/settings.ts';

/** The longest pause between two attempts to reach Redis, so that everything works again within 2 s of its return. */
const RECONNECT_MAX_MS = 1_000;

const CONNECT_MS = 5_000;

/** A Sentinel that does not answer within this time is passed over. */
const SENTINEL_MS = 1_000;

/** Tells ioredis to reconnect after an error and to send the command again. */
const RESEND = 2;

/** Options of a connection beyond the address of Redis. */
type ConnectionOptions = Pick<
  RedisOptions,
  'enableOfflineQueue' | 'enableAutoPipelining' | 'maxRetriesPerRequest' | 'commandTimeout'
>;

/** A connection to one server, with or without Sentinel, or to a cluster. Both have the commands that are used here. */
export type RedisClient = Redis | Cluster;

/**
 * A connection to Redis that reconnects for ever and never crashes the process. Its `close` and `ready` events show
 * outages; the driver's error events add nothing and are ignored.
 */
export function createRedisClient(settings: RedisSettings, options: ConnectionOptions): RedisClient {
  const client =
    settings.REDIS_CLUSTER_NODES === undefined
      ? new Redis(serverOptions(settings, options))
      : connectCluster(settings.REDIS_CLUSTER_NODES, settings, options);
  client.on('error', () => undefined);
  return client;
}

/** The prefix of all our keys, so that a Redis can be shared. */
export const KEY_PREFIX = 'kitewright';

/**
 * The prefix of the queues' keys. In a cluster its braces keep them on one node, since scripts touch several keys at
 * once.
 */
export function queuePrefix({ REDIS_CLUSTER_NODES }: RedisSettings): string {
  return REDIS_CLUSTER_NODES === undefined ? KEY_PREFIX : `{${KEY_PREFIX}}`;
}

function serverOptions(settings: RedisSettings, options: ConnectionOptions): RedisOptions {
  const { host, port, ...access } = accessOf(settings);
  const { REDIS_SENTINELS, REDIS_SENTINEL_NAME = 'mymaster', REDIS_SENTINEL_PASSWORD } = settings;
  const common = { ...access, ...options, connectTimeout: CONNECT_MS, retryStrategy: pauseBefore };
  if (REDIS_SENTINELS === undefined) return { ...common, host, port };
  return {
    ...common,
    sentinels: nodesOf(REDIS_SENTINELS),
    name: REDIS_SENTINEL_NAME,
    sentinelRetryStrategy: pauseBefore,
    sentinelCommandTimeout: SENTINEL_MS,
    // After a planned switch, no connection stays with the server that has become a replica.
    reconnectOnError: ({ message }) => (message.startsWith('READONLY') ? RESEND : false),
    ...(REDIS_SENTINEL_PASSWORD !== undefined && { sentinelPassword: REDIS_SENTINEL_PASSWORD }),
    ...(access.tls && { sentinelTLS: access.tls, enableTLSForSentinelMode: true }),
  };
}

function connectCluster(
  nodes: string,
  settings: RedisSettings,
  { enableOfflineQueue, enableAutoPipelining, ...options }: ConnectionOptions,
): Cluster {
  const { host: _host, port: _port, db: _db, ...access } = accessOf(settings);
  return new Cluster(nodesOf(nodes), {
    clusterRetryStrategy: pauseBefore,
    slotsRefreshTimeout: CONNECT_MS,
    ...(enableOfflineQueue !== undefined && { enableOfflineQueue }),
    ...(enableAutoPipelining !== undefined && { enableAutoPipelining }),
    redisOptions: { ...access, ...options, connectTimeout: CONNECT_MS },
  });
}

/** The parts of `REDIS_URL` as options of ioredis. */
function accessOf({ REDIS_URL, REDIS_CA_FILE }: RedisSettings) {
  const { protocol, hostname, port, username, password, pathname } = new URL(REDIS_URL);
  return {
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(port || 6379),
    db: Number(pathname.slice(1) || 0),
    ...(username && { username: decodeURIComponent(username) }),
    ...(password && { password: decodeURIComponent(password) }),
    ...(protocol === 'rediss:' && { tls: REDIS_CA_FILE === undefined ? {} : { ca: readFileSync(REDIS_CA_FILE) } }),
  };
}

function nodesOf(list: string): { host: string; port: number }[] {
  return list.split(',').map((node) => ({
    host: node.slice(0, node.lastIndexOf(':')),
    port: Number(node.slice(node.lastIndexOf(':') + 1)),
  }));
}

function pauseBefore(attempt: number): number {
  return Math.min(attempt * 100, RECONNECT_MAX_MS);
}
