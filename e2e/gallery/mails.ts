import { writeFileSync } from 'node:fs';
import type { Browser } from '@playwright/test';
import { MAIL_EXAMPLES } from '../../form-service/test/mail-examples.ts';
import type { Shot } from './gallery.ts';
import type { Theme } from './options.ts';

/** A phone, and the reading pane of a desktop's mail program, in CSS pixels. */
export const MAIL_WIDTHS = [375, 700];

const FOLDER = '/mails/';

export const mailPaths = (): readonly string[] => Object.keys(MAIL_EXAMPLES).map((name) => FOLDER + name);

export const isMail = (path: string): boolean => path.startsWith(FOLDER);

/** Pictures mails at one width in one theme, and writes the text part of each beside its picture. */
export async function pictureMails(
  browser: Browser,
  paths: readonly string[],
  width: number,
  theme: Theme,
  fileOf: (shot: Shot) => Promise<string>,
): Promise<void> {
  const context = await browser.newContext({
    viewport: { width, height: 600 },
    colorScheme: theme,
    javaScriptEnabled: false,
  });
  const page = await context.newPage();
  for (const path of paths) {
    const mail = MAIL_EXAMPLES[path.slice(FOLDER.length)];
    if (!mail) throw new Error(`There is no mail ${path}; there are ${mailPaths().join(', ')}.`);
    await page.setContent(mail.html);
    const file = await fileOf({ path, width, theme });
    await page.screenshot({ path: file, fullPage: true });
    writeFileSync(file.replace(/-\d+-\w+\.png$/, '.txt'), `Subject: ${mail.subject}\n\n${mail.text}`);
  }
  await context.close();
}
