import { existsSync } from 'node:fs';
import { chromium } from '@playwright/test';
import { findProgram, installPackages } from '../stack/programs.ts';
import { runCommand } from './command.ts';

/** Makes sure that the browser tests find a Chromium: the system's, Playwright's own, or the distribution's package. */
export async function requireChromium(): Promise<void> {
  if (findProgram('chromium') !== undefined || existsSync(chromium.executablePath())) return;
  const hasOwn = await runCommand(process.execPath, ['node_modules/@playwright/test/cli.js', 'install', 'chromium']);
  if (!hasOwn) installPackages(['chromium']);
}
