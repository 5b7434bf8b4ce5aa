import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { renderNginxConfig } from '../scripts/stack/nginx-config.ts';
import { freePorts } from '../scripts/stack/ports.ts';
import { httpProbe } from '../scripts/stack/probes.ts';
import type { Programs } from '../scripts/stack/programs.ts';
import { withProcess } from './local-process.ts';
import { atLeast, below, type Result } from './result.ts';
import { measureInTurns } from './wrk.ts';

const CONNECTIONS = 64;
/** nginx takes no longer word in its configuration. */
const WORD_BYTES = 4000;

/** The precompressed home page against a plain `return 200` of the same size, in the same nginx. */
export async function benchHomePage({ nginx, nginxModules }: Programs): Promise<Result[]> {
  const folder = mkdtempSync(join(tmpdir(), 'kitewright-bench-'));
  const [port = 0, barePort = 0] = await freePorts(2);
  const site = resolve('frontend/dist/site');
  const config = renderNginxConfig(process.cwd(), join(folder, 'conf'), {
    NGINX_USER: process.getuid?.() === 0 ? 'user root;' : '',
    NGINX_LISTEN: `127.0.0.1:${port}`,
    NGINX_RUN_DIR: join(folder, 'run'),
    NGINX_MODULES_DIR: nginxModules,
    NGINX_ACCESS_LOG: join(folder, 'access.log'),
    NGINX_ERROR_LOG: join(folder, 'error.log'),
    WEB_ROOT: site,
    ASSETS_ROOT: site,
    CSP_HASHES_FILE: resolve('frontend/dist/nginx/csp-hashes.conf'),
    API_UPSTREAM: '127.0.0.1:9',
  });
  const bytes = statSync(join(site, 'index.html.br')).size;
  writeFileSync(config, readFileSync(config, 'utf8').replace(/}\s*$/, `${bareServer(barePort, bytes)}}\n`));
  try {
    return await withProcess(nginx, ['-c', config, '-e', join(folder, 'error.log'), '-g', 'daemon off;'], {}, httpProbe(`http://127.0.0.1:${port}/healthz`), async () => {
      const target = (at: number) => ({ url: `http://127.0.0.1:${at}/`, connections: CONNECTIONS, headers: ['Accept-Encoding: br'] });
      const [page, bare] = await measureInTurns([target(port), target(barePort)]);
      if (page === undefined || bare === undefined) throw new RangeError('Two targets were measured');
      return [
        atLeast(`home page, ${bytes} bytes brotli, throughput against return 200`, 'requests/s', page.requestsPerSecond, bare.requestsPerSecond, 0.85),
        below('home page, p99 under full load', 'ms', page.p99Ms, bare.p99Ms, 50),
      ];
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Sends as many bytes from memory, with as many headers. */
function bareServer(port: number, bytes: number): string {
  const words = Array.from({ length: Math.ceil(bytes / WORD_BYTES) }, (_, index) => 'x'.repeat(Math.min(WORD_BYTES, bytes - index * WORD_BYTES)));
  const names = words.map((_, index) => `$bare_${index}`);
  const sets = words.map((word, index) => `set ${names[index]} ${word};`).join('\n');
  return `server {\nlisten 127.0.0.1:${port};\ninclude snippets/headers/*.conf;\n${sets}\nlocation / { default_type text/html; return 200 "${names.join('')}"; }\n}\n`;
}
