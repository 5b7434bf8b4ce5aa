import { mkdirSync, readlinkSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { execaSync } from 'execa';
import { StartError } from './start-error.ts';

type Needed =
  | 'NGINX_USER' // directive with its semicolon, or empty to run as who starts it
  | 'NGINX_LISTEN' // address and port, as in the `listen` directive
  | 'NGINX_RUN_DIR' // for the pid and temporary files
  | 'NGINX_MODULES_DIR'
  | 'NGINX_ACCESS_LOG'
  | 'NGINX_ERROR_LOG'
  | 'WEB_ROOT'
  | 'CSP_HASHES_FILE' // made by the frontend's build, for the Content-Security-Policy
  | 'API_UPSTREAM' // host:port of the api; of several, with spaces between them
  | 'WORKER_UPSTREAM'; // host:port of the worker, which answers the inbox

type Optional =
  | 'ASSETS_ROOT' // has `assets/`, the files with a hash in their name; WEB_ROOT unless given
  | 'TRUSTED_PROXIES' // addresses and networks of the proxies in front, separated by commas
  | 'PUBLISHED_ON' // address at which visitors reach it
  | 'HSTS_MAX_AGE' // seconds
  | 'TLS_CERTIFICATE' // path of the certificate with its chain: with it nginx ends TLS itself
  | 'TLS_CERTIFICATE_KEY'
  | 'TLS_PORT' // the one that visitors use
  | 'NGINX_LISTEN_TLS'
  | 'ACME_ROOT'; // has `.well-known/acme-challenge/`

/** The names that the files under `nginx/` leave open; the container's Dockerfile gives the same ones. */
export type NginxVariables = Readonly<Record<Needed, string> & Partial<Record<Optional, string>>>;

/** Renders nginx's configuration into an empty folder and returns the path of its main file. */
export function renderNginxConfig(root: string, target: string, variables: NginxVariables): string {
  rmSync(target, { recursive: true, force: true });
  mkdirSync(variables.NGINX_RUN_DIR, { recursive: true });
  runScript(join(root, 'nginx/render-config'), [join(root, 'nginx'), target], { ...variables });
  return join(target, 'nginx.conf');
}

/** What nginx serves of a site that has been published. */
export type PublishedSite = Required<Pick<NginxVariables, 'WEB_ROOT' | 'ASSETS_ROOT' | 'CSP_HASHES_FILE'>>;

/** Puts the built site (the frontend's `dist`) in the place of the version before, whose hashed files stay. */
export function publishSite(root: string, built: string, folder: string): PublishedSite {
  runScript(join(root, 'nginx/publish-site'), [built, folder]);
  const version = join(folder, readlinkSync(join(folder, 'current')));
  return { WEB_ROOT: join(version, 'site'), ASSETS_ROOT: folder, CSP_HASHES_FILE: join(version, 'csp-hashes.conf') };
}

function runScript(script: string, args: readonly string[], variables: Readonly<Record<string, string>> = {}): void {
  const env = { PATH: process.env.PATH, ...variables };
  const { failed, stderr, message } = execaSync('sh', [script, ...args], { env, extendEnv: false, reject: false });
  if (failed) throw new StartError(`${script} failed: ${stderr || message}`);
}
