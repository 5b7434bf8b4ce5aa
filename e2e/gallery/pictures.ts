import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Browser, Page } from '@playwright/test';
import { MAIL_EXAMPLES } from '../../form-service/test/mail-examples.ts';
import { CONSENT_KEY } from '../harness/test.ts';
import { twoFrames } from '../pages/site.ts';

export const THEMES = ['light', 'dark'] as const;

/** One picture of the run: a page, or a mail under `/mails/`, at a width in a theme. */
export interface Shot {
  readonly path: string;
  readonly width: number;
  readonly theme: (typeof THEMES)[number];
}

/** The boot notes here that the display face has come (frontend/src/boot/display-font.ts). */
const FACE_KEY = 'display-font';
const MAILS = '/mails/';

export const mailPaths = Object.keys(MAIL_EXAMPLES).map((name) => MAILS + name);

/** Name of a shot's file, for example `latest/services-agentic-ai-375-dark.png`. */
export function fileOf({ path, width, theme }: Shot, run: 'latest' | 'previous' = 'latest'): string {
  return `${run}/${path === '/' ? 'home' : path.slice(1).replaceAll('/', '-')}-${width}-${theme}.png`;
}

/** Takes full-page pictures of several pages at one width in one theme; those of the last run become the previous ones. */
export async function picture(browser: Browser, origin: string, folder: string, shots: readonly Shot[]): Promise<void> {
  const [{ width, theme: colorScheme } = { width: 0, theme: 'light' as const }] = shots;
  const viewport = { width, height: width < 600 ? 812 : 900 };
  const context = await browser.newContext({ viewport, colorScheme, reducedMotion: 'reduce' });
  const page = await context.newPage();
  // Each page is the first of a visit, so that the boot fetches the display face anew, and when it has is known.
  await page.addInitScript(
    ([consent = '', face = '']) => {
      localStorage.setItem(consent, 'declined');
      sessionStorage.removeItem(face);
    },
    [CONSENT_KEY, FACE_KEY],
  );
  for (const shot of shots) {
    const [latest, previous] = [join(folder, fileOf(shot)), join(folder, fileOf(shot, 'previous'))];
    for (const file of [latest, previous]) mkdirSync(dirname(file), { recursive: true });
    if (existsSync(latest)) renameSync(latest, previous);
    await show(page, origin, shot, latest);
    await page.screenshot({ path: latest, fullPage: true, animations: 'disabled' });
  }
  await context.close();
}

/** Shows a mail, and writes its text beside the picture; or a page, when its display face is in use and every picture is drawn. */
async function show(page: Page, origin: string, { path }: Shot, file: string): Promise<void> {
  const mail = MAIL_EXAMPLES[path.slice(MAILS.length)];
  if (mail && path.startsWith(MAILS)) {
    writeFileSync(file.replace(/-\d+-\w+\.png$/, '.txt'), `Subject: ${mail.subject}\n\n${mail.text}`);
    await page.goto('about:blank');
    return page.setContent(mail.html);
  }
  await page.goto(origin + path);
  await page.waitForFunction((key) => sessionStorage.getItem(key) !== null, FACE_KEY);
  await page.evaluate(async () => {
    document.documentElement.dataset.font = '';
    const pictures = [...document.images];
    for (const one of pictures) one.loading = 'eager';
    await Promise.all(pictures.map((one) => one.decode()));
  });
  await twoFrames(page);
}
