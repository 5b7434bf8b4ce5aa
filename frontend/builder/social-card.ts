import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { create, type Font } from 'fontkit';
import sharp from 'sharp';
import { accentColour, colourToken, readBrand, readLogo } from './brand.ts';
import { JPEG } from './images.ts';
import { CONTENT } from './paths.ts';

/** Size that social networks show, in pixels. */
const [WIDTH, HEIGHT] = [1200, 630];
const MARGIN = 96;
const NAME_MAX = 150;
const MARK = { beside: 216, alone: 380 };

/**
 * Draws the picture of shared pages that have none: the logo, and below it the company's name in the face of headings. The
 * logo is alone if it has the name, or if there is no face: the fonts of machines that build differ.
 *
 * @returns a JPEG
 */
export function socialCard(name: string): Promise<Buffer> {
  const file = join(CONTENT, 'images/logo.svg');
  const { viewBox, shapes, ratio, isWordmark } = readLogo(file);
  const isDark = readFileSync(file, 'utf8').includes('currentColor');
  const [ground, text] = isDark ? ['night', 'on-night'] : ['paper', 'ink'];
  const accent = accentColour(isDark ? 'dark' : 'light');
  const words = isWordmark ? undefined : outlineOf(name, WIDTH - 2 * MARGIN);
  const side = words ? MARK.beside : MARK.alone;
  const width = isWordmark ? Math.min(WIDTH - 2 * MARGIN, side * ratio) : side * Math.min(1, ratio);
  const height = width / ratio;
  const [x, y] = words ? [MARGIN, 100] : [(WIDTH - width) / 2, (HEIGHT - height) / 2];
  const mark = (place: string) => `<svg viewBox="${viewBox}" ${place}>${shapes}</svg>`;
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">
<style>svg{color:${colourToken(text as string)}}.mark-accent{fill:${accent}}</style>
<rect width="100%" height="100%" fill="${colourToken(ground as string)}"/>
${words ? `<g opacity=".07">${mark(`x="640" y="-150" width="700" height="700"`)}</g>` : ''}
${mark(`x="${x}" y="${y}" width="${width}" height="${height}"`)}
${words ? `<path transform="translate(${MARGIN} 490)" d="${words}" fill="currentColor"/>` : ''}
<rect y="${HEIGHT - 16}" width="100%" height="16" fill="${accent}"/>
</svg>`;
  return sharp(Buffer.from(drawing)).jpeg(JPEG).toBuffer();
}

/** Returns words as an outline in the face of headings; undefined if that is no file, or lacks a letter. */
function outlineOf(words: string, widthMax: number): string | undefined {
  const { font: path } = readBrand();
  if (path === 'system') return undefined;
  const font = create(readFileSync(join(CONTENT, path))) as Font;
  const { glyphs, positions, advanceWidth } = font.layout(words);
  if (glyphs.some(({ id }) => id === 0)) return undefined;
  const scale = Math.min(NAME_MAX / font.unitsPerEm, widthMax / advanceWidth);
  let x = 0;
  const letters = glyphs.map(({ path: letter }, index) => {
    const { xAdvance = 0, xOffset = 0, yOffset = 0 } = positions[index] ?? {};
    const placed = letter.translate(x + xOffset, yOffset).scale(scale, -scale);
    x += xAdvance;
    return placed.toSVG();
  });
  return letters.join('');
}
