import { defineConfig } from '@playwright/test';

/** Tests of the containers. They run one after another because some use the same port. */
export default defineConfig({
  testDir: '.',
  testMatch: '*.spec.ts',
  outputDir: '../test-results/containers',
  globalSetup: './images.ts',
  workers: 1,
  retries: 0,
  forbidOnly: Boolean(process.env.CI),
  // Timeouts only detect hangs.
  timeout: 600_000,
  expect: { timeout: 60_000 },
  reporter: 'list',
});
