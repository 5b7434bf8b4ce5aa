import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chromium } from '@playwright/test';
import { findProgram, installPackages } from '../stack/programs.ts';
import { StartError } from '../stack/start-error.ts';
import { runCommand } from './command.ts';

/**
 * Installs what the browser tests need: a Chromium (the system's, Playwright's or the distribution's package), and a font
 * with Arial's metrics, to which the fallback of the display font is adjusted.
 */
export async function requireChromium(): Promise<void> {
  if (isFontMissing()) installPackages(['fonts-liberation']);
  if (findProgram('chromium') === undefined) {
    if (existsSync(chromium.executablePath())) return;
    const cli = 'node_modules/@playwright/test/cli.js';
    if (await runCommand(process.execPath, [cli, 'install', 'chromium'])) return;
    installPackages(['chromium']);
  }
  if (findProgram('chromium-headless-shell') === undefined) installHeadlessShell();
}

/** Installs Chromium's engine without windows, if the distribution has it. Otherwise the tests use the complete browser. */
function installHeadlessShell(): void {
  try {
    installPackages(['chromium-headless-shell']);
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
  }
}

/** Whether fontconfig knows no font with Arial's metrics. Systems without fontconfig, such as macOS, have Arial. */
function isFontMissing(): boolean {
  const { stdout = '' } = spawnSync('fc-match', ['Arial', 'family'], { encoding: 'utf8' });
  return stdout !== '' && !/Arial|Liberation Sans|Arimo/.test(stdout);
}
