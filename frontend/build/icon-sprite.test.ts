/** @jest-environment jsdom */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { iconNames } from './icons.ts';
import { buildSprite, usedIcons } from './icon-sprite.ts';

const parse = (svg: string) => new DOMParser().parseFromString(svg, 'image/svg+xml');

describe('the sprite', () => {
  const sprite = buildSprite(usedIcons());
  const symbols = [...parse(sprite).querySelectorAll('symbol')];

  test('is well-formed, with one symbol a name', () => {
    expect(parse(sprite).querySelector('parsererror')).toBeNull();
    expect(symbols.map(({ id }) => id)).toEqual([...usedIcons()]);
  });

  test('has a drawing in every symbol, on Lucide’s square', () => {
    for (const symbol of symbols) {
      expect(symbol.getAttribute('viewBox')).toBe('0 0 24 24');
      expect(symbol.children.length).toBeGreaterThan(0);
    }
  });

  test('leaves colour and stroke to the page', () => {
    const attributes = [...parse(sprite).querySelectorAll('*')].flatMap((element) =>
      element.getAttributeNames().map((name) => `${name}=${element.getAttribute(name)}`),
    );
    expect(
      attributes.filter(
        (attribute) => /^(?:stroke|fill|class|style)/.test(attribute) && attribute !== 'fill=currentColor',
      ),
    ).toEqual([]);
  });
});

test('the sprite holds what the content names, what a component shows at once, and what one may show later', () => {
  expect(usedIcons()).toEqual(expect.arrayContaining(['lightbulb', 'chevron-down', 'building-2', 'file-text']));
  expect(usedIcons().length).toBeLessThan(150);
});

test('every icon that a component names is one of the set', () => {
  const folder = join(import.meta.dirname, '../src');
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.tsx'))
    .flatMap((file) => [...readFileSync(join(folder, file), 'utf8').matchAll(/<Icon(?:Tile)?\s[^>]*?name="([^"]+)"/g)])
    .map(([, name = '']) => name);
  expect(names.length).toBeGreaterThan(10);
  expect(names.filter((name) => !iconNames.includes(name))).toEqual([]);
});

test('an icon the set does not have stops the build, and says which', () => {
  expect(() => buildSprite(['arrow-right', 'no-such-icon'])).toThrow('no-such-icon');
});
