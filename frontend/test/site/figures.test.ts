import { describe, expect, test } from '@jest/globals';
import { isFile, one, pageAt, ROUTES, textOf } from './built-site.ts';

const DRAWING = 'picture:has(img[src*="-narrow"])';
const PAGES = ROUTES.filter((path) => pageAt(path).querySelector(DRAWING));

test('There are pages with an explaining drawing', () => {
  expect(PAGES.length).toBeGreaterThan(0);
});

describe.each(PAGES)('the explaining drawing of %s', (path) => {
  const partsOf = () => {
    const drawing = one(pageAt(path), DRAWING);
    const section = drawing.closest('[data-section]');
    return { section, image: one(drawing, 'img'), wide: one(drawing, 'source') };
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

  test('has a sentence before it, and after it all that it says in words: a list to open, steps, chapters or a table', () => {
    const { section, image } = partsOf();
    expect(image.getAttribute('alt')?.length).toBeGreaterThan(20);
    expect(textOf(section?.querySelector('header h2 + p') ?? null).length).toBeGreaterThan(40);
    expect(section?.querySelectorAll('figcaption details li, ol li, h3 + p, tbody tr').length).toBeGreaterThanOrEqual(
      3,
    );
  });
});
