import { existsSync } from 'node:fs';
import { chromium, defineConfig, devices } from '@playwright/test';

const SYSTEM_CHROMIUM = '/usr/bin/chromium';
export const CHROMIUM = existsSync(SYSTEM_CHROMIUM) ? SYSTEM_CHROMIUM : chromium.executablePath();

/** Tests of the parts that need no browser, and those that start another one themselves. */
const NO_BROWSER = ['nginx/**', 'stack/**', 'browsers/**', 'containers/**'];

/** Chromium stays silent: its background services would look for hosts outside. */
const QUIET = ['quic', 'background-networking', 'component-update', 'sync', 'gpu'].map((what) => `--disable-${what}`);
const ROOT = process.getuid?.() === 0 ? ['--no-sandbox'] : [];

export const CHROMIUM_ARGUMENTS = [...QUIET, '--no-first-run', ...ROOT];
const launchOptions = { executablePath: CHROMIUM, args: CHROMIUM_ARGUMENTS };

/** A test runs on a desktop, unless its name says `@phone`, or `@both` where the two differ. */
export default defineConfig({
  testDir: '.',
  testMatch: '**/*.spec.ts',
  outputDir: 'test-results',
  globalSetup: './harness/global-setup.ts',
  fullyParallel: true,
  workers: 2,
  retries: 0,
  forbidOnly: Boolean(process.env.CI),
  // Far beyond what anything takes on a quiet machine: these find what hangs, and nothing is judged by them.
  timeout: 240_000,
  expect: { timeout: 60_000 },
  reporter: 'list',
  // A trace costs a third of the time: `npx playwright test ... --trace on` makes one of a test that has failed.
  use: { trace: 'off', screenshot: 'only-on-failure', launchOptions },
  projects: [
    { name: 'nginx', testMatch: 'nginx/**/*.spec.ts' },
    { name: 'stack', testMatch: 'stack/**/*.spec.ts' },
    { name: 'other browsers', testMatch: 'browsers/**/*.spec.ts' },
    {
      name: 'desktop',
      testIgnore: NO_BROWSER,
      grepInvert: /@phone/,
      use: { ...devices['Desktop Chrome'], launchOptions },
    },
    { name: 'phone', testIgnore: NO_BROWSER, grep: /@phone|@both/, use: { ...devices['Pixel 7'], launchOptions } },
  ],
});
