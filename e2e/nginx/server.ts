import { test as base, expect } from '@playwright/test';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request, type IncomingHttpHeaders, type IncomingMessage, type OutgoingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync, brotliCompressSync } from 'node:zlib';
import { renderNginxConfig } from '../../scripts/stack/nginx-config.ts';
import { freePorts } from '../../scripts/stack/ports.ts';
import { httpProbe } from '../../scripts/stack/probes.ts';
import { requirePrograms } from '../../scripts/stack/programs.ts';

/** What nginx answered. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Question {
  readonly method?: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | Buffer;
}

type Upstream = (request: IncomingMessage, response: ServerResponse) => void;

const SITE: Readonly<Record<string, string>> = {
  'index.html': '<h1>Home</h1>',
  'about.html': '<h1>About</h1>',
  'services.html': '<h1>Services</h1>',
  'services/web-development.html': '<h1>Web</h1>',
  '404.html': '<h1>404 Page Not Found</h1>',
  'site.css': 'body{}',
  'assets/app-AbCd1234.js': 'export {}',
  'assets/app-AbCd1234.js.map': '{}',
  'images/hero.svg': '<svg/>',
  '.well-known/security.txt': 'Contact: mailto:hello@kitewright.example',
  '.secret': 'secret',
};

/** The real nginx with the repository's configuration, in front of a small site and of an upstream that a test decides on. */
/** What the site's build would write: hashes that a test can recognise. */
const CSP_HASHES = `
map $uri $csp_style_hashes { default "'sha256-style'"; }
map "" $csp_script_hashes { default "'sha256-script'"; }
map "" $csp_connect_origins { default ""; }
`;

export class NginxServer {
  /** What the form service is made to do; each test sets its own. */
  upstream: Upstream = (_, response) => void response.end();
  readonly #port: number;
  readonly #accessLog: string;
  readonly #api: Server;
  #close: () => Promise<void>;

  private constructor(port: number, accessLog: string, api: Server, close: () => Promise<void>) {
    this.#port = port;
    this.#accessLog = accessLog;
    this.#api = api;
    this.#close = close;
  }

  static async start(): Promise<NginxServer> {
    const folder = mkdtempSync(join(tmpdir(), 'kitewright-nginx-'));
    for (const [name, text] of Object.entries(SITE)) writeCompressed(join(folder, 'site', name), text);
    writeFileSync(join(folder, 'csp-hashes.conf'), CSP_HASHES);
    const [port = 0, apiPort = 0] = await freePorts(2);
    const programs = requirePrograms(false);
    const config = renderNginxConfig(fileURLToPath(new URL('../..', import.meta.url)), join(folder, 'conf'), {
      NGINX_USER: process.getuid?.() === 0 ? 'user root;' : '',
      NGINX_LISTEN: `127.0.0.1:${port}`,
      NGINX_RUN_DIR: join(folder, 'run'),
      NGINX_MODULES_DIR: programs.nginxModules,
      NGINX_ACCESS_LOG: join(folder, 'access.log'),
      NGINX_ERROR_LOG: join(folder, 'error.log'),
      WEB_ROOT: join(folder, 'site'),
      CSP_HASHES_FILE: join(folder, 'csp-hashes.conf'),
      API_UPSTREAM: `127.0.0.1:${apiPort}`,
    });
    const nginx = spawn(programs.nginx, ['-c', config, '-e', join(folder, 'error.log'), '-g', 'daemon off;'], { stdio: 'ignore' });
    const api = createServer();
    const server = new NginxServer(port, join(folder, 'access.log'), api, async () => {
      const ended = once(nginx, 'close');
      nginx.kill('SIGTERM');
      await ended;
      api.closeAllConnections();
      api.close();
      rmSync(folder, { recursive: true, force: true });
    });
    api.on('request', (question, response) => server.upstream(question, response));
    await new Promise<void>((listening) => api.listen(apiPort, '127.0.0.1', listening));
    await expect.poll(httpProbe(`http://127.0.0.1:${port}/healthz`)).toBe(true);
    return server;
  }

  /** Sends one request with the path exactly as given. */
  ask(path: string, { method = 'GET', headers = {}, body }: Question = {}): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const question = request({ host: '127.0.0.1', port: this.#port, path, method, headers, agent: false }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks).toString() }));
      });
      question.once('error', reject);
      question.end(body);
    });
  }

  /** The access log's lines that hold a text, once there is one. */
  async logged(text: string): Promise<string[]> {
    const lines = () => readFileSync(this.#accessLog, 'utf8').split('\n').filter((line) => line.includes(text));
    await expect.poll(() => lines().length).toBeGreaterThan(0);
    return lines();
  }

  /** Runs something while nothing listens where the form service should be. */
  async whileApiIsDown<Result>(action: () => Promise<Result>): Promise<Result> {
    const address = this.#api.address();
    if (address === null || typeof address === 'string') throw new TypeError('A TCP server has a port');
    this.#api.closeAllConnections();
    await new Promise((closed) => this.#api.close(closed));
    try {
      return await action();
    } finally {
      await new Promise<void>((listening) => this.#api.listen(address.port, '127.0.0.1', listening));
    }
  }

  close(): Promise<void> {
    return this.#close();
  }
}

/** A test against nginx alone. */
export const test = base.extend<object, { readonly nginx: NginxServer }>({
  nginx: [
    async ({}, use) => {
      const server = await NginxServer.start();
      await use(server);
      await server.close();
    },
    { scope: 'worker' },
  ],
});

export { expect };

function writeCompressed(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  writeFileSync(`${path}.gz`, gzipSync(text));
  writeFileSync(`${path}.br`, brotliCompressSync(text));
}
