import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { NginxServer } from '../e2e/nginx/server.ts';
import { installForTests } from '../scripts/test/packages.ts';
import { buildChanged } from '../scripts/stack/build.ts';
import { table } from './result.ts';

await installForTests();
buildChanged(process.cwd(), ['frontend']);
/** This module looks for Chromium when it is imported. */
export const { CHROMIUM, CHROMIUM_ARGUMENTS } = await import('../e2e/playwright.config.ts');

const SITE = resolve('frontend/dist/site');

/** Paths of all pages of the built site. */
const all = (): string[] =>
  [...readFileSync(`${SITE}/sitemap.xml`, 'utf8').matchAll(/<loc>([^<]+)<\/loc>/g)].map(
    ([, address = '']) => new URL(address).pathname,
  );

/**
 * Measures the chosen pages, or all, through nginx with the repository's configuration, and prints the results. A run over
 * all pages also writes `bench/NAME.md`.
 */
export async function measurePages(
  { chosen, name, meaning }: { chosen: readonly string[]; name: string; meaning: string },
  measure: (url: string) => Promise<object>,
): Promise<void> {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly version: string };
  const nginx = await NginxServer.start({
    variables: { WEB_ROOT: SITE, ASSETS_ROOT: SITE, SITE_CONFIG_DIR: resolve('frontend/dist/nginx') },
  });
  const rows: object[] = [];
  try {
    for (const page of chosen.length > 0 ? chosen : all()) {
      rows.push({ page, ...(await measure(`http://127.0.0.1:${nginx.port}${page}`)) });
      process.stdout.write(`${JSON.stringify(rows.at(-1))}\n`);
    }
  } finally {
    await nginx.close();
  }
  if (chosen.length > 0) return;
  const when = `Version ${version}, ${new Date().toISOString().slice(0, 10)}.`;
  writeFileSync(`bench/${name}.md`, `# Results of \`npm run ${name}\`\n\n${when} ${meaning}\n\n${table(rows)}\n`);
}
