import { existsSync } from 'node:fs';
import { chromium, defineConfig, devices } from '@playwright/test';

const SYSTEM_CHROMIUM = '/usr/bin/chromium';
export const CHROMIUM = existsSync(SYSTEM_CHROMIUM) ? SYSTEM_CHROMIUM : chromium.executablePath();

/** Engine of Chromium without windows: half the CPU time. The complete browser may never paint on a busy machine. */
const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell';
const isComplete = process.env.TEST_MATRIX === 'complete';
/** Undefined: the headless shell that Playwright has installed. */
const executablePath = [HEADLESS_SHELL, SYSTEM_CHROMIUM].find((path) => existsSync(path));

/** Tests that need no browser, or start their own browser or stack. */
const NO_BROWSER = ['nginx/**', 'stack/**', 'browsers/**', 'containers/**'];

/** Disables background services of Chromium, which connect to external hosts. */
const OFFLINE = ['quic', 'background-networking', 'component-update', 'sync', 'gpu'].map((what) => `--disable-${what}`);
const ROOT = process.getuid?.() === 0 ? ['--no-sandbox'] : [];

export const CHROMIUM_ARGUMENTS = [...OFFLINE, '--no-first-run', ...ROOT];
// The headless shell rounds the width of each letter by default, and so breaks lines differently from the browser.
const args = [...CHROMIUM_ARGUMENTS, '--font-render-hinting=none'];
export const launchOptions = { ...(executablePath && { executablePath }), args };

/**
 * Tests run on a desktop, with `@phone` in their title on a phone, and with `@both` on both. With `@also-phone` they run
 * on a phone too in `npm run test:all`.
 */
export default defineConfig({
  testDir: '.',
  testMatch: '**/*.spec.ts',
  outputDir: 'test-results',
  globalSetup: './harness/global-setup.ts',
  fullyParallel: true,
  workers: 2,
  // On a busy machine a browser may hang. A test that passes at the second time is listed as flaky.
  retries: 1,
  forbidOnly: Boolean(process.env.CI),
  // Far longer than any test takes on an idle machine: timeouts only detect hangs.
  timeout: 240_000,
  expect: { timeout: 60_000 },
  reporter: 'list',
  // Traces take a third of the time (`--trace on` records one), motion a fifth: its tests switch it on.
  use: { contextOptions: { reducedMotion: 'reduce' }, trace: 'off', screenshot: 'only-on-failure', launchOptions },
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
    {
      name: 'phone',
      testIgnore: NO_BROWSER,
      grep: isComplete ? /@phone|@both|@also-phone/ : /@phone|@both/,
      use: { ...devices['Pixel 7'], launchOptions },
    },
  ],
});
