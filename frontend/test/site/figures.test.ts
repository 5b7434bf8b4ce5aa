import { describe, expect, test } from '@jest/globals';
import { isFile, one, pageAt, ROUTES, textOf } from './built-site.ts';

const PAGES = ROUTES.filter((path) => pageAt(path).querySelector('main figure'));

test('There are pages with a figure', () => {
  expect(PAGES.length).toBeGreaterThan(0);
});

describe.each(PAGES)('the figure of %s', (path) => {
  const partsOf = () => {
    const figure = one(pageAt(path), 'main figure');
    return { figure, image: one(figure, 'img'), wide: one(figure, 'picture source') };
  };

  test('is loaded when it comes near the screen, and its room is kept free', () => {
    const { image, wide } = partsOf();
    expect(image.getAttribute('loading')).toBe('lazy');
    for (const element of [image, wide])
      for (const side of ['width', 'height']) expect(Number(element.getAttribute(side))).toBeGreaterThan(200);
  });

  test('has a drawing for phones and one for more room', () => {
    const { image, wide } = partsOf();
    const files = [image.getAttribute('src') ?? '', wide.getAttribute('srcset') ?? ''];
    expect(new Set(files).size).toBe(2);
    expect(files.filter((file) => !isFile(file.slice(1)))).toEqual([]);
    expect(wide.getAttribute('media')).toMatch(/min-width/);
  });

  test('is told in words: a line, a caption, and a list of what it says where the page does not', () => {
    const { figure, image } = partsOf();
    expect(image.getAttribute('alt')?.length).toBeGreaterThan(20);
    expect(textOf(figure.querySelector('figcaption > p')).length).toBeGreaterThan(40);
    for (const list of figure.querySelectorAll('figcaption details'))
      expect(list.querySelectorAll('li').length).toBeGreaterThanOrEqual(3);
  });
});
