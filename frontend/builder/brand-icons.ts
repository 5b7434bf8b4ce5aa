import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { accentColour, colourToken, readLogo } from './brand.ts';
import { CONTENT } from './paths.ts';

/** The logo; for one with the company's name, which icons are too small for, `tab-icon.svg`, if there is one. */
function markFile(): string {
  const [logo, tab] = ['logo', 'tab-icon'].map((name) => join(CONTENT, `images/${name}.svg`)) as [string, string];
  return readLogo(logo).isWordmark && existsSync(tab) ? tab : logo;
}

const withStyle = (svg: string, style: string) => svg.replace(/<svg\b[^>]*>/, (tag) => `${tag}<style>${style}</style>`);

/** Returns the mark as a file of its own, with colours that it otherwise takes from the page. */
export const markInBothThemes = () =>
  withStyle(
    readFileSync(markFile(), 'utf8'),
    `svg{color:${colourToken('ink')}}@media (prefers-color-scheme:dark){svg{color:${colourToken('ink', 'dark')}}}`,
  );

/** Draws a mark at the size of the icon, in any units of its file. */
export function drawMark(file: string, size: number, style: string): Promise<Buffer> {
  const { viewBox, shapes, ratio } = readLogo(file);
  const [width, height] = [size * Math.min(1, ratio), size * Math.min(1, 1 / ratio)];
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${viewBox}" width="${width}" height="${height}"><style>${style}</style>${shapes}</svg>`;
  return sharp(Buffer.from(drawing)).resize(size, size, { fit: 'contain', background: 'transparent' }).png().toBuffer();
}

/** Draws the mark on a square. The mark takes up a part of it; one in the colour of the text is light on dark. */
async function iconOf(size: number, part: number, ground: boolean): Promise<Buffer> {
  const file = markFile();
  const svg = readFileSync(file, 'utf8');
  const isDark = ground && svg.includes('currentColor');
  const colours = isDark
    ? `svg{color:${colourToken('paper')}}.mark-accent{fill:${accentColour('dark')}}`
    : `svg{color:${colourToken('ink')}}.mark-accent{fill:${accentColour('light')}}`;
  const inner = Math.round(size * part);
  const mark = await drawMark(file, inner, colours);
  const background = ground ? colourToken(isDark ? 'night' : 'paper') : 'transparent';
  return sharp({ create: { width: size, height: size, channels: 4, background } })
    .composite([{ input: mark }])
    .png({ palette: ground })
    .toBuffer();
}

/** Returns the icons of browsers and home screens, by their paths. */
export const iconFiles = async (): Promise<Readonly<Record<string, string | Buffer>>> => ({
  'icons/tab.svg': tabIcon(),
  // Browsers read the format from the bytes.
  'favicon.ico': await iconOf(32, 1, false),
  'apple-touch-icon.png': await iconOf(180, 0.64, true),
  // For search engines.
  'icons/icon-512.png': await iconOf(512, 0.72, true),
});

/**
 * Returns the tab icon: `tab-icon.svg`, else the logo in the colour of the first hue. It is a file, because inline it
 * would be 130 bytes of every page's first round trip.
 */
function tabIcon(): string {
  const file = join(CONTENT, 'images/tab-icon.svg');
  const { viewBox, shapes } = readLogo(existsSync(file) ? file : markFile());
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${viewBox}">${shapes}</svg>`.replaceAll(
    'currentColor',
    accentColour('light'),
  );
}
