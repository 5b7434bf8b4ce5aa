import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { company } from 'virtual:content';
import { one, pageAt, pageFile, PAGES, readText, SITE } from './built-site.ts';
import { FIRST_BYTES, firstSectionBytes } from './round-trip.ts';

const KB = 1000;

/** 2 kB for the behaviour of a page, and 0.7 kB for the kite's string. */
const SCRIPT_MAX = 2.7 * KB;
const ISLAND_MAX = 97 * KB;
const ISLAND_SCRIPTS_MAX = 3;
const IMAGE_MAX = 60 * KB;
const TOTAL_MAX = 250 * KB;
const REQUESTS_MAX = 8;

/** Screen width of Lighthouse's phone: CSS pixels times device pixel ratio. */
const PHONE_PIXELS = 412 * 1.75;

/** A page without its words: frame, styles and inline script, which engineers own. */
const EMPTY_MAX = 8.2 * KB;
/** Bytes of the first round trip that are left for words, up to the end of the first section. */
const WORDS_MIN = 4.6 * KB;

const sizeOf = (file: string) => statSync(join(SITE, file)).size;
/** Returns the bytes on the wire: the size of the brotli copy, if there is one. */
const transferred = (file: string) => sizeOf(existsSync(join(SITE, `${file}.br`)) ? `${file}.br` : file);
const sum = (sizes: readonly number[]) => sizes.reduce((total, size) => total + size, 0);
const transferredInAll = (files: readonly string[]) => sum(files.map(transferred));

/** Returns the AVIF file that the phone loads: the smallest that is as wide as the screen, which all pictures fill. */
function phoneImage(source: Element): string {
  const candidates = (source.getAttribute('srcset') ?? '').split(',').map((candidate) => {
    const [address = '', width = ''] = candidate.trim().split(' ');
    return { address, width: Number.parseInt(width, 10) };
  });
  const ascending = candidates.toSorted((a, b) => a.width - b.width);
  return (ascending.find(({ width }) => width >= PHONE_PIXELS) ?? ascending.at(-1))?.address.slice(1) ?? '';
}

const phoneImages = (path: string, selector: string) =>
  [...pageAt(path).querySelectorAll(`${selector} source[type="image/avif"]`)].map(phoneImage);
const lazy = 'picture:has(img[loading=lazy])';
const eager = 'picture:not(:has(img[loading=lazy]))';

