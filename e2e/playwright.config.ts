import { existsSync } from 'node:fs';
import { chromium, defineConfig, devices } from '@playwright/test';

const SYSTEM_CHROMIUM = '/usr/bin/chromium';
export const CHROMIUM = existsSync(SYSTEM_CHROMIUM) ? SYSTEM_CHROMIUM : chromium.executablePath();

/** Tests of the parts that need no browser, and those that start another one themselves. */
const NO_BROWSER = ['nginx/**', 'stack/**', 'browsers/**'];

/** Chromium stays silent: its background services would look for hosts outside. */
const QUIET = [
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-gpu',
];

export const CHROMIUM_ARGUMENTS = process.getuid?.() === 0 ? [...QUIET, '--no-sandbox'] : QUIET;
const launchOptions = { executablePath: CHROMIUM, args: CHROMIUM_ARGUMENTS };

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
  timeout: 120_000,
  expect: { timeout: 30_000 },
  reporter: 'list',
  use: { trace: { mode: 'retain-on-failure', screenshots: false }, launchOptions },
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
    { name: 'phone', testIgnore: NO_BROWSER, grepInvert: /@desktop/, use: { ...devices['Pixel 7'], launchOptions } },
  ],
});
