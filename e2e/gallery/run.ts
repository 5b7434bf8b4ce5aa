import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from '@playwright/test';
import { pagesOfTheSite, withSite } from '../../bench/site.ts';
import { buildChanged } from '../../scripts/stack/build.ts';
import config from '../playwright.config.ts';
import { compare } from './compare.ts';
import type { Shot } from './pictures.ts';

/** A phone, and the reading pane of a desktop's mail program, in CSS pixels. */
const MAIL_WIDTHS = [375, 700];
/** Widths the design is judged at: phone, tablet, laptop, large screen. */
const WIDTHS = [375, 768, 1280, 1920];
/** How much smaller than the page a picture is shown. */
const SCALE = 0.22;

/**
 * `npm run screenshots -- [--compare] [--width 375]... [/path]...`: pictures every page and every mail at every width in both
 * themes, and lays them out on a contact sheet; what differs from the last run is marked.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { compare: { type: 'boolean', default: false }, width: { type: 'string', multiple: true } },
});
const folder = join(process.cwd(), 'screenshots');
buildChanged(process.cwd(), ['frontend']);
// It reads the list of pages when it is loaded.
const { fileOf, mailPaths, picture, THEMES } = await import('./pictures.ts');
const paths = positionals.length > 0 ? positionals : [...pagesOfTheSite(), '/404', ...mailPaths];
const batches = THEMES.flatMap((theme) =>
  [...new Set([...(values.width?.map(Number) ?? WIDTHS), ...MAIL_WIDTHS])].map((width): Shot[] =>
    paths.filter((path) => widthsOf(path).includes(width)).map((path) => ({ path, width, theme })),
  ),
);
const shots = batches.flat();

function widthsOf(path: string): readonly number[] {
  return path.startsWith('/mails/') ? MAIL_WIDTHS : (values.width?.map(Number) ?? WIDTHS);
}

const browser = await chromium.launch(config.use?.launchOptions);
await withSite(async (origin) => {
  for (const some of batches.filter(({ length }) => length > 0)) {
    process.stdout.write(`${some[0]?.width} px, ${some[0]?.theme}: ${some.length} pictures\n`);
    await picture(browser, origin, folder, some);
  }
}).finally(() => browser.close());

const figures: string[] = [];
let changed = 0;
for (const path of paths) {
  figures.push(`<h2 id="${path}">${path}</h2>`);
  for (const shot of shots.filter((one) => one.path === path)) {
    const previous = join(folder, fileOf(shot, 'previous'));
    const share = values.compare && existsSync(previous) ? await compare(previous, join(folder, fileOf(shot))) : 0;
    const note = share === 0 ? '' : `<a href="${fileOf(shot, 'previous')}">${(share * 100).toFixed(2)} % changed</a>`;
    if (note) process.stdout.write(`${(share * 100).toFixed(2).padStart(8)} %  ${fileOf(shot)}\n`);
    if (note) changed += 1;
    const image = `<img src="${fileOf(shot)}" width="${Math.round(shot.width * SCALE)}" loading="lazy" alt="">`;
    figures.push(`<figure>${shot.width} ${shot.theme} ${note}<a href="${fileOf(shot)}">${image}</a></figure>`);
  }
}
if (values.compare) process.stdout.write(`${changed} of ${shots.length} pictures changed\n`);
const style = 'img { display: block } figure { display: inline-block; vertical-align: top; margin: .5rem }';
writeFileSync(
  join(folder, 'index.html'),
  `<!doctype html>\n<title>Screenshots</title><style>:root { color-scheme: light dark } ${style}</style>\n${figures.join('\n')}\n`,
);
process.stdout.write(`${join(folder, 'index.html')}\n`);
