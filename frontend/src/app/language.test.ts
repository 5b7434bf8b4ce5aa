import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { makeTemporaryFolder } from '../../../test-support/temporary-folder.ts';

// The modules read the language when they are loaded.
const folder = makeTemporaryFolder();
cpSync(join(import.meta.dirname, '../../content'), folder, { recursive: true });
for (const file of ['company.yaml', ...readdirSync(join(folder, 'jobs')).map((name) => `jobs/${name}`)]) {
  const text = readFileSync(join(folder, file), 'utf8');
  writeFileSync(
    join(folder, file),
    text.replaceAll('country: India', 'country: Indien').replaceAll('country: South Africa', 'country: Südafrika'),
  );
}
const company = readFileSync(join(folder, 'company.yaml'), 'utf8').replace(/^language: .*\n/m, '');
writeFileSync(join(folder, 'company.yaml'), `language: de-DE\n${company}`);
process.env['CONTENT'] = folder;
afterAll(() => rmSync(folder, { recursive: true }));

const { errorTexts } = await import('#builder/nginx-errors.ts');
const { brandCss } = await import('#builder/brand.ts');
const { fill, readTemplate } = await import('#builder/document.ts');
const { renderAll, textFiles } = await import('./render.tsx');
const pages = (await renderAll()).map((page) => ({ ...page, html: fill(readTemplate(), page) }));

/** Dates and countries as English writes them. The words themselves are those of the English content. */
const ENGLISH =
  /\b(?:January|February|March|May|June|July|October|December) \d|\d (?:September|August) \d|\bIndia\b[<"]/;

test('de-DE > reaches every page', () => {
  expect(pages.length).toBeGreaterThan(15);
  for (const { path, status, html } of pages) {
    expect([path, html.match(/ lang="[^"]*"/g)]).toEqual([path, [' lang="de-DE"']]);
    expect([path, ENGLISH.exec(html)?.[0]]).toEqual([path, undefined]);
    if (status === 200) expect([path, html]).toEqual([path, expect.stringContaining('content="de_DE"')]);
  }
});

test('de-DE > reaches dates, countries and durations', () => {
  const textOf = (wanted: string) => pages.find(({ path }) => path === wanted)?.html ?? '';
  const inWords = new Intl.DateTimeFormat('de-DE', { dateStyle: 'long', timeZone: 'UTC' });
  for (const { page, html } of pages.filter((one) => one.page.job)) {
    expect(html).toContain(inWords.format(new Date(page.job?.postedOn ?? '')));
    expect(html).toMatch(/"addressCountry":"[A-Z]{2}"/);
  }
  expect(textOf('/privacy')).toContain('30 Tage');
});

test('de-DE > reaches the files for machines', () => {
  const files = textFiles(() => undefined);
  expect(JSON.parse(files['site.webmanifest'] ?? '')).toMatchObject({ lang: 'de-DE' });
  expect(files['.well-known/security.txt']).toContain('Preferred-Languages: de\n');
  expect(pages.find(({ path }) => path === '/')?.html).toContain('"inLanguage":"de-DE"');
});

test('de-DE > reaches the style sheet and the errors of nginx', () => {
  expect(brandCss()).toContain('hyphens: auto');
  expect(errorTexts()).toContain('map "" $word_language { default "de-DE"; }');
});
