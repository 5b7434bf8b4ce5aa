import { readFileSync } from 'node:fs';
import { create, type Font } from 'fontkit';

/** Facts about a font file. Lengths are parts of the font's size. */
export interface Face {
  readonly ascent: number;
  readonly descent: number;
  readonly lineGap: number;
  readonly has: (codePoint: number) => boolean;
}

/**
 * Reads metrics and characters of a WOFF2 file.
 *
 * @throws if the file is missing or is none, with advice
 */
export function readFace(file: string): Face {
  try {
    const font = create(readFileSync(file)) as Font;
    if (font.type !== 'WOFF2') throw new Error(`type is ${font.type}`);
    const { ascent, descent, lineGap, unitsPerEm } = font;
    const characters = new Set(font.characterSet);
    return {
      ascent: ascent / unitsPerEm,
      descent: -descent / unitsPerEm,
      lineGap: lineGap / unitsPerEm,
      has: (codePoint) => characters.has(codePoint),
    };
  } catch (error) {
    throw new Error('is no .woff2 file within content/: write its path, such as fonts/our-face.woff2, or "system"', {
      cause: error,
    });
  }
}
