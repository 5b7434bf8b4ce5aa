import { readFileSync } from 'node:fs';

const sitemap = readFileSync(new URL('../../frontend/dist/site/sitemap.xml', import.meta.url), 'utf8');

/** Every page of the built site, as its sitemap names them. */
export const paths: readonly string[] = [...sitemap.matchAll(/<loc>([^<]+)/g)].map(
  ([, address = '']) => new URL(address).pathname,
);

/** An address that is no page. */
export const UNKNOWN_PATH = '/no-such-page';
