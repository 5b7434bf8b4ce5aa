import { readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import autocannon from 'autocannon';
import { NginxServer } from '../e2e/nginx/server.ts';
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
  const nginx = await NginxServer.start({
    variables: { WEB_ROOT: SITE, ASSETS_ROOT: SITE, CSP_HASHES_FILE: resolve('frontend/dist/nginx/csp-hashes.conf') },
  });
  return action(`http://127.0.0.1:${nginx.port}`).finally(() => nginx.close());
}
