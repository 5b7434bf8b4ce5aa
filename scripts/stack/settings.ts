import { resolve } from 'node:path';
import { checkTrustedProxies, NOT_IN_NGINX, PLAIN_PATH, readTls, type TlsSettings } from './edge-settings.ts';
import { WrongSettings } from './start-error.ts';

/** What the local stack itself reads from the environment; everything else is passed on to the service as it is. */
export interface Settings {
  /** The repository. */
  readonly root: string;
  /** Where the stack keeps its data, logs and pid files (`DATA_DIR`, default `.data`). */
  readonly dataDir: string;
  /** Address nginx and the mail catcher's page bind to. */
  readonly host: string;
  readonly port: number;
  readonly mailUiPort: number;
  /** An outside Redis is configured: none is started. */
  readonly outsideRedis: boolean;
  /** An outside mail server is configured: no catcher is started. */
  readonly outsideMail: boolean;
  /** Proxies in front whom nginx believes, as in `TRUSTED_PROXIES`. */
  readonly trustedProxies?: string;
  /** A certificate is configured: nginx ends TLS itself. */
  readonly tls?: TlsSettings | undefined;
  /** The form service is compiled again when its source changes, and its processes are started anew. */
  readonly isWatching?: boolean;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the settings, or throws {@link WrongSettings}. The variables that are the service's own are judged by the service. */
export function readSettings(env: Environment, root: string): Settings {
  const mistakes: string[] = [];
  const port = readPort(env, 'PORT', 8080, mistakes);
  const mailUiPort = readPort(env, 'MAIL_UI_PORT', 1080, mistakes);
  const outsideRedis = ['REDIS_URL', 'REDIS_SENTINELS', 'REDIS_CLUSTER_NODES'].some((name) => isGiven(env, name));
  const outsideMail = isGiven(env, 'SMTP_URL');
  if (port === mailUiPort && !outsideMail) mistakes.push('PORT and MAIL_UI_PORT must differ');
  const host = env.HOST || '127.0.0.1';
  if (!/^[0-9a-zA-Z.:_-]+$/.test(host)) mistakes.push('HOST must be an address or a host name');
  const dataDir = resolve(root, env.DATA_DIR || '.data');
  if (NOT_IN_NGINX.test(dataDir)) mistakes.push(`DATA_DIR ${PLAIN_PATH}`);
  // Otherwise the build would fail on it, without its name.
  if (env.ANALYTICS_URL && !/^https?:\/\/[^\s"'`;]+$/.test(env.ANALYTICS_URL))
    mistakes.push('ANALYTICS_URL must be a URL that starts with https:// or http://');
  const trustedProxies = env.TRUSTED_PROXIES ?? '';
  checkTrustedProxies(trustedProxies, mistakes);
  const tlsPort = readPort(env, 'TLS_PORT', 8443, mistakes);
  const tls = readTls({ certificate: env.TLS_CERTIFICATE, key: env.TLS_CERTIFICATE_KEY }, root, tlsPort, mistakes);
  if (tls && tlsPort === port) mistakes.push('PORT and TLS_PORT must differ');
  if (mistakes.length > 0) throw new WrongSettings(mistakes);
  return { root, dataDir, host, port, mailUiPort, outsideRedis, outsideMail, trustedProxies, tls };
}

function readPort(env: Environment, name: string, fallback: number, mistakes: string[]): number {
  const text = env[name];
  if (!text) return fallback;
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port >= 1 && port <= 65535) return port;
  mistakes.push(`${name} must be a port number from 1 to 65535`);
  return fallback;
}

/** Whether an outside server is named, directly or by a file that holds its address. */
function isGiven(env: Environment, name: string): boolean {
  return Boolean(env[name] || env[`${name}_FILE`]);
}
