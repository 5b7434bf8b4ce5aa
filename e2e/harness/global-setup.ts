import type { FullConfig } from '@playwright/test';
import { startStack } from './stack-process.ts';

/** Starts one stack for the whole run, unless every chosen test does without it; returns what stops it. */
export default async function globalSetup(config: FullConfig): Promise<() => Promise<void>> {
  const chosen = config.projects.map(({ name }) => name);
  if (chosen.every((name) => name === 'nginx' || name === 'stack')) return async () => {};
  const stack = await startStack();
  process.env.E2E_SITE_URL = stack.siteUrl;
  process.env.E2E_MAIL_URL = stack.mailUrl;
  process.env.E2E_DATA_DIR = stack.dataDir;
  return () => stack.stop();
}
