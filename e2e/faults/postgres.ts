import { execFile, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { freePorts } from '../../scripts/stack/ports.ts';
import type { ProcessSpec } from '../../scripts/stack/supervised-process.ts';

const DEBIAN_FOLDER = '/usr/lib/postgresql';

/** PostgreSQL refuses to run as root: the user of Debian's package does. */
const USER = 'postgres';

/** Where the programs of the newest version are, or undefined where no cluster can be made: not installed, or we are not root. */
export function postgresPrograms(): string | undefined {
  if (process.getuid?.() !== 0 || !existsSync(DEBIAN_FOLDER)) return undefined;
  const versions = readdirSync(DEBIAN_FOLDER).sort((a, b) => Number(b) - Number(a));
  return versions
    .map((version) => join(DEBIAN_FOLDER, version, 'bin'))
    .find((folder) => existsSync(join(folder, 'initdb')));
}

/** A PostgreSQL of our own, in a folder, with the settings that a new one has. */
export class Postgres {
  private constructor(
    private readonly programs: string,
    private readonly folder: string,
    private readonly port: number,
  ) {}

  /** Makes an empty cluster. */
  static async create(folder: string): Promise<Postgres> {
    const programs = postgresPrograms();
    if (!programs) throw new Error('PostgreSQL is not installed, or this user is not root');
    const [port = 0] = await freePorts(1);
    mkdirSync(folder, { recursive: true });
    // A temporary folder is its owner's alone.
    for (let above = dirname(folder); above.startsWith('/tmp/'); above = dirname(above)) chmodSync(above, 0o711);
    chownSync(folder, idOf('-u'), idOf('-g'));
    const [command = '', ...args] = asUser(
      join(programs, 'initdb'),
      '--auth=trust',
      '--encoding=UTF8',
      '--no-locale',
      '-D',
      folder,
    );
    const { status, stderr } = spawnSync(command, args, { encoding: 'utf8', cwd: '/' });
    if (status !== 0) throw new Error(`initdb: ${stderr}`);
    return new Postgres(programs, folder, port);
  }

  get url(): string {
    return `postgres://${USER}@127.0.0.1:${this.port}/postgres`;
  }

  /** How the supervisor runs it. */
  spec(env: Readonly<Record<string, string>> = {}): ProcessSpec {
    const options = ['-p', String(this.port), '-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='];
    const [command = '', ...args] = asUser(join(this.programs, 'postgres'), '-D', this.folder, ...options);
    return { name: USER, command, args, env, stopSignal: 'SIGINT', isReady: () => this.isReady() };
  }

  /** What a power cut leaves of its own notes about which process runs. */
  removePidFile(): void {
    rmSync(join(this.folder, 'postmaster.pid'), { force: true });
  }

  /** Also false while it reads again what a crash left. */
  private isReady(): Promise<boolean> {
    const args = ['-q', '-h', '127.0.0.1', '-p', String(this.port)];
    return new Promise((resolve) =>
      execFile(join(this.programs, 'pg_isready'), args, (error) => resolve(error === null)),
    );
  }
}

/** Unlike `runuser` this leaves no process in between, so that a signal reaches PostgreSQL itself. */
function asUser(...command: string[]): string[] {
  return ['setpriv', `--reuid=${USER}`, `--regid=${USER}`, '--init-groups', ...command];
}

function idOf(option: '-u' | '-g'): number {
  return Number(spawnSync('id', [option, USER], { encoding: 'utf8' }).stdout);
}
