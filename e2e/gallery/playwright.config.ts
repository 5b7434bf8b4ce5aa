import { defineConfig } from '@playwright/test';
import { buildChanged } from '../../scripts/stack/build.ts';
import config from '../playwright.config.ts';

// The list of pages is read from the built site when the tests are loaded.
if (process.env.TEST_WORKER_INDEX === undefined) buildChanged(process.cwd());

/**
 * `npm run screenshots` compares every page and mail with the pictures of the last time, and its report shows what has changed;
 * `npm run screenshots -- --update-snapshots` takes them anew.
 */
export default defineConfig({
  ...config,
  globalSetup: '../harness/global-setup.ts',
  testDir: '.',
  testMatch: 'gallery.ts',
  outputDir: '../../screenshots/changed',
  snapshotPathTemplate: '../../screenshots/{arg}{ext}',
  reporter: [['list'], ['html', { outputFolder: '../../screenshots/report', open: 'never' }]],
  projects: [],
});
