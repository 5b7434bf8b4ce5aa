import { randomUUID } from 'node:crypto';
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, readdirSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { temporaryParents } from '../../test-support/temporary-folder.ts';
import { endingWithParent } from '../../scripts/stack/end-with-parent.ts';
import { freePort } from './free-port.ts';
import { sharedServer } from './shared-servers.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { until } from './until.ts';

/** Folder of Debian with the programs of each version. The newest is used. */
const VERSIONS = '/usr/lib/postgresql';

/** Options of `setpriv`, by which root starts programs as the user `postgres`: they do not run as root. */
export const AS_POSTGRES: readonly string[] = isRoot() ? ['--reuid=postgres', '--regid=postgres', '--init-groups'] : [];

interface Place {
  readonly options: readonly string[];
  /** Additional environment variables of the server. */
  readonly env: NodeJS.ProcessEnv;
  readonly removeFolder: () => Promise<void>;
}

/** A PostgreSQL server on a free port. It does not run as root, so root starts it as the user `postgres`. */
export class PostgresServer {
  private process: ChildProcess | undefined;

  /** Data directory. */
  readonly folder: string;
  readonly port: number;
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

  /** Returns why PostgreSQL cannot be started here, or undefined. */
  static missing(): string | undefined {
    return existsSync(VERSIONS) ? undefined : 'PostgreSQL is not installed (Debian: postgresql)';
  }

  /** @param options server settings, for example `synchronous_commit=off` */
  static async start(...options: string[]): Promise<PostgresServer> {
    const folder = await temporaryFolder();
    return PostgresServer.startIn(folder.path, { options, removeFolder: folder.remove });
  }

  /** Returns the server of this run, in which each test creates its own databases. Do not stop it. */
  static async shared(): Promise<PostgresServer> {
    const { port } = await sharedServer('postgres', async (folder) => {
      const server = await PostgresServer.startIn(folder);
      server.process?.unref();
      return { port: server.port, pids: [server.process?.pid ?? 0] };
    });
    return new PostgresServer('', port, [], {}, async () => {});
  }

  /** Starts a server with its data in a new folder `postgres`. */
  static async startIn(
    parent: string,
    { options = [], env = {}, removeFolder = async () => {} }: Partial<Place> = {},
  ): Promise<PostgresServer> {
    const server = new PostgresServer(join(parent, 'postgres'), await freePort(), options, env, removeFolder);
    await mkdir(server.folder);
    if (isRoot()) {
      chownSync(server.folder, ...idsOfPostgres());
      // Only its owner can enter a temporary folder.
      for (let above = parent; isTemporary(above); above = dirname(above)) chmodSync(above, 0o711);
    }
    const rest = ['-U', 'postgres', '-A', 'trust', '-N', '--encoding=UTF8', '--locale=C'];
    execFileSync(...command('initdb', ['-D', server.folder, ...rest]), { stdio: 'ignore', cwd: '/' });
    await server.restart();
    return server;
  }

  /** Creates a database. @returns its URL */
  async createDatabase(name = `test_${randomUUID().replaceAll('-', '_')}`): Promise<string> {
    await query(this.url(), `CREATE DATABASE ${name}`);
    return this.url(name);
  }

  /** Runs single statements as superuser. */
  async run(...statements: string[]): Promise<void> {
    for (const one of statements) await query(this.url(), one);
  }

  /** Drops all tables of a database, which takes a third of the time of a new one. */
  static async empty(url: string): Promise<void> {
    await query(url, 'DROP SCHEMA public CASCADE; CREATE SCHEMA public');
  }

  /** Kills the server without a clean shutdown. */
  async kill(): Promise<void> {
    const running = this.process;
    if (!running || running.exitCode !== null || running.signalCode !== null) return;
    const ended = once(running, 'exit');
    // The child processes end by themselves after the first one.
    running.kill('SIGKILL');
    await ended;
  }

  async restart(): Promise<void> {
    const options = [
      'listen_addresses=127.0.0.1',
      `port=${this.port}`,
      `unix_socket_directories=`,
      // POSIX shared memory would outlive a server that is killed.
      'dynamic_shared_memory_type=mmap',
      ...this.options,
    ].flatMap((one) => ['-c', one]);
    await until('the end of the previous server', () => this.tryStart(options), 60_000);
  }

  async stop(): Promise<void> {
    await this.kill();
    await this.removeFolder();
  }

  url(database = 'postgres'): string {
    return `postgres://postgres@127.0.0.1:${this.port}/${database}`;
  }

  private async tryStart(options: string[]): Promise<boolean> {
    const child = (this.process = spawn(...command('postgres', ['-D', this.folder, ...options]), {
      stdio: 'ignore',
      cwd: '/',
      env: { ...process.env, ...this.env },
    }));
    return until('an answer', async () => {
      if (child.exitCode !== null) return 'ended';
      const folder = await query(this.url(), 'SHOW data_directory').then(
        ([row]) => row?.data_directory,
        () => undefined,
      );
      if (folder !== undefined && folder !== this.folder)
        throw new Error(`Another PostgreSQL answers on port ${this.port}.`);
      return folder;
    }).then((state) => state !== 'ended');
  }
}

function command(program: string, args: readonly string[]): [string, string[]] {
  const version = readdirSync(VERSIONS).toSorted((a, b) => Number(b) - Number(a))[0] ?? '';
  return endingWithParent('SIGKILL', join(VERSIONS, version, 'bin', program), args, AS_POSTGRES);
}

async function query(url: string, sql: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    const { rows = [] } = await client.query<Record<string, unknown>>(sql);
    return rows;
  } finally {
    await client.end();
  }
}

function isTemporary(path: string): boolean {
  return temporaryParents().some((parent) => path.startsWith(`${parent}/`));
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}

function idsOfPostgres(): [number, number] {
  const id = (option: string) => Number(execFileSync('id', [option, 'postgres'], { encoding: 'utf8' }));
  return [id('-u'), id('-g')];
}
