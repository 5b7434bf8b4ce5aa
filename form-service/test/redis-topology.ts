import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import type { RedisSettings } from '../src/config/settings.ts';
import { freePort } from './free-port.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { until } from './until.ts';

const PASSWORD = 'a password: with/marks@';

/** Real redis-servers that belong together, and the settings that lead there. */
export class RedisTopology {
  private readonly processes: ChildProcess[] = [];
  settings: RedisSettings = { REDIS_URL: 'redis://127.0.0.1:6379' };

  private constructor(private readonly folder: Awaited<ReturnType<typeof temporaryFolder>>) {}

  /** One server that speaks nothing but TLS, with a certificate of the test's own, and wants a password. */
  static async withTls(): Promise<RedisTopology> {
    const topology = new RedisTopology(await temporaryFolder());
    const [port, certificate, key] = [await freePort(), topology.path('server.crt'), topology.path('server.key')];
    run(
      'openssl',
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:prime256v1',
      '-nodes',
      '-days',
      '2',
      '-subj',
      '/CN=localhost',
      '-addext',
      'subjectAltName=DNS:localhost',
      '-keyout',
      key,
      '-out',
      certificate,
    );
    const tls = [
      '--tls-cert-file',
      certificate,
      '--tls-key-file',
      key,
      '--tls-ca-cert-file',
      certificate,
      '--tls-auth-clients',
      'no',
    ];
    topology.spawn('--port', '0', '--tls-port', String(port), ...tls, '--requirepass', PASSWORD);
    topology.settings = {
      REDIS_URL: `rediss://:${encodeURIComponent(PASSWORD)}@localhost:${port}/2`,
      REDIS_CA_FILE: certificate,
    };
    return topology;
  }

  /** A server, its replica, and a Sentinel that puts the replica in its place. */
  static async withSentinel(): Promise<RedisTopology> {
    const topology = new RedisTopology(await temporaryFolder());
    const [first, second, sentinel] = [await freePort(), await freePort(), await freePort()];
    const access = ['--requirepass', PASSWORD, '--masterauth', PASSWORD];
    topology.spawn('--port', String(first), ...access);
    topology.spawn('--port', String(second), ...access, '--replicaof', `127.0.0.1 ${first}`);
    await isReplicated(first);
    const config = topology.path('sentinel.conf');
    const lines = [
      `port ${sentinel}`,
      `sentinel monitor kitewright 127.0.0.1 ${first} 1`,
      `sentinel auth-pass kitewright "${PASSWORD}"`,
      'sentinel down-after-milliseconds kitewright 500',
      'sentinel failover-timeout kitewright 2000',
    ];
    await writeFile(config, `${lines.join('\n')}\n`);
    topology.spawn(config, '--sentinel');
    const client = new Redis({ port: sentinel, retryStrategy: () => 50, maxRetriesPerRequest: null });
    client.on('error', () => undefined);
    await until(
      'a Sentinel that knows the replica',
      async () => ((await client.call('SENTINEL', 'REPLICAS', 'kitewright')) as unknown[]).length > 0,
    );
    client.disconnect();
    topology.settings = {
      REDIS_URL: `redis://:${encodeURIComponent(PASSWORD)}@sentinel`,
      REDIS_SENTINELS: `127.0.0.1:1,127.0.0.1:${sentinel}`,
      REDIS_SENTINEL_NAME: 'kitewright',
    };
    return topology;
  }

  /** Three servers that share the keys out among them. */
  static async asCluster(): Promise<RedisTopology> {
    const topology = new RedisTopology(await temporaryFolder());
    const ports: string[] = [];
    for (let node = 0; node < 3; node++) {
      const [port, bus] = [String(await freePort()), String(await freePort())];
      topology.spawn(
        '--port',
        port,
        '--cluster-enabled',
        'yes',
        '--cluster-port',
        bus,
        '--cluster-config-file',
        `nodes-${node}.conf`,
        '--cluster-node-timeout',
        '2000',
      );
      await answers(Number(port));
      ports.push(port);
    }
    run('redis-cli', '--cluster', 'create', ...ports.map((port) => `127.0.0.1:${port}`), '--cluster-yes');
    topology.settings = { REDIS_URL: 'redis://cluster', REDIS_CLUSTER_NODES: `127.0.0.1:${ports[0]}` };
    return topology;
  }

  /** Kills the server that was started first. */
  async killFirst(): Promise<void> {
    await end(this.processes[0]);
  }

  async stop(): Promise<void> {
    await Promise.all(this.processes.map(end));
    await this.folder.remove();
  }

  private spawn(...args: string[]): void {
    const isolated = args.includes('--sentinel') ? [] : ['--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
    this.processes.push(spawn('redis-server', [...args, ...isolated], { stdio: 'ignore', cwd: this.folder.path }));
  }

  private path(name: string): string {
    return join(this.folder.path, name);
  }
}

async function answers(port: number): Promise<void> {
  const client = new Redis({ port, retryStrategy: () => 50, maxRetriesPerRequest: null });
  client.on('error', () => undefined);
  await client.ping();
  client.disconnect();
}

async function isReplicated(port: number): Promise<void> {
  const client = new Redis({ port, password: PASSWORD, retryStrategy: () => 50, maxRetriesPerRequest: null });
  client.on('error', () => undefined);
  await until('a replica in step', async () => (await client.info('replication')).includes('state=online'));
  client.disconnect();
}

async function end(process: ChildProcess | undefined): Promise<void> {
  if (!process || process.exitCode !== null || process.signalCode !== null) return;
  process.kill('SIGKILL');
  await once(process, 'exit');
}

function run(program: string, ...args: string[]): void {
  const { status, stdout, stderr, error } = spawnSync(program, args, { encoding: 'utf8', timeout: 60_000 });
  if (status !== 0) throw new Error(`${program}: ${error?.message ?? `${stdout}${stderr}`}`);
}
