import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { requireChromium } from '../scripts/checks/browser.ts';
import { buildChanged } from '../scripts/stack/build.ts';
import { requirePrograms } from '../scripts/stack/programs.ts';
import type { Audit } from './lighthouse-run.ts';
import { median } from './median.ts';
import { columns } from './result.ts';
import { SITE, withSite } from './site-server.ts';

/** Limits of the largest paint in milliseconds, by what it is. */
const TEXT_MAX_MS = 750;
const PICTURE_MAX_MS = 920;

/**
 * `npm run lighthouse`: audits every page five times, prints the medians and writes `bench/lighthouse.md`.
 * `npm run lighthouse -- --runs 3 / /contact`: only these pages, and writes nothing.
 */
const { values, positionals } = parseArgs({
  options: { runs: { type: 'string', default: '5' } },
  allowPositionals: true,
});
await requireChromium();
// It looks for a Chromium when it is loaded.
const { audit } = await import('./lighthouse-run.ts');
const programs = requirePrograms(true);
buildChanged(process.cwd(), ['frontend']);
const paths = positionals.length > 0 ? positionals : pagesOfTheSite();

const rows = await withSite(programs, async (url) => {
  const all: string[][] = [];
  for (const path of paths) {
    const audits: Audit[] = [];
    for (let run = 0; run < Number(values.runs); run += 1) audits.push(await audit(url + path));
    all.push(row(path, audits));
    process.stdout.write(`${all.at(-1)?.join('  ')}\n`);
  }
  return all;
});

const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
const report = `# Results of \`npm run lighthouse\`

${new Date().toISOString().slice(0, 10)}, commit ${commit}, ${cpus().length} cores. A phone on simulated slow 4G, cold cache, medians of ${values.runs} runs; times in ms, from the fastest to
the slowest run in brackets. The largest paint may take ${TEXT_MAX_MS} where it is text, ${PICTURE_MAX_MS} where it is a picture.

${columns([['page', 'perf / a11y / bp / seo', 'first paint', 'largest paint', 'is', 'within', 'blocking', 'shift'], ...rows])}
`;
if (positionals.length === 0) writeFileSync('bench/lighthouse.md', report);
process.stdout.write(`\n${report}`);

function row(path: string, audits: readonly Audit[]): string[] {
  const scores = [0, 1, 2, 3].map((index) => median(audits.map((one) => one.scores[index] ?? 0)));
  const largest = audits.map((one) => one.largestPaint).toSorted((a, b) => a - b);
  const isPicture = audits.filter((one) => one.isPicture).length > audits.length / 2;
  const within = median(largest) <= (isPicture ? PICTURE_MAX_MS : TEXT_MAX_MS);
  return [
    path,
    scores.join(' / '),
    median(audits.map((one) => one.firstPaint)).toFixed(0),
    `${median(largest).toFixed(0)} (${largest[0]?.toFixed(0)} to ${largest.at(-1)?.toFixed(0)})`,
    isPicture ? 'picture' : 'text',
    within ? 'yes' : 'no',
    median(audits.map((one) => one.blocking)).toFixed(0),
    Math.max(...audits.map((one) => one.layoutShift)).toFixed(3),
  ];
}

function pagesOfTheSite(): string[] {
  const sitemap = readFileSync(join(SITE, 'sitemap.xml'), 'utf8');
  return [...sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, address = '']) => new URL(address).pathname);
}
