import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { join } from 'node:path';
import { publishSite } from '../../scripts/stack/nginx-config.ts';
import { freePorts } from '../../scripts/stack/ports.ts';
import { sendSignal } from '../../scripts/stack/stack-process.ts';
import { requirePrograms } from '../../scripts/stack/programs.ts';
import { root } from './server.ts';
import { writeSmallBuild } from './small-site.ts';
import { makeTemporaryFolder } from '../../test-support/temporary-folder.ts';

/**
 * Programs that come first in PATH. Names resolve to the lines of a file. The pause between two looks ends when the test
 * writes a line. The addresses are those of the container, on free ports.
 */
const PROGRAMS: Readonly<Record<string, string>> = {
  getent: 'while read -r line; do echo "$line"; done < "$FOLDER/names/$2"',
  sleep: 'read -r _ < "$FOLDER/looks"',
  'render-config': `env > "$FOLDER/rendered"
for name in NGINX_LISTEN NGINX_LISTEN_TLS; do
  export $name="$(printenv $name | sed "s/18080/$TLS_PORT/; s/8080/$TEST_PORT/")"
done
exec sh "$ROOT/nginx/render-config" "$ROOT/nginx" "$2"`,
};

/** The entry point of the container, with real nginx. Names resolve as the test says. */
export class EntryPoint {
  readonly folder = makeTemporaryFolder();
  readonly port: number;
  readonly tlsPort: number;
  /** Lines on stderr, as in the log of the container. */
  log = '';
  private readonly env: Record<string, string>;
  private readonly upstreamPort: number;
  private readonly servers: Server[] = [];
  private readonly looks: number;
  private running: ChildProcess | undefined;

  private constructor(ports: readonly number[], modules: string) {
    [this.port = 0, this.tlsPort = 0, this.upstreamPort = 0] = ports;
    const { folder } = this;
    for (const name of ['bin', 'names']) mkdirSync(join(folder, name));
    for (const [name, text] of Object.entries(PROGRAMS))
      writeFileSync(join(folder, 'bin', name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
    execFileSync('mkfifo', [join(folder, 'looks')]);
    // For both directions, so that neither side waits for the other one.
    this.looks = openSync(join(folder, 'looks'), 'r+');
    writeSmallBuild(join(folder, 'built'), { files: { 'index.html': 'built', 'assets/app-AbCd1234.js': '' } });
    this.env = {
      PATH: `${join(folder, 'bin')}:/usr/sbin:${process.env['PATH']}`,
      FOLDER: folder,
      ROOT: root,
      TEST_PORT: String(this.port),
      TLS_PORT: String(this.tlsPort),
      NGINX_USER: process.getuid?.() === 0 ? 'user root;' : '',
      NGINX_RUN_DIR: join(folder, 'run'),
      NGINX_MODULES_DIR: modules,
      NGINX_ACCESS_LOG: join(folder, 'access.log'),
      NGINX_ERROR_LOG: 'stderr',
      WEB_ROOT: join(folder, 'built/site'),
      SITE_CONFIG_DIR: join(folder, 'built/nginx'),
      PUBLISHED_SITE: join(folder, 'published'),
      API_UPSTREAM: `api:${this.upstreamPort}`,
      WORKER_UPSTREAM: `worker:${this.upstreamPort}`,
    };
  }

  static async prepare(): Promise<EntryPoint> {
    const { nginxModules } = await requirePrograms(false);
    return new EntryPoint(await freePorts(3), nginxModules);
  }

  /** Lets the entry point look for changes, if it runs. */
  look(): void {
    if (this.running !== undefined) writeSync(this.looks, '\n');
  }

  /** Publishes a site whose home page is this text. */
  publish(text: string): void {
    const built = join(this.folder, text);
    writeSmallBuild(built, { files: { 'index.html': text, 'assets/app-AbCd1234.js': '' } });
    publishSite(root, built, join(this.folder, 'published'));
    this.look();
  }

  /** Lets a name resolve to these addresses. Without one, it does not resolve. */
  resolve(name: string, ...addresses: readonly string[]): void {
    const kinds = ['STREAM', 'DGRAM', 'RAW'];
    const lines = addresses.flatMap((address) =>
      kinds.map((kind) => `${address.padEnd(15)} ${kind.padEnd(6)} ${name}\n`),
    );
    writeFileSync(join(this.folder, 'names', name), lines.join(''));
    this.look();
  }

  /** Starts a replica on an address. By default it answers with the address. */
  async serve(address: string, listener: RequestListener = (_, response) => void response.end(address)): Promise<void> {
    const server = createServer(listener).listen(this.upstreamPort, address);
    await once(server, 'listening');
    this.servers.push(server);
  }

  /** Starts the entry point, without waiting for nginx. */
  start(variables: Readonly<Record<string, string>> = {}): ChildProcess {
    Object.assign(this.env, variables);
    const script = join(root, 'nginx/docker-entrypoint.sh');
    // In a process group of its own: the script leaves a loop in the background, which a container ends.
    const child = spawn('sh', [script], { env: this.env, stdio: ['ignore', 'ignore', 'pipe'], detached: true });
    child.stderr.on('data', (chunk: Buffer) => (this.log += chunk.toString()));
    this.running = child;
    return child;
  }

  /** Returns a variable with which the configuration was rendered last. */
  rendered(name: string): string | undefined {
    const file = join(this.folder, 'rendered');
    if (!existsSync(file)) return undefined;
    return readFileSync(file, 'utf8')
      .split('\n')
      .find((line) => line.startsWith(`${name}=`))
      ?.slice(name.length + 1)
      .trim();
  }

  /** Sends a request, and returns status and body; undefined before nginx answers. */
  async request(path: string): Promise<string | undefined> {
    try {
      const answer = await fetch(`http://127.0.0.1:${this.port}${path}`, { headers: { connection: 'close' } });
      return `${answer.status} ${await answer.text()}`;
    } catch {
      return undefined;
    }
  }

  async close(): Promise<void> {
    if (this.running?.pid !== undefined) {
      const closed = this.running.stderr?.closed ? undefined : once(this.running, 'close');
      sendSignal(-this.running.pid, 'SIGTERM');
      await closed;
    }
    for (const server of this.servers) server.close().closeAllConnections();
    closeSync(this.looks);
    rmSync(this.folder, { recursive: true });
  }
}
