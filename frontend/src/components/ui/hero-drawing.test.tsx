import { brotliCompressSync } from 'node:zlib';
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import { renderToStaticMarkup } from 'react-dom/server';
import { drawingPaths } from '../../../brand/drawing.ts';
import { heroDrawings } from '../../../brand/hero-drawings.ts';
import { HeroDrawing } from './hero-drawing.tsx';

/** Bytes a drawing may add to a page, compressed. */
const MAX_BYTES = 1_000;

describe.each(Object.entries(heroDrawings))('the drawing %s', (name, { size, drawing }) => {
  const paths = { size, ...drawingPaths(drawing) };
  const markup = renderToStaticMarkup(<HeroDrawing paths={paths} />);

  test('is written as the script draws it', async () => {
    const written = await readFile(new URL(`./drawings/${name}.ts`, import.meta.url), 'utf8');
    expect(written).toContain(`export const paths = ${JSON.stringify(paths, undefined, 2)} as const;`);
  });

  test('is decoration, under a strict policy', () => {
    expect(markup).toMatch(/^<svg[^>]* aria-hidden="true"/);
    expect(markup).not.toMatch(/ (id|style)=/);
  });

  test('draws with whole numbers only', () => {
    expect(markup).not.toMatch(/NaN|undefined|Infinity|d="[^"]*\d\.\d/);
  });

  test(`adds at most ${MAX_BYTES} bytes`, () => {
    expect(brotliCompressSync(markup).length).toBeLessThanOrEqual(MAX_BYTES);
  });
});
