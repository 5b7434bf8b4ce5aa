import { mkdirSync, readlinkSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { execaSync } from 'execa';
import { StartError } from './start-error.ts';

type RequiredName =
  | 'NGINX_USER' // directive with its semicolon, or empty for the current user
  | 'NGINX_LISTEN' // address and port, as in the `listen` directive
  | 'NGINX_RUN_DIR' // folder of the pid file and of temporary files
  | 'NGINX_MODULES_DIR' // empty if nginx has no brotli module
  | 'NGINX_ACCESS_LOG'
  | 'NGINX_ERROR_LOG'
  | 'WEB_ROOT'
  | 'SITE_CONFIG_DIR' // folder of the configuration that the build of the frontend generates
  | 'API_UPSTREAM' // host:port of each api, separated by spaces
  | 'WORKER_UPSTREAM'; // host:port of the worker, which serves the inbox

type OptionalName =
  | 'ASSETS_ROOT' // parent of `assets/` with the hashed files; default WEB_ROOT
  | 'TRUSTED_PROXIES' // addresses and networks of reverse proxies, separated by commas
  | 'PUBLISHED_ON' // address at which visitors reach nginx
  | 'HSTS_MAX_AGE' // seconds
  | 'INBOX' // on or off; by default the worker decides
  | 'INBOX_URL' // the inbox on a host of its own
  | 'HEADER_TIMEOUT' // client_header_timeout; default 10s
  | 'BODY_TIMEOUT' // client_body_timeout; default 15s
  | 'TLS_CERTIFICATE' // path of the certificate chain: enables TLS termination in nginx
  | 'TLS_CERTIFICATE_KEY'
  | 'TLS_PORT' // port that visitors use
  | 'NGINX_LISTEN_TLS'
  | 'ACME_ROOT'; // parent of `.well-known/acme-challenge/`

/** Variables of the templates in `nginx/`. The Dockerfile sets the same ones. */
export type NginxVariables = Readonly<Record<RequiredName, string> & Partial<Record<OptionalName, string>>>;

/** Renders the configuration of nginx into an empty folder and returns the path of `nginx.conf`. */
export function renderNginxConfig(root: string, target: string, variables: NginxVariables): string {
  rmSync(target, { recursive: true, force: true });
  mkdirSync(variables.NGINX_RUN_DIR, { recursive: true });
  runScript(join(root, 'nginx/render-config'), [join(root, 'nginx'), target], { ...variables });
  return join(target, 'nginx.conf');
}

/** Variables of nginx for a published site. */
export type PublishedSite = Required<Pick<NginxVariables, 'WEB_ROOT' | 'ASSETS_ROOT' | 'SITE_CONFIG_DIR'>>;

/** Publishes the built site (the frontend's `dist`). Hashed files of the previous version stay. */
export function publishSite(root: string, built: string, folder: string): PublishedSite {
  runScript(join(root, 'nginx/publish-site'), [built, folder]);
  const version = join(folder, readlinkSync(join(folder, 'current')));
  return { WEB_ROOT: join(version, 'site'), ASSETS_ROOT: folder, SITE_CONFIG_DIR: version };
}

/** Folders of GNU's commands on macOS, whose own `mv` and `sync` lack options that the scripts use. */
const GNU_FOLDERS = ['/opt/homebrew', '/usr/local'].map((folder) => `${folder}/opt/coreutils/libexec/gnubin`);

function runScript(script: string, args: readonly string[], variables: Readonly<Record<string, string>> = {}): void {
  const env = { PATH: [...GNU_FOLDERS, process.env.PATH].join(delimiter), ...variables };
  const { failed, stderr, message } = execaSync('sh', [script, ...args], { env, extendEnv: false, reject: false });
  if (failed) throw new StartError(`${script} failed: ${stderr || message}`);
}
