import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { pageAt, pageFile, PAGES, readText, SITE } from './built-site.ts';
import { bootOf, scriptsOf } from './script-graph.ts';

const KB = 1000;

/** What fits in the first round trip of a new connection: ten segments. */
const HTML_MAX = 14_336;
const BOOT_MAX = 2.5 * KB;
const OWN_CHUNK_MAX = 6 * KB;
const SCRIPT_MAX = 80 * KB;
const SCRIPT_WITH_FORM_MAX = 115 * KB;
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

const phoneImages = (path: string, selector: string) => [...pageAt(path).querySelectorAll(`${selector} source[type="image/avif"]`)].map(phoneImage);
const lazy = 'picture:has(img[loading=lazy])';
const eager = 'picture:not(:has(img[loading=lazy]))';

const linked = (path: string, selector: string, attribute: string) =>
  [...new Set([...pageAt(path).querySelectorAll(selector)].map((element) => (element.getAttribute(attribute) ?? '').replace(/#.*$/, '').slice(1)))].filter(Boolean);

describe.each(PAGES)('the weight of %s', (path) => {
  const { withBoot, inAll, own, styles } = scriptsOf(path);
  const hasForm = pageAt(path).querySelector('form') !== null;
  const boot = brotliCompressSync(bootOf(path)).length;
  const scripts = boot + transferredInAll(inAll);
  // The style sheet or the boot names them: either way they come with the page.
  const fonts = [...new Set([...readText(pageFile(path)).matchAll(/\/(fonts\/[\w-]+\.woff2)/g)].map(([, file = '']) => file))];
  const sprites = linked(path, 'use', 'href');
  const icon = linked(path, 'link[rel=icon][type="image/svg+xml"]', 'href');

  test('the page with its styles fits in the first round trip', () => {
    expect(transferred(pageFile(path))).toBeLessThanOrEqual(HTML_MAX);
  });

  test('the script before the first input', () => {
    expect(boot + transferredInAll(withBoot)).toBeLessThanOrEqual(BOOT_MAX);
  });

  test('the page’s own script', () => {
    expect(transferred(own)).toBeLessThanOrEqual(OWN_CHUNK_MAX);
  });

  test('the script in all', () => {
    expect(scripts).toBeLessThanOrEqual(hasForm ? SCRIPT_WITH_FORM_MAX : SCRIPT_MAX);
  });

  test('each image on a phone', () => {
    for (const image of phoneImages(path, 'picture')) expect(sizeOf(image)).toBeLessThanOrEqual(IMAGE_MAX);
  });

  test('everything on a phone', () => {
    const images = [...phoneImages(path, eager), ...phoneImages(path, lazy)];
    const files = [pageFile(path), ...inAll, ...styles, ...fonts, ...sprites, ...icon, ...images];
    expect(transferredInAll([...new Set(files)])).toBeLessThanOrEqual(TOTAL_MAX);
  });

  test('the requests at load', () => {
    // A page with a form takes React at once; any other waits for the first input.
    const files = [pageFile(path), ...fonts, ...sprites, ...phoneImages(path, eager), ...(hasForm ? [...inAll, ...styles] : withBoot)];
    expect(new Set(files).size).toBeLessThanOrEqual(REQUESTS_MAX);
  });
});
