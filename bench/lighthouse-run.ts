import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { chromium } from '@playwright/test';
import config from '../e2e/playwright.config.ts';

/** Lighthouse 13 needs a newer Node.js than the project does, so it brings one; npm keeps both in its cache. */
const PACKAGES = ['lighthouse@13', 'node@24'];
const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;

/** What one audit of one page said. Times in milliseconds. */
export interface Audit {
  /** Performance, accessibility, best practices, SEO; 0 to 100. */
  readonly scores: readonly number[];
  readonly firstPaint: number;
  readonly largestPaint: number;
  /** Whether the largest paint is a picture that is fetched, rather than text or inline SVG. */
  readonly isPicture: boolean;
  readonly blocking: number;
  readonly layoutShift: number;
}

interface Report {
  readonly categories: Readonly<Record<string, { readonly score: number | null }>>;
  readonly audits: Readonly<Record<string, { readonly numericValue?: number; readonly details?: unknown } | undefined>>;
  readonly runtimeError?: { readonly message: string };
}

/** Lighthouse now and then misses the beginning of a trace, and says to run it again. */
const TRIES = 3;

/** Audits a page as Lighthouse does by default: a phone on slow 4G, simulated, with an empty cache. */
export async function audit(url: string): Promise<Audit> {
  for (let tries = TRIES; ; tries -= 1) {
    try {
      return await auditOnce(url);
    } catch (error) {
      if (tries <= 1) throw error;
    }
  }
}

async function auditOnce(url: string): Promise<Audit> {
  const command = ['exec', '--yes', ...PACKAGES.map((name) => `--package=${name}`), '--'];
  const { executablePath, args = [] } = config.use?.launchOptions ?? {};
  const options = [url, '--quiet', '--output=json', `--chrome-flags=${['--headless=new', ...args].join(' ')}`];
  const { stdout } = await promisify(execFile)('npm', [...command, 'lighthouse', ...options], {
    env: { ...process.env, CHROME_PATH: executablePath ?? chromium.executablePath() },
    maxBuffer: OUTPUT_BYTES_MAX,
  });
  const { audits, categories, runtimeError } = JSON.parse(stdout) as Report;
  if (runtimeError) throw new Error(`${url}: ${runtimeError.message}`);
  const value = (name: string) => audits[name]?.numericValue ?? Number.NaN;
  return {
    scores: ['performance', 'accessibility', 'best-practices', 'seo'].map((name) =>
      Math.round((categories[name]?.score ?? 0) * 100),
    ),
    firstPaint: value('first-contentful-paint'),
    largestPaint: value('largest-contentful-paint'),
    // The part of the time that fetching takes is told only where something is fetched.
    isPicture: JSON.stringify(audits['lcp-breakdown-insight']?.details ?? '').includes('resourceLoadDuration'),
    blocking: value('total-blocking-time'),
    layoutShift: value('cumulative-layout-shift'),
  };
}
