import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { one, pageAt, pageFile, PAGES, readText, SITE } from './built-site.ts';

const KB = 1000;

/** Of a page without the headers; e2e/routing.spec.ts adds them, and is the stricter one. */
const HTML_MAX = 14_336;
const SCRIPT_MAX = 2.5 * KB;
const ISLAND_MAX = 95 * KB;
const ISLAND_SCRIPTS_MAX = 3;
const IMAGE_MAX = 60 * KB;
const TOTAL_MAX = 250 * KB;
const REQUESTS_MAX = 8;

/** The phone that Lighthouse measures with: CSS pixels times device pixels. */
const PHONE_PIXELS = 412 * 1.75;

const sizeOf = (file: string) => statSync(join(SITE, file)).size;
/** Bytes on the wire: of the brotli copy where there is one. */
const transferred = (file: string) => sizeOf(existsSync(join(SITE, `${file}.br`)) ? `${file}.br` : file);
const sum = (sizes: readonly number[]) => sizes.reduce((total, size) => total + size, 0);
const transferredInAll = (files: readonly string[]) => sum(files.map(transferred));

/** File of a picture's AVIF that the phone takes: the smallest that is wide enough, all of ours being full width there. */
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

/** A module and all that it imports. */
function withImports(file: string, seen = new Set<string>()): readonly string[] {
  if (seen.has(file)) return [];
  seen.add(file);
  for (const [, name = ''] of readText(file).matchAll(/\b(?:from|import)\s*\(?\s*["'`]\.\/([\w.-]+\.js)["'`]/g))
    withImports(`assets/${name}`, seen);
  return [...seen];
}

describe.each(PAGES)('the weight of %s', (path) => {
  const page = pageAt(path);
  const boot = one(page, 'script:not([type="application/ld+json"])').textContent ?? '';
  const islands = [...page.querySelectorAll<HTMLElement>('[data-island]')];
  const islandScripts = islands.flatMap(
    ({ dataset }) => dataset.scripts?.split(' ').map((file) => file.slice(1)) ?? [],
  );
  // The style sheet or the boot names them: either way they come with the page.
  const fonts = [
    ...new Set([...readText(pageFile(path)).matchAll(/\/(fonts\/[\w-]+\.woff2)/g)].map(([, file = '']) => file)),
  ];
  const icon = linked(path, 'link[rel=icon][type="image/svg+xml"]', 'href');

  test('the page with its styles fits in the first round trip', () => {
    expect(transferred(pageFile(path))).toBeLessThanOrEqual(HTML_MAX);
  });

  test('has one small script, and fetches another after the first paint, which fetches none by itself', () => {
    const [deferred = '', ...others] = [...boot.matchAll(/["'`]\/(assets\/[^"'`]+)/g)].map(([, file = '']) => file);
    expect([deferred, ...others]).toEqual([expect.stringMatching(/^assets\/deferred-.+\.js$/)]);
    expect(withImports(deferred)).toEqual([deferred]);
    expect(brotliCompressSync(boot).length + transferred(deferred)).toBeLessThanOrEqual(SCRIPT_MAX);
    expect([...page.querySelectorAll('script[src], link[rel=modulepreload]')]).toEqual([]);
  });

  test('has an island where it has a form, and nowhere else', () => {
    expect([...page.querySelectorAll('form')].map((form) => form.closest('[data-island]') !== null)).toEqual(
      islands.map(() => true),
    );
  });

  test('the scripts of its island, which are all that it needs', () => {
    expect(islandScripts.length).toBeLessThanOrEqual(ISLAND_SCRIPTS_MAX);
    expect(new Set(islandScripts.flatMap((file) => withImports(file)))).toEqual(new Set(islandScripts));
    expect(transferredInAll(islandScripts)).toBeLessThanOrEqual(ISLAND_MAX);
  });

  test('each image on a phone', () => {
    for (const image of phoneImages(path, 'picture')) expect(sizeOf(image)).toBeLessThanOrEqual(IMAGE_MAX);
  });

  test('everything on a phone', () => {
    const images = [...phoneImages(path, eager), ...phoneImages(path, lazy)];
    const files = [pageFile(path), ...islandScripts, ...fonts, ...icon, ...images];
    expect(transferredInAll([...new Set(files)])).toBeLessThanOrEqual(TOTAL_MAX);
  });

  test('the requests at load', () => {
    const files = [pageFile(path), ...fonts, ...phoneImages(path, eager)];
    expect(new Set(files).size).toBeLessThanOrEqual(REQUESTS_MAX);
  });
});
