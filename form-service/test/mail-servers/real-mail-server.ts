import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { makeTemporaryFolder } from '../../../test-support/temporary-folder.ts';
import { endingWithParent } from '../../../scripts/stack/end-with-parent.ts';
import { freePort } from '../free-port.ts';
import type { Certificate } from '../../../e2e/support/certificate.ts';

/** Options of an instance. All other settings are the same for all. */
export interface MailServerOptions {
  /** Folder of the queue, the log and the configuration. */
  readonly folder: string;
  readonly port: number;
  /** Port to which accepted messages are forwarded. */
  readonly nextHopPort: number;
  readonly certificate: Certificate;
}

/** Domain of the relay, and addresses with a special reply. */
export const DOMAIN = 'kitewright.example';
export const FULL_INBOX = `full@${DOMAIN}`;
export const INBOX_GONE_LATER = `gone@${DOMAIN}`;
export const FOREIGN_INBOX = 'somebody@elsewhere.example';
export const MESSAGE_MAX_BYTES = 200_000;

const READY_MS = 20_000;

/** A private instance of a real mail server, on a free port and in its own folder. */
export class RealMailServer {
  readonly #process: ChildProcess;
  readonly #options: MailServerOptions;
  #output = '';

  private constructor(command: readonly string[], options: MailServerOptions) {
    const [program = '', ...args] = command;
    this.#options = options;
    // A separate process group, so that child processes end with the server.
    const stdio = ['ignore', 'pipe', 'pipe'] as const;
    this.#process = spawn(...endingWithParent('SIGTERM', program, args), { stdio: [...stdio], detached: true });
    for (const stream of [this.#process.stdout, this.#process.stderr])
      stream?.on('data', (chunk) => (this.#output += chunk));
  }

  /** @param commandOf writes the configuration and returns the command that runs the server in the foreground */
  static async start(
    commandOf: (options: MailServerOptions) => readonly string[],
    options: Omit<MailServerOptions, 'folder' | 'port'>,
  ): Promise<RealMailServer> {
    const folder = makeTemporaryFolder();
    // The server runs as another user.
    chmodSync(folder, 0o755);
    const all = { ...options, folder, port: await freePort() };
    const server = new RealMailServer(commandOf(all), all);
    await server.#isReady();
    return server;
  }

  get port(): number {
    return this.#options.port;
  }

  async stop(): Promise<void> {
    const { pid } = this.#process;
    if (pid !== undefined && this.#process.exitCode === null) {
      process.kill(-pid, 'SIGTERM');
      await Promise.race([once(this.#process, 'exit'), pause(5_000)]);
    }
    await rm(this.#options.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  async #isReady(): Promise<void> {
    const deadline = Date.now() + READY_MS;
    while (Date.now() < deadline && this.#process.exitCode === null) {
      if (await this.#listens()) return;
      await pause(100);
    }
    await this.stop();
    throw new Error(`The mail server does not listen:\n${this.#output}`);
  }

  async #listens(): Promise<boolean> {
    const socket = connect(this.port, '127.0.0.1');
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    return isOpen;
  }
}
