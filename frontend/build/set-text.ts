import type { Font, PathCommand } from 'opentype.js';
import { element } from '../brand/svg.ts';

/** Text set in a block. */
export interface SetTitle {
  readonly lines: readonly string[];
  readonly size: number;
  /** From one baseline to the next. */
  readonly leading: number;
  readonly height: number;
}

export interface Block {
  readonly width: number;
  readonly height: number;
  readonly largest: number;
  readonly smallest: number;
}

/** The largest size at which the title fits the block, in the fewest lines, as even in length as they can be. */
export function setTitle(font: Font, title: string, { width, height, largest, smallest }: Block): SetTitle {
  const words = title.split(/\s+/);
  for (let size = largest; ; size -= 2) {
    const leading = size * 1.06;
    const lines = balance(font, words, size, width);
    const fits = lines.length * leading <= height && lines.every((line) => advance(font, line, size) <= width);
    if (fits || size <= smallest) return { lines, size, leading, height: lines.length * leading };
  }
}

/** The narrowest measure that needs no more lines than the full one. */
function balance(font: Font, words: readonly string[], size: number, width: number): readonly string[] {
  const full = wrap(font, words, size, width);
  let best = full;
  for (let measure = width - 10; measure > width * 0.4; measure -= 10) {
    const lines = wrap(font, words, size, measure);
    if (lines.length > full.length) break;
    best = lines;
  }
  return best;
}

function wrap(font: Font, words: readonly string[], size: number, width: number): readonly string[] {
  return words.reduce<string[]>((lines, word) => {
    const longer = lines.length > 0 ? `${lines.at(-1)} ${word}` : word;
    if (lines.length > 0 && advance(font, longer, size) <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
    return lines;
  }, []);
}

const covers = (font: Font, text: string) => [...text].every((character) => font.charToGlyphIndex(character) > 0);

/** Width of a line; an estimate where the face lacks a letter. */
const advance = (font: Font, text: string, size: number) =>
  covers(font, text) ? font.getAdvanceWidth(text, size) : [...text].length * size * 0.62;

/** A line as outlines, so that no system font is needed; a line with letters the face lacks falls back to one. */
export function write(
  font: Font,
  text: string,
  { x, y, size, fill }: { x: number; y: number; size: number; fill: string },
): string {
  if (covers(font, text)) return element('path', { d: pathData(font.getPath(text, x, y, size).commands), fill });
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return element('text', { x, y, 'font-size': size, 'font-weight': 700, 'font-family': 'sans-serif', fill }, escaped);
}

/** As SVG reads it. The font library's own writer says NaN for a number just above a whole one. */
const pathData = (commands: readonly PathCommand[]) =>
  commands
    .map((command) => {
      const { type, ...at } = command;
      return (
        type +
        Object.values(at)
          .map((value) => Math.round(value * 10) / 10)
          .join(' ')
      );
    })
    .join('');
