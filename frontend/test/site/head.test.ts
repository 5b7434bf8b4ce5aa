import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { company } from 'virtual:content';
import { colourToken } from '../../builder/brand.ts';
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

  test('has a unique title and description', () => {
    const others = ROUTES.filter((other) => other !== path);
    expect(others.map((other) => pageAt(other).title)).not.toContain(title);
    expect(others.map((other) => meta(other, 'description'))).not.toContain(description);
  });

  test('has one canonical address without a trailing slash, and the tags of both social cards', () => {
    expect(attribute(path, 'link[rel=canonical]', 'href')).toBe(urlOf(path));
    expect(meta(path, 'og:type')).toBe('website');
    expect(meta(path, 'twitter:card')).toBe('summary_large_image');
    expect(meta(path, 'robots')).toBe('max-image-preview:large');
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
});

test.each(PAGES)('the head of %s > has encoding, viewport, theme colours and the tab icon', (path) => {
  expect(readText(pageFile(path)).slice(0, 1024)).toMatch(/^<!doctype html>.*<meta charset="utf-8">/);
  expect(meta(path, 'viewport')).toBe('width=device-width, initial-scale=1');
  const listed = (selector: string, name: string) =>
    [...pageAt(path).querySelectorAll(selector)].map((tag) => tag.getAttribute(name));
  const schemes = ['light', 'dark'].map((theme) => `(prefers-color-scheme: ${theme})`);
  expect(listed('meta[name="theme-color"]', 'media')).toEqual(schemes);
  expect(listed('meta[name="theme-color"]', 'content')).toEqual([colourToken('paper'), colourToken('paper', 'dark')]);
  expect(listed('link[rel~=icon], link[rel="apple-touch-icon"]', 'href')).toEqual(['/icons/tab.svg']);
});

test.each(['icons/tab.svg', 'favicon.ico', 'apple-touch-icon.png'])('%s > exists', (name) => {
  expect(isFile(name)).toBe(true);
});

test('not-found page > is not indexed and has no canonical address', () => {
  expect(meta('/404', 'robots')).toMatch(/\bnoindex\b/);
  expect(pageAt('/404').querySelector('link[rel=canonical], meta[property^="og:"]')).toBeNull();
});
