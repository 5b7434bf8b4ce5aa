import { join } from 'node:path';
import { expect, test } from '@jest/globals';

// The modules read the language when they are loaded.
process.env['CONTENT'] = join(import.meta.dirname, '../../test/content');

const { errorTexts } = await import('#builder/nginx-errors.ts');
const { brandCss } = await import('#builder/brand.ts');
const { fill, readTemplate } = await import('#builder/document.ts');
const { renderAll, textFiles } = await import('./render.tsx');
const pages = (await renderAll()).map((page) => ({ ...page, html: fill(readTemplate(), page) }));
const htmlOf = (wanted: string) => pages.find(({ path }) => path === wanted)?.html ?? '';

test('second company > has its language on every page', () => {
  expect(pages.length).toBeGreaterThan(8);
  for (const { path, html } of pages) expect([path, html.match(/ lang="[^"]*"/g)]).toEqual([path, [' lang="de-DE"']]);
});

/** Shapes that the components draw for the motif, and classes of styles for them. */
const KITES = /data-(?:rising-)?kite|data-string|\b(?:service-mark|(?<!\.)kite-outline|climbing)\b|M8 1 15 8|M0 92V114/;

test('second company > has no kites', () => {
  for (const { path, html } of pages) expect([path, KITES.exec(html)?.[0]]).toEqual([path, undefined]);
});

test('second company > has dates, money, countries and durations in its language', () => {
  const job = htmlOf('/careers/android-entwicklung');
  expect(job).toContain('31. Januar 2026');
  expect(job).toContain('Kiel, Deutschland');
  expect(job).toContain('52.000–68.000 € pro Jahr'.replace(' €', '\u00A0€'));
  expect(job).toContain('"addressCountry":"DE"');
  expect(htmlOf('/')).toContain('0001 Zürich, Schweiz');
  expect(htmlOf('/privacy')).toContain('30 Tage');
});

test('second company > has its language in the files for machines', () => {
  const files = textFiles();
  expect(files['.well-known/security.txt']).toContain('Preferred-Languages: de\n');
  expect(htmlOf('/')).toContain('"inLanguage":"de-DE"');
});

test('second company > has its language in the style sheet and the errors of nginx', () => {
  expect(brandCss()).toContain('hyphens: auto');
  expect(errorTexts()).toContain('map "" $word_language { default "de-DE"; }');
  expect(errorTexts()).toContain('Unter dieser Adresse gibt es nichts.');
});