const linked = (path: string, selector: string, attribute: string) =>
  [
    ...new Set(
      [...pageAt(path).querySelectorAll(selector)].map((element) =>
        (element.getAttribute(attribute) ?? '').replace(/#.*$/, '').slice(1),
      ),
    ),
  ].filter(Boolean);

/** Returns a module and all its imports. */
function withImports(file: string, seen = new Set<string>()): readonly string[] {
  if (seen.has(file)) return [];
  seen.add(file);
  for (const [, name = ''] of readText(file).matchAll(/\b(?:from|import)\s*\(?\s*["'`]\.\/([\w.-]+\.js)["'`]/g))
    withImports(`assets/${name}`, seen);
  return [...seen];
}

/**
 * Returns a page as engineers make it: without words, the data of its head, and all but the first of a list's entries,
 * so that no text and no new page changes its size.
 */
function withoutWords(page: Document): Document {
  const empty = page.cloneNode(true) as Document;
  const ofContent =
    'meta[name], meta[property], link[rel=canonical], title, script[type="application/ld+json"], li ~ li, nav ~ nav, nav details ~ details, nav a ~ a';
  for (const element of empty.querySelectorAll(ofContent)) element.remove();
  const words = empty.createTreeWalker(empty.body, 4);
  while (words.nextNode())
    if (!['STYLE', 'SCRIPT'].includes(words.currentNode.parentNode?.nodeName ?? '')) words.currentNode.nodeValue = '';
  for (const element of empty.body.querySelectorAll('*'))
    for (const name of ['href', 'aria-label', 'alt', 'src', 'srcset', 'data-open', 'value'])
      element.removeAttribute(name);
  return empty;
}

/** Returns the compressed bytes of a page without words: up to the end of its first section, and without main content. */
function bytesWithoutWords(page: Document) {
  const empty = withoutWords(page);
  const html = empty.documentElement.outerHTML;
  const first = firstSectionBytes(html, brotliCompressSync(html));
  one(empty, 'main').replaceChildren();
  return { first, frame: brotliCompressSync(empty.documentElement.outerHTML).length };
}

describe.each(PAGES)('weight of %s', (path) => {
  const page = pageAt(path);
  const boot = one(page, 'head script:not([type="application/ld+json"])').textContent ?? '';
  const islands = [...page.querySelectorAll<HTMLElement>('[data-island]')];
  const islandScripts = islands.flatMap(
    ({ dataset }) => dataset.scripts?.split(' ').map((file) => file.slice(1)) ?? [],
  );
  // Fonts are named in the styles and in the boot script.
  const fonts = [
    ...new Set([...readText(pageFile(path)).matchAll(/\/(assets\/[\w-]+\.woff2)/g)].map(([, file = '']) => file)),
  ];
  const icon = linked(path, 'link[rel=icon][sizes=any]', 'href');

  test('has one small inline script and one deferred script without imports', () => {
    const [deferred = '', ...others] = [...boot.matchAll(/\/(assets\/[\w-]+\.js)/g)].map(([, file = '']) => file);
    expect([deferred, ...others]).toEqual([expect.stringMatching(/^assets\/deferred-.+\.js$/)]);
    expect(withImports(deferred)).toEqual([deferred]);
    expect(brotliCompressSync(boot).length + transferred(deferred)).toBeLessThanOrEqual(SCRIPT_MAX);
    expect([...page.querySelectorAll('script[src], link[rel=modulepreload]')]).toEqual([]);
  });

  test('limits frame, styles and inline script, and leaves room for words', () => {
    const { frame, first } = bytesWithoutWords(page);
    expect(frame).toBeLessThanOrEqual(EMPTY_MAX);
    expect(FIRST_BYTES - first).toBeGreaterThanOrEqual(WORDS_MIN);
  });

  test('has all its styles, and no request that delays its first paint', () => {
    expect([...page.querySelectorAll('link[rel=stylesheet], link[rel=preload]')]).toEqual([]);
    expect([...page.querySelectorAll('style')].map(({ parentNode }) => parentNode)).toEqual([page.head]);
  });

  test('has an island for each form, and no others', () => {
    expect([...page.querySelectorAll('form')].map((form) => form.closest('[data-island]') !== null)).toEqual(
      islands.map(() => true),
    );
  });

  test('limits the scripts of its island, which it lists completely', () => {
    expect(islandScripts.length).toBeLessThanOrEqual(ISLAND_SCRIPTS_MAX);
    expect(new Set(islandScripts.flatMap((file) => withImports(file)))).toEqual(new Set(islandScripts));
    expect(transferredInAll(islandScripts)).toBeLessThanOrEqual(ISLAND_MAX);
  });

  test('limits each image on a phone', () => {
    for (const image of phoneImages(path, 'picture')) expect(sizeOf(image)).toBeLessThanOrEqual(IMAGE_MAX);
  });

  test('limits the total on a phone', () => {
    const images = [...phoneImages(path, eager), ...phoneImages(path, lazy)];
    const files = [pageFile(path), ...islandScripts, ...fonts, ...icon, ...images];
    expect(transferredInAll([...new Set(files)])).toBeLessThanOrEqual(TOTAL_MAX);
  });

  test('limits the requests at load', () => {
    const files = [pageFile(path), ...fonts, ...phoneImages(path, eager)];
    expect(new Set(files).size).toBeLessThanOrEqual(REQUESTS_MAX);
  });
});

test('Home > claims figures that are true, and not more than half as large again', () => {
  const page = Math.max(...PAGES.map((path) => transferred(pageFile(path))));
  const boot = one(pageAt('/'), 'head script:not([type="application/ld+json"])').textContent ?? '';
  const deferred = [...boot.matchAll(/\/(assets\/[\w-]+\.js)/g)].map(([, file = '']) => file);
  const script = brotliCompressSync(boot).length + transferredInAll(deferred);
  for (const [measured, claim] of [
    [page, company.figures.heaviestPage],
    [script, company.figures.script],
  ] as const) {
    const claimed = Number.parseFloat(claim ?? '') * KB;
    expect(measured).toBeLessThanOrEqual(claimed);
    expect(measured).toBeGreaterThan(claimed / 1.5);
  }
});
