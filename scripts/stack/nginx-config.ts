import { readlinkSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { execaSync } from 'execa';
import { StartError } from './start-error.ts';

/** Variables of the templates in `nginx/`. The Dockerfile sets the same ones, and `render-config` has the defaults. */
export type NginxVariables = Readonly<Record<string, string>>;

/** Renders the configuration of nginx into an empty folder and returns the path of `nginx.conf`. */
export function renderNginxConfig(root: string, target: string, variables: NginxVariables): string {
  rmSync(target, { recursive: true, force: true });
  runScript(join(root, 'nginx/render-config'), [join(root, 'nginx'), target], { ...variables });
  return join(target, 'nginx.conf');
}

/** Variables of nginx for a published site. */
export type PublishedSite = Readonly<Record<'WEB_ROOT' | 'ASSETS_ROOT' | 'SITE_CONFIG_DIR', string>>;

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
