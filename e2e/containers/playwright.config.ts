import { defineConfig } from '@playwright/test';

/** The containers as operators run them. One after another: they share a machine, and some a port. */
export default defineConfig({
  testDir: '.',
  testMatch: '*.spec.ts',
  outputDir: '../test-results/containers',
  globalSetup: './images.ts',
  workers: 1,
  retries: 0,
  forbidOnly: Boolean(process.env.CI),
  // These find what hangs; nothing is judged by them.
  timeout: 600_000,
  expect: { timeout: 60_000 },
  reporter: 'list',
});
