import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { execa } from 'execa';
import { CHROMIUM, CHROMIUM_ARGUMENTS } from '../e2e/playwright.config.ts';
import { NginxServer } from '../e2e/nginx/server.ts';
import { median } from './service.ts';

/** Not a dependency, because only releases use it: npm runs it from its cache. */
const COMMAND = ['exec', '--yes', '--package=lighthouse@13.0.1', '--', 'lighthouse'];
const RUNS = 5;
const TIMES = ['first-contentful-paint', 'largest-contentful-paint', 'total-blocking-time', 'cumulative-layout-shift'];

interface Report {
  readonly audits: Readonly<Record<string, { readonly numericValue?: number } | undefined>>;
}

/** Paths of all pages of the built site. */
const allPages = (): string[] =>
  [...readFileSync('frontend/dist/site/sitemap.xml', 'utf8').matchAll(/<loc>([^<]+)<\/loc>/g)].map(
    ([, address = '']) => new URL(address).pathname,
  );

/**
 * Audits pages through nginx as Lighthouse does by default: a phone on simulated slow 4G with an empty cache.
 *
 * @param chosen paths; by default all
 * @returns the medians of five runs, in ms, a row for each page
 */
export async function measurePages(chosen: readonly string[]): Promise<Readonly<Record<string, string>>[]> {
  const site = resolve('frontend/dist/site');
  const variables = { WEB_ROOT: site, ASSETS_ROOT: site, SITE_CONFIG_DIR: resolve('frontend/dist/nginx') };
  const nginx = await NginxServer.start({ variables });
  const rows: Record<string, string>[] = [];
  for (const path of chosen.length > 0 ? chosen : allPages()) {
    const audits: number[][] = [];
    for (let run = 0; run < RUNS; run += 1) audits.push(await audit(`http://127.0.0.1:${nginx.port}${path}`));
    const medians = TIMES.map((name, at) => [
      name,
      String(Number(median(audits.map((one) => one[at] ?? 0)).toFixed(3))),
    ]);
    rows.push({ page: path, ...Object.fromEntries(medians) });
  }
  await nginx.close();
  return rows;
}

async function audit(url: string): Promise<number[]> {
  const flags = `--chrome-flags=${['--headless=new', ...CHROMIUM_ARGUMENTS].join(' ')}`;
  const args = [...COMMAND, url, '--quiet', '--output=json', '--only-categories=performance', flags];
  const { stdout } = await execa('npm', args, { env: { CHROME_PATH: CHROMIUM } });
  const { audits } = JSON.parse(stdout) as Report;
  return TIMES.map((name) => audits[name]?.numericValue ?? Number.NaN);
}
