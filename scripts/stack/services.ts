import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readSettings } from '../../form-service/src/settings/settings.ts';
import { publishSite, renderNginxConfig } from './nginx-config.ts';
import { httpProbe, portProbe } from './probes.ts';
import type { Programs } from './programs.ts';
import { nodeEnvironment, type StackSettings } from './settings.ts';
import type { ProcessSpec } from './stack-process.ts';

/** Ports that only the stack itself uses, chosen at each start. */
export interface InnerPorts {
  readonly api: number;
  readonly worker: number;
  readonly redis: number;
  readonly smtp: number;
}

/** Environment of the form service: values of the stack for settings that the environment does not have. */
export function serviceEnvironment(settings: StackSettings, ports: InnerPorts): Record<string, string> {
  return {
    NODE_ENV: nodeEnvironment(settings.hasExternalMail, process.env),
    ...processUrls(ports),
    ...storageEnvironment(settings.dataDir),
    ...(settings.hasExternalRedis ? {} : { REDIS_URL: `redis://127.0.0.1:${ports.redis}` }),
    ...(settings.hasExternalMail ? {} : { SMTP_URL: `smtp://127.0.0.1:${ports.smtp}` }),
  };
}

/** Addresses of api and worker. */
export const processUrls = ({ api, worker }: InnerPorts) => ({
  API_URL: `http://127.0.0.1:${api}`,
  WORKER_URL: `http://127.0.0.1:${worker}`,
});

/** Locations of submissions and résumés: the environment's, or the data folder. */
export function storageEnvironment(dataDir: string): Record<string, string> {
  const { DATABASE_URL = '', RESUMES_URL } = process.env;
  // The service stores résumés next to an SQLite database that the operator has chosen.
  const inDataFolder = (name: string) => pathToFileURL(join(dataDir, name)).href;
  const resumes = RESUMES_URL || (DATABASE_URL.startsWith('file:') ? '' : inDataFolder('resumes'));
  return {
    DATABASE_URL: DATABASE_URL || inDataFolder('submissions.db'),
    ...(resumes && { RESUMES_URL: resumes }),
  };
}

export function apiSpec(settings: StackSettings, ports: InnerPorts): ProcessSpec {
  return serviceSpec('api', ports.api, '/health/ready', settings, ports);
}

/** Returns the address of the site, as a person on this machine opens it. */
export function siteAddress({ host, port }: StackSettings): string {
  const name = reachableHost(host).replace(/^(?:127\.0\.0\.1|\[::1\])$/, 'localhost');
  return `http://${name}:${port}`;
}

export function workerSpec(settings: StackSettings, ports: InnerPorts): ProcessSpec {
  // Liveness, not readiness: an unavailable mail server or an old failure must not prevent the start.
  const spec = serviceSpec('worker', ports.worker, '/health/live', settings, ports);
  if (settings.hasExternalMail || process.env.SITE_URL) return spec;
  // Links in the mails of a trial lead to this machine. Their sender stays at the host of company.yaml.
  const { MAIL_FROM = '' } = readSettings();
  return { ...spec, env: { ...spec.env, SITE_URL: siteAddress(settings), MAIL_FROM } };
}

function serviceSpec(name: 'api' | 'worker', port: number, health: string, settings: StackSettings, ports: InnerPorts) {
  return {
    name,
    command: process.execPath,
    args: [join(settings.root, `form-service/dist/${name}.js`)],
    env: serviceEnvironment(settings, ports),
    stopSignal: 'SIGTERM',
    isReady: httpProbe(`http://127.0.0.1:${port}${health}`),
  } satisfies ProcessSpec;
}

/** Redis without a file of its own: at the next start the worker fills the queue from the database. */
export function redisSpec(ports: InnerPorts, redisServer: string): ProcessSpec {
  const options = {
    port: String(ports.redis),
    bind: '127.0.0.1',
    save: '',
    'maxmemory-policy': 'noeviction',
  };
  return {
    name: 'redis',
    command: redisServer,
    args: Object.entries(options).flatMap(([option, value]) => [`--${option}`, value]),
    stopSignal: 'SIGTERM',
    isReady: portProbe(ports.redis),
  };
}

/** Mail catcher, which keeps the mails in the data folder. */
export function mailSpec({ root, dataDir, mailUiPort }: StackSettings, ports: InnerPorts): ProcessSpec {
  return {
    name: 'mail',
    command: process.execPath,
    args: [join(root, 'scripts/mail-catcher/server.ts'), `${ports.smtp}`, `${mailUiPort}`, join(dataDir, 'mail')],
    stopSignal: 'SIGTERM',
    isReady: httpProbe(`http://127.0.0.1:${mailUiPort}/api/healthz`),
  };
}

/** Vite instead of nginx: serves the pages with hot reload, and forwards /api to the service. */
export function viteSpec({ root, host, port }: StackSettings, ports: InnerPorts): ProcessSpec {
  const options = ['--host', host, '--port', String(port), '--strictPort'];
  return {
    name: 'vite',
    command: process.execPath,
    args: [join(root, 'node_modules/vite/bin/vite.js'), join(root, 'frontend'), ...options],
    env: processUrls(ports),
    stopSignal: 'SIGTERM',
    isReady: httpProbe(`http://${reachableHost(host)}:${port}/`),
  };
}

/** nginx with the same configuration as in the container. */
export function nginxSpec(
  settings: StackSettings,
  ports: InnerPorts,
  programs: Programs,
  accessLog: string,
): ProcessSpec {
  const runDir = join(settings.dataDir, 'nginx');
  const config = renderNginxConfig(settings.root, join(runDir, 'conf'), {
    NGINX_USER: process.getuid?.() === 0 ? 'user root;' : '',
    NGINX_LISTEN: `${bracketed(settings.host)}:${settings.port}`,
    NGINX_RUN_DIR: runDir,
    NGINX_MODULES_DIR: programs.nginxModules,
    NGINX_ACCESS_LOG: accessLog,
    NGINX_ERROR_LOG: 'stderr',
    API_UPSTREAM: `127.0.0.1:${ports.api}`,
    WORKER_UPSTREAM: `127.0.0.1:${ports.worker}`,
    ...publishSite(settings.root, join(settings.root, 'frontend/dist'), join(settings.dataDir, 'site')),
    TRUSTED_PROXIES: settings.trustedProxies ?? '',
    PUBLISHED_ON: settings.host,
    INBOX: settings.hasInbox ? 'on' : 'off',
    INBOX_URL: settings.inboxUrl ?? '',
  });
  return {
    name: 'nginx',
    command: programs.nginx,
    args: ['-c', config, '-e', 'stderr', '-g', 'daemon off;'],
    stopSignal: 'SIGQUIT',
    isReady: httpProbe(`http://${reachableHost(settings.host)}:${settings.port}/healthz`),
  };
}

/** Returns the host of a URL at which this machine reaches a server that binds to `host`. */
export function reachableHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  return host === '::' ? '[::1]' : bracketed(host);
}

function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
