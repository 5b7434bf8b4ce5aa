import { readFileSync } from 'node:fs';
import { Cluster, Redis, type RedisOptions } from 'ioredis';
import type { RedisSettings } from '../config/settings.ts';

/** Longest pause between two attempts to reach Redis, in milliseconds: everything works again within 2 s of its return. */
const RECONNECT_MAX_MS = 1_000;

const CONNECT_MS = 5_000;

/** A Sentinel that does not answer is passed over, in milliseconds. */
const SENTINEL_MS = 1_000;

/** What ioredis does with a command that met an error: reconnect, and send it again. */
const RESEND = 2;

/** What a connection is told beyond where Redis is. */
type ConnectionOptions = Pick<
  RedisOptions,
  'enableOfflineQueue' | 'enableAutoPipelining' | 'maxRetriesPerRequest' | 'commandTimeout'
>;

/** One server, whoever names it, or a cluster: both know the commands that are used here. */
export type RedisClient = Redis | Cluster;

/**
 * A connection to Redis that never gives up and never crashes the process. Outages are seen by its `close` and `ready`
 * events; the driver's own error events carry nothing more and are let go.
 */
export function createRedisClient(settings: RedisSettings, options: ConnectionOptions): RedisClient {
  const client =
    settings.REDIS_CLUSTER_NODES === undefined
      ? new Redis(serverOptions(settings, options))
      : connectCluster(settings.REDIS_CLUSTER_NODES, settings, options);
  client.on('error', () => undefined);
  return client;
}

/** What all our keys begin with, so that a Redis can be shared. */
export const KEY_PREFIX = 'kitewright';

/** What the queues' keys begin with. In a cluster braces keep them on one node, since scripts touch several at once. */
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
    // After a planned change of places: nobody goes on talking to a server that has become a replica.
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

/** What `REDIS_URL` says. */
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
