import { describe, expect, test } from '@jest/globals';
import { isFile, one, pageAt, ROUTES, textOf } from './built-site.ts';

/** Not the part of a drawing above the rest of it, which has no text alternative of its own. */
const DRAWING = 'picture:has(img[src*="-narrow"]:not([alt=""]))';
const DRAWINGS = ROUTES.flatMap((path) =>
  [...pageAt(path).querySelectorAll(DRAWING)].map((drawing) => ({
    path,
    drawing,
    alt: one(drawing, 'img').getAttribute('alt'),
  })),
);

test('pages > have explanatory drawings', () => {
  expect(DRAWINGS.length).toBeGreaterThan(0);
});

describe.each(DRAWINGS)('drawing of $path: $alt', ({ drawing }) => {
  const partsOf = () => {
    const section = drawing.closest('[data-section]');
    return { section, image: one(drawing, 'img'), wide: one(drawing, 'source') };
  };

  test('loads lazily, without a layout shift', () => {
    const { image, wide } = partsOf();
    expect(image.getAttribute('loading')).toBe('lazy');
    for (const element of [image, wide])
      for (const side of ['width', 'height']) expect(Number(element.getAttribute(side))).toBeGreaterThan(200);
  });

  test('has a variant for phones and one for wider screens', () => {
    const { image, wide } = partsOf();
    const files = [image.getAttribute('src') ?? '', wide.getAttribute('srcset') ?? ''];
    expect(new Set(files).size).toBe(2);
    expect(files.filter((file) => !isFile(file.replace(/^\/|#.*/g, '')))).toEqual([]);
    expect(wide.getAttribute('media')).toMatch(/min-width/);
  });

  test('has a sentence before it and a text alternative after it', () => {
    const { section, image } = partsOf();
    expect(image.getAttribute('alt')?.length).toBeGreaterThan(20);
    expect(textOf(section?.querySelector('header h2 + p') ?? null).length).toBeGreaterThan(40);
    expect(section?.querySelectorAll('figcaption details li, ol li, h3 + p, tbody tr').length).toBeGreaterThanOrEqual(
      3,
    );
  });
});
