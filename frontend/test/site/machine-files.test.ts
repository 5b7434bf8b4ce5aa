import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { readBrand } from '../../builder/brand.ts';
import { CONTENT } from '../../builder/paths.ts';
import { isFile, one, pageAt, PAGES, readText, ROUTES, SITE } from './built-site.ts';

const host = new URL(one<HTMLLinkElement>(pageAt('/'), 'link[rel=canonical]').href).origin;

test('sitemap.xml > lists every route once, by its canonical address', () => {
  const sitemap = new DOMParser().parseFromString(readText('sitemap.xml'), 'application/xml');
  expect(sitemap.querySelector('parsererror')).toBeNull();
  expect(sitemap.documentElement.namespaceURI).toBe('http://www.sitemaps.org/schemas/sitemap/0.9');
  const addresses = [...sitemap.querySelectorAll('url > loc')].map(({ textContent }) => textContent);
  expect(addresses).toEqual(ROUTES.map((path) => one(pageAt(path), 'link[rel=canonical]').getAttribute('href')));
});

test('pictures > have a hash in their names, and a JPEG without one', () => {
  const pictures = PAGES.flatMap((path) => [...pageAt(path).querySelectorAll('picture:has(source)')]);
  expect(pictures.length).toBeGreaterThan(0);
  for (const picture of pictures) {
    for (const candidate of one(picture, 'source').getAttribute('srcset')?.split(', ') ?? []) {
      expect(candidate).toMatch(/^\/assets\/images\/[\w/-]+-[0-9a-f]{8}\.(?:avif \d+w|svg(?:#\w+)?)$/);
      expect(isFile(candidate.slice(1).replace(/[ #].*/, ''))).toBe(true);
    }
    const plain = one(picture, 'img').getAttribute('src') ?? '';
    expect(plain).toMatch(/^\/(?:images\/[\w/-]+\.jpg|assets\/images\/[\w/-]+-[0-9a-f]{8}\.svg(?:#\w+)?)$/);
    expect(isFile(plain.slice(1).replace(/#.*/, ''))).toBe(true);
  }
});

test('display face > is published with its licence, which the style sheet names', () => {
  const { font } = readBrand();
  const folder = join(CONTENT, dirname(font));
  const licences = font === 'system' ? [] : readdirSync(folder).filter((name) => name.endsWith('.txt'));
  for (const name of licences) {
    expect(readText(`fonts/${name}`)).toBe(readFileSync(join(folder, name), 'utf8'));
    expect(readText('site.css')).toContain(`/fonts/${name} `);
  }
});

test('mark.svg > is visible in both themes', () => {
  const mark = new DOMParser().parseFromString(readText('mark.svg'), 'image/svg+xml');
  expect(mark.querySelector('parsererror')).toBeNull();
  expect(mark.querySelectorAll('path, circle').length).toBeGreaterThan(1);
  const [light, dark] = [...readText('mark.svg').matchAll(/svg\{color:(#\w+)\}/g)].map(([, colour]) => colour);
  expect(light).toBeDefined();
  expect(dark).not.toBe(light);
});

test('robots.txt > disallows only the API, and names the sitemap', () => {
  const lines = readText('robots.txt').trim().split('\n');
  expect(lines[0]).toBe('User-agent: *');
  expect(lines.filter((line) => /^(?:Dis)?allow:/i.test(line))).toEqual(['Disallow: /api/']);
  expect(lines).toContain(`Sitemap: ${host}/sitemap.xml`);
});

test('security.txt > has the required fields of RFC 9116', () => {
  const fields = new Map(
    readText('.well-known/security.txt')
      .trim()
      .split('\n')
      .map((line) => line.split(/: (.*)/) as [string, string]),
  );
  expect(fields.get('Contact')).toMatch(/^(?:mailto|https):/);
  const policy = fields.get('Policy') ?? '';
  expect(isFile(policy.slice(host.length + 1))).toBe(true);
  expect(fields.get('Canonical')).toBe(`${host}/.well-known/security.txt`);
  const expires = new Date(fields.get('Expires') ?? '');
  expect(expires.getTime()).toBeGreaterThan(Date.now());
  expect(expires.getTime()).toBeLessThan(Date.now() + 367 * 24 * 3_600_000);
});

const settings = readFileSync(join(SITE, '../nginx/csp-hashes.conf'), 'utf8');

/** Returns the hashes in the Content-Security-Policy of a file. */
const allowedStyle = (file: string) =>
  settings.match(new RegExp(`^  ${file.replaceAll('.', '\\.')} "(.*)";$`, 'm'))?.[1];
const allowedScript = settings.match(/\$csp_script_hashes \{ default "(.*)"; \}/)?.[1];

const hashes = (path: string, selector: string) =>
  [...pageAt(path).querySelectorAll(selector)].map(
    ({ textContent }) =>
      `'sha256-${createHash('sha256')
        .update(textContent ?? '')
        .digest('base64')}'`,
  );

describe.each(PAGES)('Content-Security-Policy of %s', (path) => {
  test('allows only the inline style and the inline scripts', () => {
    expect(hashes(path, 'style')).toEqual([allowedStyle(path === '/' ? '/index.html' : `${path}.html`)]);
    expect(hashes(path, 'script:not([src]):not([type="application/ld+json"])').join(' ')).toBe(allowedScript);
  });
});

const TEXT = /\.(?:html|css|js|svg|xml|txt|json)$/;

test('text files > have a brotli and a gzip copy', () => {
  const files = readdirSync(SITE, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && TEXT.test(entry.name),
  );
  const large = files
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((file) => readFileSync(file).length >= 1024);
  expect(large.length).toBeGreaterThan(PAGES.length);
  for (const file of large) {
    const content = readFileSync(file);
    expect(brotliDecompressSync(readFileSync(`${file}.br`)).equals(content)).toBe(true);
    expect(gunzipSync(readFileSync(`${file}.gz`)).equals(content)).toBe(true);
  }
});

test('the site > publishes no file of the build, such as its manifest or source maps', () => {
  const files = readdirSync(SITE, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map(({ parentPath, name }) => relative(SITE, join(parentPath, name)));
  expect(paths.length).toBeGreaterThan(PAGES.length);
  const ofBuild = /(?:^|\/)\.(?!well-known\/)|\bmanifest\.json|\.(?:map|tsx?|ya?ml)$/;
  expect(paths.filter((path) => ofBuild.test(path))).toEqual([]);
});
