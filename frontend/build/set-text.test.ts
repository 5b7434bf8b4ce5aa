import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { Font } from 'opentype.js';
import { outlines } from '../brand/display-face.ts';
import { setTitle, write } from './set-text.ts';

jest.setTimeout(60_000);

const BLOCK = { width: 560, height: 300, largest: 74, smallest: 38 };
let font: Font;

beforeAll(async () => {
  font = await outlines(700);
});

describe('a title', () => {
  test('keeps all its words, in order, inside the block', () => {
    const title = 'Flexible Development Teams & Outsourcing Solutions';
    const { lines, size, height } = setTitle(font, title, BLOCK);
    expect(lines.join(' ')).toBe(title);
    expect(height).toBeLessThanOrEqual(BLOCK.height);
    for (const line of lines) expect(font.getAdvanceWidth(line, size)).toBeLessThanOrEqual(BLOCK.width);
  });

  test('is set at the largest size when it is short', () => {
    expect(setTitle(font, 'Contact', BLOCK)).toMatchObject({ lines: ['Contact'], size: BLOCK.largest });
  });

  test('shares its words out evenly instead of leaving one over', () => {
    expect(setTitle(font, 'Building the Future of Software', { ...BLOCK, width: 700 }).lines).toEqual([
      'Building the Future',
      'of Software',
    ]);
  });

  test('stops shrinking at the smallest size', () => {
    expect(setTitle(font, 'Donaudampfschifffahrtsgesellschaftskapitän', BLOCK).size).toBe(BLOCK.smallest);
  });
});

test('outlines hold only numbers, wherever the text stands', () => {
  for (let x = 0; x < 4; x += 0.1)
    expect(write(font, 'Technologies', { x, y: 296.52, size: 74, fill: '#000' })).not.toContain('NaN');
});
