import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { chromium } from '@playwright/test';
import { findProgram, installPackages, missingPackages } from '../stack/programs.ts';
import { StartError } from '../stack/start-error.ts';
import { runCommand } from './command.ts';

/** Programs that checks need in addition to those of the stack, and their Debian packages, by what they test. */
const PROGRAMS = {
  'The virus scan': { clamd: 'clamav-daemon' },
  'The monitoring': { promtool: 'prometheus' },
  Kubernetes: { kubectl: 'kubernetes-client' },
  Firefox: { 'firefox-esr': 'firefox-esr' },
  WebKit: { WebKitWebDriver: 'webkit2gtk-driver', Xvfb: 'xvfb' },
  // A Ceph cluster: monitor, object store, and gateway for S3.
  'Object storage': { radosgw: 'radosgw', 'ceph-mon': 'ceph-mon', 'ceph-osd': 'ceph-osd' },
  PostgreSQL: { pg_ctlcluster: 'postgresql' },
  // eatmydata makes every fsync do nothing.
  'Detection of lost writes': { eatmydata: 'eatmydata' },
  'Shell scripts': { shellcheck: 'shellcheck' },
  Caddy: { caddy: 'caddy' },
  TLS: { openssl: 'openssl' },
  // The shell is Chromium's engine without windows. Without it the tests use the complete browser.
  Chromium: { 'chromium-headless-shell': 'chromium-headless-shell' },
} as const;

export type Subject = keyof typeof PROGRAMS | 'The stack';

/** Programs to install for some checks. */
export interface Missing {
  /** Packages without which no check of the stack can run. */
  readonly required: readonly string[];
  /** Packages without which checks skip themselves. */
  readonly optional: readonly string[];
  /** Whether Playwright must download its Chromium, because the distribution has none. */
  readonly needsDownload: boolean;
}

/** Finds out what must be installed to test these subjects. */
export function missingFor(subjects: ReadonlySet<Subject>): Missing {
  const optional = Object.entries(PROGRAMS).flatMap(([subject, programs]) =>
    subjects.has(subject as Subject)
      ? Object.entries(programs).flatMap(([program, name]) => (findProgram(program) === undefined ? [name] : []))
      : [],
  );
  const isBrowserMissing =
    subjects.has('Chromium') && findProgram('chromium') === undefined && !existsSync(chromium.executablePath());
  const required = [
    ...(subjects.has('The stack') ? missingPackages(true) : []),
    ...(isBrowserMissing && isDebian() ? ['chromium'] : []),
    ...(subjects.has('Chromium') && isFontMissing() ? ['fonts-liberation'] : []),
  ];
  return { required, optional: [...new Set(optional)], needsDownload: isBrowserMissing && !isDebian() };
}

/**
 * Installs what is missing, with one call of the package manager.
 *
 * @throws StartError if a required package cannot be installed
 */
export async function installMissing({ required, optional, needsDownload }: Missing): Promise<void> {
  if (required.length + optional.length > 0) {
    try {
      await installPackages(required, optional);
    } catch (error) {
      if (required.length > 0 || !(error instanceof StartError)) throw error;
      process.stdout.write(`Some checks will skip themselves. ${error.message}\n`);
    }
  }
  const download = ['node_modules/@playwright/test/cli.js', 'install', 'chromium'];
  if (needsDownload && !(await runCommand(process.execPath, download)))
    throw new StartError('Playwright could not download Chromium (see above). Install Chromium.');
}

/** Installs what tests of these subjects need. */
export async function requireFor(...subjects: readonly Subject[]): Promise<void> {
  await installMissing(missingFor(new Set(subjects)));
}

/** Whether the distribution packages Chromium. Ubuntu's package of that name installs a snap. */
function isDebian(): boolean {
  return existsSync('/etc/os-release') && /^ID=debian$/m.test(readFileSync('/etc/os-release', 'utf8'));
}

/**
 * Whether fontconfig knows no font with Arial's metrics, to which the fallback of the display font is adjusted. Systems
 * without fontconfig, such as macOS, have Arial.
 */
function isFontMissing(): boolean {
  const { stdout = '' } = spawnSync('fc-match', ['Arial', 'family'], { encoding: 'utf8' });
  return stdout !== '' && !/Arial|Liberation Sans|Arimo/.test(stdout);
}
