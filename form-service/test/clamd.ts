import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { endingWithParent } from '../../scripts/stack/end-with-parent.ts';
import { freePort } from './free-port.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { until } from './until.ts';

/** Harmless text that the test signature detects as malware. */
export const HARMLESS_MALWARE = 'KITEWRIGHT-TEST-FILE-THAT-OUR-OWN-SIGNATURE-FINDS';

/** Name of the finding. clamd adds this suffix to unofficial signatures. */
export const FINDING = 'Kitewright.TestFile.UNOFFICIAL';

/** Returns why clamd cannot be started here, or undefined. */
export function clamdMissing(): string | undefined {
  const { error } = spawnSync('clamd', ['--version']);
  return error ? 'clamd is not installed (Debian: apt-get install clamav-daemon)' : undefined;
}

/** The real ClamAV daemon, with one signature. */
export class Clamd {
  private process: ChildProcess | undefined;
  private readonly folder: Awaited<ReturnType<typeof temporaryFolder>>;
  private readonly port: number;

  private constructor(folder: Awaited<ReturnType<typeof temporaryFolder>>, port: number) {
    this.folder = folder;
    this.port = port;
  }

  /** Creates a daemon that is not started. */
  static async reserve(): Promise<Clamd> {
    const clamd = new Clamd(await temporaryFolder(), await freePort());
    await clamd.configure();
    return clamd;
  }

  get url(): string {
    return `tcp://127.0.0.1:${this.port}`;
  }

  get socketUrl(): string {
    return `unix:${this.socketPath}`;
  }

  /** Starts the daemon. Resolves when it answers. */
  async start(): Promise<void> {
    const options = ['--config-file', join(this.folder.path, 'clamd.conf'), '--foreground'];
    this.process = spawn(...endingWithParent('SIGKILL', 'clamd', options), { stdio: 'ignore' });
    // The service's own client has decorators, which Node.js cannot run.
    const answers = () =>
      new Promise<boolean>((resolve) => {
        const socket = connect(this.port, '127.0.0.1', () => socket.write('zPING\0'));
        socket.once('error', () => resolve(false)).once('close', () => resolve(false));
        socket.once('data', (reply) => {
          socket.destroy();
          resolve(reply.toString().startsWith('PONG'));
        });
      });
    await until('a clamd that answers', answers);
  }

  async close(): Promise<void> {
    const running = this.process;
    if (running && running.exitCode === null && running.signalCode === null) {
      running.kill('SIGKILL');
      await once(running, 'exit');
    }
    await this.folder.remove();
  }

  private get socketPath(): string {
    return join(this.folder.path, 'clamd.sock');
  }

  private async configure(): Promise<void> {
    const signature = `Kitewright.TestFile:0:*:${Buffer.from(HARMLESS_MALWARE).toString('hex')}\n`;
    await writeFile(join(this.folder.path, 'own.ndb'), signature);
    const lines = [
      `DatabaseDirectory ${this.folder.path}`,
      `LocalSocket ${this.socketPath}`,
      'TCPAddr 127.0.0.1',
      `TCPSocket ${this.port}`,
      'StreamMaxLength 12M',
      'MaxThreads 2',
    ];
    await writeFile(join(this.folder.path, 'clamd.conf'), `${lines.join('\n')}\n`);
  }
}
