import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { execaSync } from 'execa';
import { parse } from 'yaml';
import { publishSite, renderNginxConfig } from './nginx-config.ts';
import { httpProbe, redisProbe } from './probes.ts';
import type { Programs } from './programs.ts';
import type { RunFolder } from './run-folder.ts';
import type { Settings } from './settings.ts';
import type { ProcessSpec } from './supervised-process.ts';

/** Ports of the parts nobody outside talks to, chosen free at each start. */
export interface InnerPorts {
  readonly api: number;
  readonly worker: number;
  readonly redis: number;
  readonly smtp: number;
}

/** The form service's own settings: the environment's, with what the stack knows where that is silent. */
export function serviceEnvironment(settings: Settings, ports: InnerPorts): Record<string, string> {
  return {
    // With caught mails this is a trial, whose addresses may be the example's.
    NODE_ENV: settings.outsideMail ? 'production' : 'development',
    COMPANY_NAME: process.env.COMPANY_NAME || companyName(settings.root),
    API_HOST: '127.0.0.1',
    API_PORT: String(ports.api),
    WORKER_HOST: '127.0.0.1',
    WORKER_PORT: String(ports.worker),
    ...storageEnvironment(settings.dataDir),
    ...(settings.outsideRedis ? {} : { REDIS_URL: `redis://127.0.0.1:${ports.redis}` }),
    ...(settings.outsideMail ? {} : { SMTP_URL: `smtp://127.0.0.1:${ports.smtp}` }),
  };
}

/** The name that the site has for the company, for mails. */
function companyName(root: string): string {
  const company = parse(readFileSync(join(root, 'frontend/content/company.yaml'), 'utf8')) as {
    readonly name: unknown;
  };
  return String(company.name);
}

/** Where submissions and résumés are: in the data folder, unless the environment says otherwise. */
export function storageEnvironment(dataDir: string): Record<string, string> {
  const { DATABASE_URL = '', RESUMES_URL } = process.env;
  // Beside an SQLite database of the operator's the service itself puts the résumés.
  const resumes = RESUMES_URL || (DATABASE_URL.startsWith('file:') ? '' : `file:${join(dataDir, 'resumes')}`);
  return {
    DATABASE_URL: DATABASE_URL || `file:${join(dataDir, 'submissions.db')}`,
    ...(resumes && { RESUMES_URL: resumes }),
  };
}

/** The form service's HTTP process. */
export function apiSpec(settings: Settings, ports: InnerPorts): ProcessSpec {
  return serviceSpec('api', ports.api, '/health/ready', settings, ports);
}

/** The form service's queue process. */
export function workerSpec(settings: Settings, ports: InnerPorts): ProcessSpec {
  // Alive is enough: a mail server that is away, or an old failure, must not keep the site from starting.
  return serviceSpec('worker', ports.worker, '/health/live', settings, ports);
}

function serviceSpec(name: 'api' | 'worker', port: number, health: string, settings: Settings, ports: InnerPorts) {
  return {
    name,
    command: process.execPath,
    args: [join(settings.root, `form-service/dist/${name}.js`)],
    env: serviceEnvironment(settings, ports),
    stopSignal: 'SIGTERM',
    isReady: httpProbe(`http://127.0.0.1:${port}${health}`),
  } satisfies ProcessSpec;
}

/** Redis with its data in the data folder, synced to disk every second. */
export function redisSpec(settings: Settings, ports: InnerPorts, redisServer: string): ProcessSpec {
  const folder = join(settings.dataDir, 'redis');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  repairLog(folder);
  const options = {
    port: String(ports.redis),
    bind: '127.0.0.1',
    dir: folder,
    appendonly: 'yes',
    save: '',
    'maxmemory-policy': 'noeviction',
  };
  return {
    name: 'redis',
    command: redisServer,
    args: Object.entries(options).flatMap(([option, value]) => [`--${option}`, value]),
    stopSignal: 'SIGTERM',
    isReady: redisProbe(ports.redis),
  };
}

/**
 * Cuts off what a power cut has left unreadable at the end of Redis' log: Redis itself would not start. Where that is not
 * enough, it starts empty: the worker fills the queue anew from the database.
 */
