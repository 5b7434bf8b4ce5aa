import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { buildChanged } from '../../scripts/stack/build.ts';
import config from '../playwright.config.ts';
import { compare } from './compare.ts';
import { contactSheet, percent, type SheetEntry } from './contact-sheet.ts';
import { Gallery, type Shot } from './gallery.ts';
import { isMail, MAIL_WIDTHS, mailPaths, pictureMails } from './mails.ts';
import { readOptions, THEMES } from './options.ts';
import { Photographer } from './photographer.ts';
import { serveSite } from './static-site.ts';

/** `npm run screenshots`: pictures every page and every mail at every width in both themes, and lays them out on a contact sheet. */
const options = readOptions(process.argv.slice(2));
const root = process.cwd();
const mails = options.paths.length > 0 ? options.paths.filter(isMail) : mailPaths();
const hasPages = options.paths.length === 0 || mails.length < options.paths.length;
if (hasPages) buildChanged(root, ['frontend']);

const siteFolder = join(root, 'frontend/dist/site');
const paths = options.paths.length > 0 ? options.paths.filter((path) => !isMail(path)) : [...pathsOfSite(), '/404'];
const gallery = new Gallery(join(root, 'screenshots'));
const shots: Shot[] = [];

const fileOf = async (shot: Shot) => {
  shots.push(shot);
  await gallery.retire(shot);
  return gallery.pathOf(shot);
};

const site = await serveSite(siteFolder);
const browser = await chromium.launch(config.use?.launchOptions);
try {
  const photographer = new Photographer(browser, site.origin);
  for (const theme of THEMES) {
    for (const width of paths.length > 0 ? options.widths : []) {
      process.stdout.write(`${theme}, ${width} px: ${paths.length} pages\n`);
      await photographer.picture(paths, width, theme, fileOf);
    }
    for (const width of mails.length > 0 ? MAIL_WIDTHS : []) {
      process.stdout.write(`${theme}, ${width} px: ${mails.length} mails\n`);
      await pictureMails(browser, mails, width, theme, fileOf);
    }
  }
} finally {
  await browser.close();
  await site.close();
}

const entries: SheetEntry[] = [];
for (const shot of shots) entries.push({ shot, difference: options.compare ? await differenceOf(shot) : undefined });
const sheet = join(gallery.folder, 'index.html');
writeFileSync(sheet, contactSheet(gallery, entries));

for (const { shot, difference } of entries) {
  if (difference?.rows)
    process.stdout.write(
      `${percent(difference).padStart(8)}  rows ${difference.rows.join(' to ')}  ${gallery.fileOf(shot)}\n`,
    );
}
if (options.compare)
  process.stdout.write(
    `${entries.filter(({ difference }) => difference?.rows).length} of ${entries.length} pictures changed\n`,
  );
process.stdout.write(`${sheet}\n`);

/** The pages that the site itself lists for search engines. */
function pathsOfSite(): readonly string[] {
  const sitemap = readFileSync(join(siteFolder, 'sitemap.xml'), 'utf8');
  return [...sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, address = '']) => new URL(address).pathname);
}

async function differenceOf(shot: Shot) {
  const previous = gallery.pathOf(shot, 'previous');
  return existsSync(previous) ? compare(previous, gallery.pathOf(shot)) : undefined;
}
