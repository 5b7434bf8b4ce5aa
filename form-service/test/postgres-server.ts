import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, readdirSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { freePort } from './free-port.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { until } from './until.ts';

/** Where Debian keeps the programs of each version; the newest is used. */
const VERSIONS = '/usr/lib/postgresql';

/** A real PostgreSQL server of the test's own, on a free port. It refuses to run as root, so root lends it the user `postgres`. */
export class PostgresServer {
  private process: ChildProcess | undefined;
  private databases = 0;

  private constructor(
    private readonly folder: Awaited<ReturnType<typeof temporaryFolder>>,
    private readonly port: number,
    private readonly options: readonly string[],
  ) {}

  /** Why there can be none here, or undefined. */
  static missing(): string | undefined {
    return existsSync(VERSIONS) ? undefined : 'PostgreSQL is not installed (Debian: postgresql)';
  }

  /** @param options of the server, for example `synchronous_commit=off` */
  static async start(...options: string[]): Promise<PostgresServer> {
    const folder = await temporaryFolder();
    const server = new PostgresServer(folder, await freePort(), options);
    await mkdir(server.data);
    if (isRoot()) for (const path of [folder.path, server.data]) chownSync(path, ...idsOfPostgres());
    execFileSync(
      ...server.command('initdb', [
        '-D',
        server.data,
        '-U',
        'postgres',
        '-A',
        'trust',
        '-N',
        '--encoding=UTF8',
        '--locale=C',
      ]),
      { stdio: 'ignore' },
    );
    await server.restart();
    return server;
  }

  /** @returns the URL of a new and empty database */
  async createDatabase(): Promise<string> {
    const name = `test${++this.databases}`;
    await this.query(`CREATE DATABASE ${name}`);
    return this.url(name);
  }

  /** Kills it without a chance to tidy up. */
  async kill(): Promise<void> {
    const running = this.process;
    if (!running || running.exitCode !== null || running.signalCode !== null) return;
    const ended = once(running, 'exit');
    // The server's own processes end by themselves when the first one is gone.
    process.kill(this.pid(), 'SIGKILL');
    await ended;
  }

  async restart(): Promise<void> {
    const options = [
      'listen_addresses=127.0.0.1',
      `port=${this.port}`,
      `unix_socket_directories=`,
      ...this.options,
    ].flatMap((one) => ['-c', one]);
    await until('the server before to be gone', () => this.tryStart(options), 60_000);
  }

  async stop(): Promise<void> {
    await this.kill();
    await this.folder.remove();
  }

  private get data(): string {
    return join(this.folder.path, 'data');
  }

  private url(database: string): string {
    return `postgres://postgres@127.0.0.1:${this.port}/${database}`;
  }

  private async query(sql: string): Promise<void> {
    const client = new pg.Client(this.url('postgres'));
    await client.connect();
    try {
      await client.query(sql);
    } finally {
      await client.end();
    }
  }

  private async tryStart(options: string[]): Promise<boolean> {
    const child = (this.process = spawn(...this.command('postgres', ['-D', this.data, ...options]), {
      stdio: 'ignore',
    }));
    return until('an answer', async () => {
      if (child.exitCode !== null) return 'ended';
      return this.query('SELECT 1').then(
        () => 'answers',
        () => undefined,
      );
    }).then((what) => what === 'answers');
  }

  /** Of the server itself: the child is the program that changed the user. */
  private pid(): number {
    const children = execFileSync('ps', ['-o', 'pid=', '--ppid', String(this.process?.pid)], {
      encoding: 'utf8',
    }).trim();
    return isRoot() && children ? Number(children.split('\n')[0]) : Number(this.process?.pid);
  }

  private command(program: string, args: string[]): [string, string[]] {
    const version = readdirSync(VERSIONS).toSorted((a, b) => Number(b) - Number(a))[0] ?? '';
    const path = join(VERSIONS, version, 'bin', program);
    return isRoot() ? ['runuser', ['-u', 'postgres', '--', path, ...args]] : [path, args];
  }
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}

function idsOfPostgres(): [number, number] {
  const id = (option: string) => Number(execFileSync('id', [option, 'postgres'], { encoding: 'utf8' }));
  return [id('-u'), id('-g')];
}
