import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { iconNames, iconsInBrowser, iconShapes } from './icons.ts';

test('an icon is drawn by its page: its shapes have neither colour nor stroke', () => {
  expect(iconNames.length).toBeGreaterThan(1000);
  const drawn = /^(?:d|c?[xy][12]?|r[xy]?|width|height|points|(?:fill|clip)Rule)$|^fill=currentColor$/;
  for (const name of iconNames) {
    const shapes = iconShapes(name);
    expect(shapes.length).toBeGreaterThan(0);
    const attributes = shapes.flatMap(([, all]) =>
      Object.entries(all).map(([key, value]) => (key === 'fill' ? `${key}=${value}` : key)),
    );
    expect(attributes.filter((attribute) => !drawn.test(attribute))).toEqual([]);
  }
});

test('the browser gets the icons that the components of a form draw, at once or later, and no others', () => {
  expect(iconsInBrowser().toSorted()).toEqual(['arrow-right', 'chevron-down', 'file-text', 'upload', 'x']);
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
  expect(() => iconShapes('no-such-icon')).toThrow('no-such-icon');
});
