import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chromium } from '@playwright/test';
import { findProgram, installPackages } from '../stack/programs.ts';
import { runCommand } from './command.ts';

/**
 * Installs what the browser tests need: a Chromium (the system's, Playwright's or the distribution's package), and a font
 * with Arial's metrics, to which the fallback of the display font is adjusted.
 */
export async function requireChromium(): Promise<void> {
  if (isFontMissing()) installPackages(['fonts-liberation']);
  if (findProgram('chromium') !== undefined || existsSync(chromium.executablePath())) return;
  const hasOwn = await runCommand(process.execPath, ['node_modules/@playwright/test/cli.js', 'install', 'chromium']);
  if (!hasOwn) installPackages(['chromium']);
}

/** Whether fontconfig knows no font with Arial's metrics. Systems without fontconfig, such as macOS, have Arial. */
function isFontMissing(): boolean {
  const { stdout = '' } = spawnSync('fc-match', ['Arial', 'family'], { encoding: 'utf8' });
  return stdout !== '' && !/Arial|Liberation Sans|Arimo/.test(stdout);
}
