import { readFileSync } from 'node:fs';
import { create, type Font } from 'fontkit';

/** Facts about a font file. Lengths are parts of the font's size. */
export interface Face {
  readonly ascent: number;
  readonly descent: number;
  readonly lineGap: number;
}

/**
 * Reads the metrics of a WOFF2 file.
 *
 * @throws if the file is missing or is none, with advice
 */
export function readFace(file: string): Face {
  try {
    const font = create(readFileSync(file)) as Font;
    if (font.type !== 'WOFF2') throw new Error(`type is ${font.type}`);
    const { ascent, descent, lineGap, unitsPerEm } = font;
    return {
      ascent: ascent / unitsPerEm,
      descent: -descent / unitsPerEm,
      lineGap: lineGap / unitsPerEm,
    };
  } catch (error) {
    throw new Error('is no .woff2 file within content/: write its path, such as fonts/our-face.woff2, or "system"', {
      cause: error,
    });
  }
}
