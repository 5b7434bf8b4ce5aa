import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, readdirSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { freePort } from './free-port.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { until } from './until.ts';

/** Where Debian keeps the programs of each version; the newest is used. */
const VERSIONS = '/usr/lib/postgresql';

interface Place {
  readonly options: readonly string[];
  /** Further variables of the server. */
  readonly env: NodeJS.ProcessEnv;
  readonly removeFolder: () => Promise<void>;
}

/** A real PostgreSQL server of the test's own, on a free port. It refuses to run as root, so root lends it the user `postgres`. */
export class PostgresServer {
  private process: ChildProcess | undefined;
  private databases = 0;

  /** Where it keeps its data. */
  readonly folder: string;
  private readonly port: number;
  private readonly options: readonly string[];
  private readonly env: NodeJS.ProcessEnv;
  private readonly removeFolder: () => Promise<void>;

  private constructor(
    folder: string,
    port: number,
    options: readonly string[],
    env: NodeJS.ProcessEnv,
    removeFolder: () => Promise<void>,
  ) {
    this.folder = folder;
    this.port = port;
    this.options = options;
    this.env = env;
    this.removeFolder = removeFolder;
  }

  /** Why there can be none here, or undefined. */
  static missing(): string | undefined {
    return existsSync(VERSIONS) ? undefined : 'PostgreSQL is not installed (Debian: postgresql)';
  }

  /** @param options of the server, for example `synchronous_commit=off` */
  static async start(...options: string[]): Promise<PostgresServer> {
    const folder = await temporaryFolder();
    return PostgresServer.startIn(folder.path, { options, removeFolder: folder.remove });
  }

  /** With its data in a new folder `postgres` there. */
  static async startIn(
    parent: string,
    { options = [], env = {}, removeFolder = async () => {} }: Partial<Place> = {},
  ): Promise<PostgresServer> {
    const server = new PostgresServer(join(parent, 'postgres'), await freePort(), options, env, removeFolder);
    await mkdir(server.folder);
    if (isRoot()) {
      chownSync(server.folder, ...idsOfPostgres());
      // A temporary folder is its owner's alone.
      for (let above = parent; above.startsWith('/tmp/'); above = dirname(above)) chmodSync(above, 0o711);
    }
    const rest = ['-U', 'postgres', '-A', 'trust', '-N', '--encoding=UTF8', '--locale=C'];
    execFileSync(...server.command('initdb', ['-D', server.folder, ...rest]), { stdio: 'ignore', cwd: '/' });
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
    running.kill('SIGKILL');
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
    await this.removeFolder();
  }

  url(database = 'postgres'): string {
    return `postgres://postgres@127.0.0.1:${this.port}/${database}`;
  }

  private async query(sql: string): Promise<void> {
    const client = new pg.Client(this.url());
    await client.connect();
    try {
      await client.query(sql);
    } finally {
      await client.end();
    }
  }

  private async tryStart(options: string[]): Promise<boolean> {
    const child = (this.process = spawn(...this.command('postgres', ['-D', this.folder, ...options]), {
      stdio: 'ignore',
      cwd: '/',
      env: { ...process.env, ...this.env },
    }));
    return until('an answer', async () => {
      if (child.exitCode !== null) return 'ended';
      return this.query('SELECT 1').then(
        () => 'answers',
        () => undefined,
      );
    }).then((what) => what === 'answers');
  }

  /** Unlike `runuser`, `setpriv` leaves no process in between, so that a signal reaches the server itself. */
  private command(program: string, args: string[]): [string, string[]] {
    const version = readdirSync(VERSIONS).toSorted((a, b) => Number(b) - Number(a))[0] ?? '';
    const path = join(VERSIONS, version, 'bin', program);
    const user = ['--reuid=postgres', '--regid=postgres', '--init-groups'];
    return isRoot() ? ['setpriv', [...user, path, ...args]] : [path, args];
  }
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}

function idsOfPostgres(): [number, number] {
  const id = (option: string) => Number(execFileSync('id', [option, 'postgres'], { encoding: 'utf8' }));
  return [id('-u'), id('-g')];
}
