import { test as base, expect } from '@playwright/test';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import {
  createServer,
  request,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type Server,
  type ServerResponse,
} from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { until } from '../../form-service/test/until.ts';
import { makeTemporaryFolder } from '../../test-support/temporary-folder.ts';
import { endingWithParent } from '../../scripts/stack/end-with-parent.ts';
import { renderNginxConfig, type NginxVariables } from '../../scripts/stack/nginx-config.ts';
import { freePorts } from '../../scripts/stack/ports.ts';
import { httpProbe } from '../../scripts/stack/probes.ts';
import { requirePrograms } from '../../scripts/stack/programs.ts';
import { makeCertificate } from '../support/certificate.ts';
import { writeSmallBuild, type SmallBuild } from './small-site.ts';

/** Response of nginx. */
export interface NginxResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Header names in lower case, repeated as often as they were sent. */
  readonly headerNames: readonly string[];
  readonly body: string;
}

export interface RequestOptions {
  readonly method?: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | Buffer;
  /** Source address; default 127.0.0.1. */
  readonly from?: string;
}

type Upstream = (request: IncomingMessage, response: ServerResponse) => void;

export interface Setup {
  readonly variables?: NginxVariables;
  /** Differences of the build of the site. */
  readonly build?: SmallBuild;
}

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** nginx with the configuration of the repository, a small site, and an upstream that the test controls. */
export class NginxServer {
  /** Handler of the fake form service. */
  upstream: Upstream = (_, response) => void response.end();

  readonly port: number;
  readonly folder: string;
  private readonly variables: NginxVariables;
  private readonly nginx: ChildProcess;
  private readonly api: Server;

  private constructor(port: number, folder: string, variables: NginxVariables, nginx: ChildProcess, api: Server) {
    this.port = port;
    this.folder = folder;
    this.variables = variables;
    this.nginx = nginx;
    this.api = api;
  }

  static async start({ variables = {}, build }: Setup = {}): Promise<NginxServer> {
    const folder = makeTemporaryFolder();
    writeSmallBuild(folder, build);
    mkdirSync(join(folder, 'run'));
    const [port = 0, apiPort = 0] = await freePorts(2);
    const programs = await requirePrograms(false);
    const all = {
      NGINX_USER: process.getuid?.() === 0 ? 'user root;' : '',
      NGINX_LISTEN: `127.0.0.1:${port}`,
      NGINX_RUN_DIR: join(folder, 'run'),
      NGINX_MODULES_DIR: programs.nginxModules,
      NGINX_ACCESS_LOG: join(folder, 'access.log'),
      NGINX_ERROR_LOG: join(folder, 'error.log'),
      WEB_ROOT: join(folder, 'site'),
      SITE_CONFIG_DIR: join(folder, 'nginx'),
      API_UPSTREAM: `127.0.0.1:${apiPort}`,
      WORKER_UPSTREAM: `127.0.0.1:${apiPort}`,
      ...variables,
    };
    const config = renderNginxConfig(root, join(folder, 'conf'), all);
    const args = ['-c', config, '-e', join(folder, 'error.log'), '-g', 'daemon off;'];
    const nginx = spawn(...endingWithParent('SIGTERM', programs.nginx, args), { stdio: 'ignore' });
    const api = createServer();
    const probe = httpProbe(`http://127.0.0.1:${port}/healthz`);
    const server = new NginxServer(port, folder, all, nginx, api);
    api.on('request', (incoming, response) => server.upstream(incoming, response));
    await new Promise<void>((listening) => api.listen(apiPort, '127.0.0.1', listening));
    // Written after nginx has bound its ports, so that no other server answers.
    const pidFile = join(all.NGINX_RUN_DIR, 'nginx.pid');
    await until('nginx ready', async () => existsSync(pidFile) && probe());
    return server;
  }

  /** Sends one request without normalising the path. */
  request(
    path: string,
    { method = 'GET', headers = {}, body, from = '127.0.0.1' }: RequestOptions = {},
  ): Promise<NginxResponse> {
    const options = { host: '127.0.0.1', port: this.port, localAddress: from, path, method, headers, agent: false };
    return new Promise((resolve, reject) => {
      const sent = request(options, (response) => void readResponse(response).then(resolve, reject));
      sent.once('error', reject).end(body);
    });
  }

  /** Waits for lines of the access log that contain a text. */
  async logged(text: string): Promise<string[]> {
    const log = () => readFileSync(join(this.folder, 'access.log'), 'utf8').split('\n');
    const lines = () => log().filter((line) => line.includes(text));
    await expect.poll(lines).not.toEqual([]);
    return lines();
  }

  /** Reloads nginx with changed variables. */
  reload(variables: NginxVariables = {}): void {
    renderNginxConfig(root, join(this.folder, 'conf'), { ...this.variables, ...variables });
    this.nginx.kill('SIGHUP');
  }

  async close(): Promise<void> {
    const ended = once(this.nginx, 'close');
    this.nginx.kill('SIGTERM');
    await ended;
    this.api.closeAllConnections();
    this.api.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Headers of every response. Cache-Control differs by location. */
export const SECURITY_HEADERS = {
  'content-security-policy': expect.stringMatching(/^default-src 'none'; script-src 'self'/),
  'cross-origin-embedder-policy': 'require-corp',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': expect.stringContaining('camera=(), '),
  'referrer-policy': 'strict-origin-when-cross-origin',
  'x-content-type-options': 'nosniff',
  'x-request-id': expect.stringMatching(/^[0-9a-f]{32}$/),
};

/** Creates a certificate in a folder, and returns the variables that enable TLS. */
export async function tlsVariables(folder: string) {
  const certificate = makeCertificate(folder);
  const [port = 0] = await freePorts(1);
  const variables = {
    NGINX_LISTEN_TLS: `127.0.0.1:${port}`,
    NGINX_ERROR_LOG: join(folder, 'error.log'),
    TLS_CERTIFICATE: certificate.certificate,
    TLS_CERTIFICATE_KEY: certificate.key,
    TLS_PORT: String(port),
    ACME_ROOT: folder,
  };
  return { port, variables, certificate };
}

export async function readResponse(response: IncomingMessage): Promise<NginxResponse> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  const headerNames = response.rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());
  const { statusCode: status = 0, headers } = response;
  return { status, headers, headerNames, body: Buffer.concat(chunks).toString() };
}

/** A test with nginx only. `test.use({ setup })` changes its variables. */
export const test = base.extend<object, { readonly setup: Setup; readonly nginx: NginxServer }>({
  setup: [{}, { option: true, scope: 'worker' }],
  nginx: [
    async ({ setup }, use) => {
      const server = await NginxServer.start(setup);
      await use(server);
      await server.close();
    },
    { scope: 'worker' },
  ],
});

export { expect };
