import { parseArgs } from 'node:util';
import { execa } from 'execa';
import { median } from 'simple-statistics';
import { CHROMIUM, CHROMIUM_ARGUMENTS, measurePages } from './pages.ts';

/** Not a dependency, because only releases use it: npm runs it from its cache. */
const COMMAND = ['exec', '--yes', '--package=lighthouse@13', '--', 'lighthouse'];
/** Lighthouse sometimes misses the start of a page (NO_NAVSTART) and finds it at the next attempt. */
const TRIES = 4;
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'];
const TIMES = ['first-contentful-paint', 'largest-contentful-paint', 'total-blocking-time', 'cumulative-layout-shift'];

interface Report {
  readonly categories: Readonly<Record<string, { readonly score: number | null }>>;
  readonly audits: Readonly<Record<string, { readonly numericValue?: number } | undefined>>;
}

/**
 * `npm run bench lighthouse` audits every page five times, prints the medians and writes `bench/lighthouse.md`.
 * `npm run bench lighthouse -- --runs 3 / /contact` audits only these pages and writes nothing.
 */
const { values, positionals } = parseArgs({
  options: { runs: { type: 'string', default: '5' } },
  allowPositionals: true,
});

/** Audits with Lighthouse's defaults: a phone on simulated slow 4G with an empty cache. */
async function audit(url: string): Promise<number[]> {
  const flags = `--chrome-flags=${['--headless=new', ...CHROMIUM_ARGUMENTS].join(' ')}`;
  const args = [...COMMAND, url, '--quiet', '--output=json', flags];
  for (let left = TRIES - 1; ; left -= 1) {
    const { failed, stdout, stderr } = await execa('npm', args, { env: { CHROME_PATH: CHROMIUM }, reject: false });
    if (!failed) {
      const { audits, categories } = JSON.parse(stdout) as Report;
      const scores = CATEGORIES.map((name) => Math.round((categories[name]?.score ?? 0) * 100));
      return [...scores, ...TIMES.map((name) => audits[name]?.numericValue ?? Number.NaN)];
    }
    const reason = stderr.split('\n').find((line) => /error/i.test(line)) ?? stderr;
    process.stderr.write(`${url}: ${reason.slice(0, 200)} (${left} tries left)\n`);
    if (left === 0) throw new Error(`${url} could not be audited`);
  }
}

const meaning = `A phone on simulated slow 4G, cold cache, medians of ${values.runs} runs; times in ms. The
largest paint should take at most 750 where it is text, 920 where it is a picture.`;

await measurePages({ chosen: positionals, name: 'lighthouse', meaning }, async (url) => {
  const audits: number[][] = [];
  for (let run = 0; run < Number(values.runs); run += 1) audits.push(await audit(url));
  const medians = [...CATEGORIES, ...TIMES].map((name, at) => [
    name,
    +median(audits.map((one) => one[at] ?? 0)).toFixed(3),
  ]);
  return Object.fromEntries(medians) as object;
});
