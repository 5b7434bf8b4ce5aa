import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { endingWithParent } from '../../scripts/stack/end-with-parent.ts';
import { freePort } from './free-port.ts';

/** A real redis-server on a free port, without persistence. */
export class RedisServer {
  readonly port: number;
  private process: ChildProcess | undefined;

  private constructor(port: number) {
    this.port = port;
  }

  static async start(...options: string[]): Promise<RedisServer> {
    const server = new RedisServer(await freePort());
    await server.start(...options);
    return server;
  }

  /** Creates a server that is not started. */
  static async reserve(): Promise<RedisServer> {
    return new RedisServer(await freePort());
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  /** Starts or restarts the server. Resolves when it answers. */
  async start(...options: string[]): Promise<void> {
    const own = ['--port', String(this.port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', ...options];
    this.process = spawn(...endingWithParent('SIGKILL', 'redis-server', own), { stdio: 'ignore' });
    const client = new Redis(this.url, { retryStrategy: () => 20, maxRetriesPerRequest: null });
    client.on('error', () => undefined);
    const pid = /process_id:(\d+)/.exec(await client.info('server'))?.[1];
    client.disconnect();
    if (pid !== String(this.process?.pid)) throw new Error(`Another Redis answers at ${this.url}.`);
  }

  /** Kills the server. Its data is lost. */
  async stop(): Promise<void> {
    const running = this.process;
    if (!running || running.exitCode !== null || running.signalCode !== null) return;
    running.kill('SIGKILL');
    await once(running, 'exit');
  }

  /** Freezes or continues the server without ending its connections. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    this.process?.kill(signal);
  }

  /** Counts the commands that clients send for some time, by the names of their connections. */
  async commandsByClient(ms: number): Promise<ReadonlyMap<string, number>> {
    const client = new Redis(this.url);
    const names = new Map<string, string>();
    for (const [, address = '', name = ''] of String(await client.client('LIST')).matchAll(
      / addr=(\S+) .*?name=(\S*)/g,
    ))
      names.set(address, name);
    client.disconnect();
    // A plain socket: ioredis fails if the first command arrives together with the reply to MONITOR.
    const socket = connect(this.port, '127.0.0.1');
    socket.write('MONITOR\r\n');
    const counts = new Map<string, number>();
    createInterface({ input: socket }).on('line', (line) => {
      // Such as: +1795944314.269882 [0 127.0.0.1:54064] "set". A source that is no connection is a script.
      const name = names.get(/^\+\S+ \[\d+ (\S+)\]/.exec(line)?.[1] ?? '');
      if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
    });
    await pause(ms);
    socket.destroy();
    return counts;
  }

  /** Deletes all data. */
  async wipe(): Promise<void> {
    const client = new Redis(this.url);
    await client.flushall();
    client.disconnect();
  }
}
