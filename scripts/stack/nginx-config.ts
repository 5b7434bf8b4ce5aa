import { mkdirSync, readlinkSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { execaSync } from 'execa';
import { StartError } from './start-error.ts';

/** The names that the files under `nginx/` leave open; the container's Dockerfile gives the same ones. */
export interface NginxVariables {
  /** `user` directive with its semicolon, or empty to run as who starts it. */
  readonly NGINX_USER: string;
  /** Address and port, as in the `listen` directive. */
  readonly NGINX_LISTEN: string;
  /** The same for TLS; needed where there is a certificate. */
  readonly NGINX_LISTEN_TLS?: string;
  /** Folder for the pid and temporary files. */
  readonly NGINX_RUN_DIR: string;
  readonly NGINX_MODULES_DIR: string;
  readonly NGINX_ACCESS_LOG: string;
  readonly NGINX_ERROR_LOG: string;
  readonly WEB_ROOT: string;
  /** Folder that has `assets/`, the files with a hash in their name; WEB_ROOT unless given. */
  readonly ASSETS_ROOT?: string;
  /** Folder that has `.well-known/acme-challenge/`; needed where there is a certificate. */
  readonly ACME_ROOT?: string;
  /** File with the hashes for the Content-Security-Policy, made by the frontend's build. */
  readonly CSP_HASHES_FILE: string;
  /** host:port of the form service; of several, with spaces between them. */
  readonly API_UPSTREAM: string;
  /** Addresses and networks of the proxies in front, separated by commas. */
  readonly TRUSTED_PROXIES?: string;
  /** Paths of the certificate with its chain, and of its key: with them nginx ends TLS itself. */
  readonly TLS_CERTIFICATE?: string;
  readonly TLS_CERTIFICATE_KEY?: string;
  /** The port that visitors use for TLS. */
  readonly TLS_PORT?: string;
}

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