function repairLog(folder: string): void {
  const log = join(folder, 'appendonlydir');
  const manifest = join(log, 'appendonly.aof.manifest');
  if (!existsSync(manifest)) return;
  const { exitCode } = execaSync('redis-check-aof', ['--fix', manifest], { input: 'y\n', reject: false });
  if (exitCode === 1) renameSync(log, join(folder, `damaged-${Date.now()}`));
}

/** MailDev: a mail server that delivers to a web page. */
export function mailSpec(settings: Settings, ports: InnerPorts): ProcessSpec {
  const folder = join(settings.dataDir, 'mail');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const smtp = ['--smtp', String(ports.smtp), '--ip', '127.0.0.1'];
  // Everybody's mails without a password: for this machine alone, wherever nginx listens.
  const web = ['--web', String(settings.mailUiPort), '--web-ip', '127.0.0.1'];
  return {
    name: 'mail',
    command: process.execPath,
    args: [
      join(settings.root, 'node_modules/maildev/dist/bin/maildev.js'),
      ...smtp,
      ...web,
      '--mail-directory',
      folder,
    ],
    stopSignal: 'SIGTERM',
    isReady: httpProbe(`http://127.0.0.1:${settings.mailUiPort}/api/healthz`),
  };
}

/** Vite in nginx's place: the pages with hot reload, /api passed on to the running service. */
export function viteSpec({ root, host, port }: Settings, ports: InnerPorts): ProcessSpec {
  const options = ['--host', host, '--port', String(port), '--strictPort'];
  return {
    name: 'vite',
    command: process.execPath,
    args: [join(root, 'node_modules/vite/bin/vite.js'), join(root, 'frontend'), ...options],
    env: { API_PORT: String(ports.api) },
    stopSignal: 'SIGTERM',
    isReady: httpProbe(`http://${reachable(host)}:${port}/`),
  };
}

/** nginx in front, with the same configuration as in the container. */
export function nginxSpec(
  settings: Settings,
  ports: InnerPorts,
  programs: Programs,
  folder: RunFolder,
  apis: readonly number[] = [ports.api],
): ProcessSpec {
  const runDir = join(settings.dataDir, 'nginx');
  const config = renderNginxConfig(settings.root, join(runDir, 'conf'), {
    NGINX_USER: process.getuid?.() === 0 ? 'user root;' : '',
    NGINX_LISTEN: `${bracketed(settings.host)}:${settings.port}`,
    NGINX_RUN_DIR: runDir,
    NGINX_MODULES_DIR: programs.nginxModules,
    NGINX_ACCESS_LOG: folder.logFile('nginx'),
    NGINX_ERROR_LOG: 'stderr',
    API_UPSTREAM: apis.map((port) => `127.0.0.1:${port}`).join(' '),
    // Where the workers' ports are their own choice nothing answers on port 1, nor the inbox then.
    WORKER_UPSTREAM: `127.0.0.1:${ports.worker || 1}`,
    ...publishSite(settings.root, join(settings.root, 'frontend/dist'), join(settings.dataDir, 'site')),
    TRUSTED_PROXIES: settings.trustedProxies ?? '',
    PUBLISHED_ON: settings.host,
    HSTS_MAX_AGE: String(settings.hstsMaxAge ?? ''),
    ...(settings.tls && tlsVariables(settings, settings.tls)),
  });
  return {
    name: 'nginx',
    command: programs.nginx,
    args: ['-c', config, '-e', 'stderr', '-g', 'daemon off;'],
    stopSignal: 'SIGQUIT',
    isReady: httpProbe(`http://${reachable(settings.host)}:${settings.port}/healthz`),
  };
}

function tlsVariables({ host, dataDir }: Settings, { certificate, key, port }: NonNullable<Settings['tls']>) {
  return {
    NGINX_LISTEN_TLS: `${bracketed(host)}:${port}`,
    TLS_CERTIFICATE: certificate,
    TLS_CERTIFICATE_KEY: key,
    TLS_PORT: String(port),
    ACME_ROOT: process.env.ACME_FOLDER || join(dataDir, 'acme'),
  };
}

/** The address as it stands in a URL that this machine can open, whatever it binds to. */
export function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  return host === '::' ? '[::1]' : bracketed(host);
}

function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
