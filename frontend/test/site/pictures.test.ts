import { expect, test } from '@jest/globals';
import { pageAt, ROUTES } from './built-site.ts';

/** Photos of a page, by the name of their JPEG. */
const photosOf = (path: string) =>
  [...pageAt(path).querySelectorAll('main img[src^="/images/"]')].map((image) => image.getAttribute('src') ?? '');

const twice = (names: readonly string[]) => names.filter((name, index) => names.indexOf(name) < index);

test('pages > show no photo twice', () => {
  expect(ROUTES.flatMap(photosOf).length).toBeGreaterThan(5);
  expect(ROUTES.flatMap((path) => twice(photosOf(path)).map((name) => `${path}: ${name}`))).toEqual([]);
});
