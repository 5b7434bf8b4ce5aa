import { readFileSync, statSync } from 'node:fs';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import autocannon from 'autocannon';
import { renderNginxConfig } from '../scripts/stack/nginx-config.ts';
import { freePorts } from '../scripts/stack/ports.ts';
import { httpProbe } from '../scripts/stack/probes.ts';
import { requirePrograms } from '../scripts/stack/programs.ts';
import { withProcess } from './processes.ts';
import { below, type Result } from './result.ts';

const SITE = resolve('frontend/dist/site');

/** Every page of the built site. */
export const pagesOfTheSite = (): string[] =>
  [...readFileSync(join(SITE, 'sitemap.xml'), 'utf8').matchAll(/<loc>([^<]+)<\/loc>/g)].map(
    ([, address = '']) => new URL(address).pathname,
  );

/** How soon a page comes under full load. */
export function benchSite(): Promise<Result[]> {
  return withSite(async (url) => {
    const { requests, latency } = await autocannon({
      url,
      connections: 64,
      duration: 5,
      headers: { 'accept-encoding': 'br' },
    });
    const bytes = statSync(join(SITE, 'index.html.br')).size;
    const what = `home page, ${bytes} bytes brotli, p99 at ${requests.average.toFixed(0)} requests/s`;
    return [below(what, 'ms', latency.p99, 50)];
  });
}

/** nginx with the repository's configuration in front of the built site, for as long as an action takes. */
export async function withSite<Value>(action: (url: string) => Promise<Value>): Promise<Value> {
  const { nginx, nginxModules } = requirePrograms(true);
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
  const url = `http://127.0.0.1:${port}`;
  const args = ['-c', config, '-e', join(folder, 'error.log'), '-g', 'daemon off;'];
  try {
    return await withProcess(nginx, args, {}, httpProbe(`${url}/healthz`), () => action(url));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
