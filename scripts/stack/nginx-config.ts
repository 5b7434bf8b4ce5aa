import { mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The names that the files under `nginx/` leave open; the container's Dockerfile gives the same ones. */
export interface NginxVariables {
  /** `user` directive with its semicolon, or empty to run as who starts it. */
  readonly NGINX_USER: string;
  /** Address and port, as in the `listen` directive. */
  readonly NGINX_LISTEN: string;
  /** Folder for the pid and temporary files. */
  readonly NGINX_RUN_DIR: string;
  readonly NGINX_MODULES_DIR: string;
  readonly NGINX_ACCESS_LOG: string;
  readonly NGINX_ERROR_LOG: string;
  readonly WEB_ROOT: string;
  /** File with the hashes for the Content-Security-Policy, made by the frontend's build. */
  readonly CSP_HASHES_FILE: string;
  /** host:port of the form service. */
  readonly API_UPSTREAM: string;
}

/** Renders nginx's configuration into an empty folder and returns the path of its main file. */
export function renderNginxConfig(root: string, target: string, variables: NginxVariables): string {
  const source = join(root, 'nginx');
  rmSync(target, { recursive: true, force: true });
  for (const name of readdirSync(source, { recursive: true, encoding: 'utf8' })) {
    if (!/\.(conf|types)$/.test(name) || !statSync(join(source, name)).isFile()) continue;
    mkdirSync(dirname(join(target, name)), { recursive: true });
    writeFileSync(join(target, name), render(readFileSync(join(source, name), 'utf8'), name, variables));
  }
  mkdirSync(variables.NGINX_RUN_DIR, { recursive: true });
  return join(target, 'nginx.conf');
}

function render(template: string, name: string, variables: NginxVariables): string {
  return template.replace(/\$\{([A-Z_]+)\}/g, (_, variable: string) => {
    if (!(variable in variables)) throw new Error(`nginx/${name} asks for ${variable}, which nobody gives`);
    return variables[variable as keyof NginxVariables];
  });
}
