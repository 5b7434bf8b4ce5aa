import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { LOCALE } from 'form-service/contract/locale';
import sharp from 'sharp';
import { company } from 'virtual:content';
import { colourToken, hueNames } from '../../builder/brand.ts';
import { CONTENT } from '../../builder/paths.ts';
import { isFile, one, pageAt, pageFile, PAGES, readText, ROUTES, SITE } from './built-site.ts';

const HOST = process.env.SITE_URL?.replace(/\/+$/, '') || company.host;
const urlOf = (path: string) => `${HOST}${path}`;

const attribute = (path: string, selector: string, name: string) =>
  one(pageAt(path), selector).getAttribute(name) ?? '';
const meta = (path: string, name: string) =>
  attribute(path, `meta[name="${name}"], meta[property="${name}"]`, 'content');
const fileOf = (url: string) => url.slice(HOST.length + 1);

describe.each(ROUTES)('the head of %s', (path) => {
  const { title } = pageAt(path);
  const description = meta(path, 'description');

  test('has a title and a description of the length that search results show', () => {
    expect(title.length).toBeGreaterThan(10);
    // A long company name is not a mistake of the page, and only a reminder of the build.
    expect(title.replaceAll(meta(path, 'og:site_name'), 'x'.repeat(10)).length).toBeLessThanOrEqual(65);
    expect(description.length).toBeGreaterThanOrEqual(70);
    expect(description.length).toBeLessThanOrEqual(160);
  });

  test('has a unique title and description', () => {
    const others = ROUTES.filter((other) => other !== path);
    expect(others.map((other) => pageAt(other).title)).not.toContain(title);
    expect(others.map((other) => meta(other, 'description'))).not.toContain(description);
  });

  test('has one canonical address without a trailing slash', () => {
    expect(attribute(path, 'link[rel=canonical]', 'href')).toBe(urlOf(path));
  });

  test('has the tags of both social cards', () => {
    expect(meta(path, 'og:type')).toBe('website');
    expect(meta(path, 'og:locale')).toBe(LOCALE.replace('-', '_'));
    expect(meta(path, 'twitter:card')).toBe('summary_large_image');
    for (const card of ['og', 'twitter']) {
      expect(meta(path, `${card}:url`)).toBe(urlOf(path));
      expect(meta(path, `${card}:title`)).toBe(title);
      expect(meta(path, `${card}:description`)).toBe(description);
      expect(meta(path, `${card}:image`)).toBe(meta(path, 'og:image'));
    }
  });

  test('has a social picture for the large card: its banner, or the default one', async () => {
    const address = meta(path, 'og:image');
    const banner = pageAt(path).querySelector('[data-hero] picture img')?.getAttribute('src');
    expect(address).toBe(`${HOST}${banner ?? '/images/social-card.jpg'}`);
    for (const card of ['og', 'twitter'])
      expect(meta(path, `${card}:image:alt`)).toMatch(banner ? /.{10}/ : company.name);
    const { format, width, height } = await sharp(join(SITE, fileOf(address))).metadata();
    expect([format, width]).toEqual(['jpeg', 1200]);
    expect(height).toBeGreaterThanOrEqual(630);
  });

  test('has keywords on service pages only', () => {
    const keywords = pageAt(path).querySelector('meta[name=keywords]')?.getAttribute('content');
    if (path.startsWith('/services/')) expect(keywords?.split(', ').length).toBeGreaterThan(2);
    else expect(keywords).toBeUndefined();
  });

  test('allows indexing with a large picture', () => {
    expect(meta(path, 'robots')).toBe('max-image-preview:large');
  });
});

describe.each(PAGES)('the head of %s', (path) => {
  test('has its encoding in the first kilobyte, and a zoomable viewport', () => {
    expect(readText(pageFile(path)).slice(0, 1024)).toMatch(/^<!doctype html>.*<meta charset="utf-8">/);
    expect(meta(path, 'viewport')).toBe('width=device-width, initial-scale=1');
  });

  test('has the theme colour in light and dark mode', () => {
    const colours = [...pageAt(path).querySelectorAll('meta[name="theme-color"]')].map((tag) => [
      tag.getAttribute('media'),
      tag.getAttribute('content'),
    ]);
    expect(colours).toEqual([
      ['(prefers-color-scheme: light)', colourToken('paper')],
      ['(prefers-color-scheme: dark)', colourToken('paper', 'dark')],
    ]);
  });

  test('has the tab icon', () => {
    const links = [...pageAt(path).querySelectorAll('link[rel~=icon], link[rel="apple-touch-icon"]')].map(
      (link) => link.getAttribute('href') ?? '',
    );
    // The first one is for crawlers; browsers take the one of any size.
    expect(links).toEqual(['/favicon.ico', '/icons/tab.svg']);
  });
});

test('tab icon > is the drawing, in the colours of the first hue', () => {
  const parse = (svg: string) => new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement;
  const icon = parse(readText('icons/tab.svg'));
  expect(icon.tagName).toBe('svg');
  const colours = [...icon.querySelectorAll('*')].flatMap((part) => [
    part.getAttribute('fill'),
    part.getAttribute('stroke'),
  ]);
  expect(colours.filter((colour) => colour?.startsWith('#'))).toEqual([
    colourToken(`hue-${hueNames()[0]}`),
    colourToken(`hue-${hueNames()[0]}`, 'dark'),
  ]);
  expect(icon.outerHTML).toBe(parse(readFileSync(join(CONTENT, 'images/tab-icon.svg'), 'utf8')).outerHTML);
});

test.each(['favicon.ico', 'apple-touch-icon.png'])('%s > exists for browsers that cannot draw the icon', (name) => {
  expect(isFile(name)).toBe(true);
});

test('not-found page > is not indexed and has no canonical address', () => {
  expect(meta('/404', 'robots')).toMatch(/\bnoindex\b/);
  expect(pageAt('/404').querySelector('link[rel=canonical], meta[property^="og:"]')).toBeNull();
});
