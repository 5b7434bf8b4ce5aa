import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { findProgram } from '../../scripts/stack/programs.ts';
import { endingWithParent } from '../../scripts/stack/end-with-parent.ts';
import { freePort } from './free-port.ts';
import { AS_POSTGRES } from './postgres-server.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { until } from './until.ts';

/** The real connection pooler PgBouncer in front of a PostgreSQL server on this machine. */
export class PgBouncer {
  private readonly process: ChildProcess;
  private readonly port: number;
  private readonly removeFolder: () => Promise<void>;

  private constructor(process: ChildProcess, port: number, removeFolder: () => Promise<void>) {
    this.process = process;
    this.port = port;
    this.removeFolder = removeFolder;
  }

  /** Returns why it cannot be started here, or undefined. */
  static missing(): string | undefined {
    return findProgram('pgbouncer') ? undefined : 'PgBouncer is not installed (Debian: pgbouncer)';
  }

  /** @param settings further lines of its section `pgbouncer`, such as `pool_mode = session` */
  static async start(serverPort: number, ...settings: string[]): Promise<PgBouncer> {
    const [folder, port] = [await temporaryFolder(), await freePort()];
    const file = join(folder.path, 'pgbouncer.ini');
    const lines = [
      '[databases]',
      `* = host=127.0.0.1 port=${serverPort} user=postgres`,
      '[pgbouncer]',
      `listen_addr = 127.0.0.1`,
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = any',
      ...settings,
    ];
    await writeFile(file, lines.join('\n'));
    // It does not run as root.
    await chmod(folder.path, 0o755);
    const program = findProgram('pgbouncer') ?? '';
    const child = spawn(...endingWithParent('SIGKILL', program, ['-q', file], AS_POSTGRES), { stdio: 'ignore' });
    const bouncer = new PgBouncer(child, port, folder.remove);
    await until('PgBouncer to listen', () => answers(port));
    return bouncer;
  }

  /** Returns the URL of a database through the pooler. */
  url(ofServer: string): string {
    const url = new URL(ofServer);
    url.port = String(this.port);
    return url.href;
  }

  async stop(): Promise<void> {
    const ended = once(this.process, 'exit');
    this.process.kill('SIGKILL');
    await ended;
    await this.removeFolder();
  }
}

function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  return once(socket, 'connect')
    .then(
      () => true,
      () => false,
    )
    .finally(() => socket.destroy());
}
