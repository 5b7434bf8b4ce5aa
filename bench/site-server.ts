import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { renderNginxConfig } from '../scripts/stack/nginx-config.ts';
import { freePorts } from '../scripts/stack/ports.ts';
import { httpProbe } from '../scripts/stack/probes.ts';
import type { Programs } from '../scripts/stack/programs.ts';
import { withProcess } from './local-process.ts';

/** The built site, which the benchmarks serve. */
export const SITE = resolve('frontend/dist/site');

/**
 * nginx with the repository's configuration in front of the built site, for as long as an action takes.
 *
 * @param moreServers `server` blocks that nginx has besides
 */
export async function withSite<Value>(
  { nginx, nginxModules }: Programs,
  action: (url: string) => Promise<Value>,
  moreServers = '',
): Promise<Value> {
  const folder = mkdtempSync(join(tmpdir(), 'kitewright-bench-'));
  const [port = 0] = await freePorts(1);
  const config = renderNginxConfig(process.cwd(), join(folder, 'conf'), {
    NGINX_USER: process.getuid?.() === 0 ? 'user root;' : '',
    NGINX_LISTEN: `127.0.0.1:${port}`,
    NGINX_RUN_DIR: join(folder, 'run'),
    NGINX_MODULES_DIR: nginxModules,
    NGINX_ACCESS_LOG: join(folder, 'access.log'),
    NGINX_ERROR_LOG: join(folder, 'error.log'),
    WEB_ROOT: SITE,
    ASSETS_ROOT: SITE,
    CSP_HASHES_FILE: resolve('frontend/dist/nginx/csp-hashes.conf'),
    API_UPSTREAM: '127.0.0.1:9',
  });
  writeFileSync(config, readFileSync(config, 'utf8').replace(/}\s*$/, `${moreServers}}\n`));
  const url = `http://127.0.0.1:${port}`;
  try {
    return await withProcess(
      nginx,
      ['-c', config, '-e', join(folder, 'error.log'), '-g', 'daemon off;'],
      {},
      httpProbe(`${url}/healthz`),
      () => action(url),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
