import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { create, type Font } from 'fontkit';
import type { Plugin } from 'vite';
import { parse } from 'yaml';
import { LOCALE } from '../../form-service/src/contract/locale.ts';
import type { BrandFile } from './content/schema.ts';
import { CONTENT, FRONTEND } from './paths.ts';
import { readSvg } from './svg.ts';

export type Theme = 'light' | 'dark';
export type Colour = Readonly<Record<Theme, string>>;

/** Style sheet that {@link writeBrandCss} makes. Tailwind, the formatter and editors read it. */
const BRAND_CSS = join(FRONTEND, 'src/styles/brand.css');

/** Path from the style sheet to the content. */
const FROM_CSS = relative(dirname(BRAND_CSS), CONTENT);

/** Colours that some elements override, so they are custom properties; the others are written where they are used. */
const OVERRIDDEN = /^(?:paper|surface|field|ink|muted|line|edge|signal|signal-strong|on-signal|kite-\d)$/;

const FALLBACK = 'Display Fallback';
const NAMES = `${FALLBACK}', system-ui, sans-serif`;

const BRAND = join(CONTENT, 'brand.yaml');

/** Reads brand.yaml unchecked: the content loader reports its mistakes. */
export const readBrand = () => parse(readFileSync(BRAND, 'utf8'), { schema: 'failsafe' }) as BrandFile;

const inBothThemes = (colour: string | Colour): Colour =>
  typeof colour === 'string' ? { light: colour, dark: colour } : colour;

/** Returns all colours by the names of their tokens, such as `on-signal`, `kite-1`, `hue-sky` and `ground-sky`. */
export function coloursOf({ colours, cloth, hues }: BrandFile): ReadonlyMap<string, Colour> {
  const { ink, night, signal, signalStrong, onSignal } = colours;
  const derived = {
    onNightSignal: signal.dark,
    onNightSignalStrong: signalStrong.dark,
    onNightOnSignal: onSignal.dark,
    deep: ink.light,
    shade: night.dark,
  };
  const kebab = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return new Map<string, Colour>([
    ...Object.entries({ ...colours, ...derived }).map(([name, it]) => [kebab(name), inBothThemes(it)] as const),
    ...cloth.map((colour, index) => [`kite-${index + 1}`, colour] as const),
    ...Object.entries(hues).flatMap(([name, { light, dark, ground }]) => [
      [`hue-${name}`, { light, dark }] as const,
      [`ground-${name}`, inBothThemes(ground)] as const,
    ]),
  ]);
}

/** Returns a colour by the name of its token, such as `paper` or `hue-sky`, for places that no style sheet reaches. */
export function colourToken(name: string, theme: Theme = 'light'): string {
  const colour = coloursOf(readBrand()).get(name);
  if (!colour) throw new Error(`content/brand.yaml has no colour ${name}`);
  return colour[theme];
}

/** Returns the colour of the first hue. */
export const accentColour = (theme: Theme) => colourToken(`hue-${Object.keys(readBrand().hues)[0]}`, theme);

const declare = ([name, { light, dark }]: readonly [string, Colour]) =>
  `--${/^(?:hue|ground)-/.test(name) ? '' : 'color-'}${name}: ${light === dark ? light : `light-dark(${light}, ${dark})`};`;

/**
 * Reads the metrics of a WOFF2 file, as parts of the font's size.
 *
 * @throws if the file is missing or is none, with advice
 */
export function readFace(file: string) {
  try {
    const font = create(readFileSync(file)) as Font;
    if (font.type !== 'WOFF2') throw new Error(`type is ${font.type}`);
    const { ascent, descent, lineGap, unitsPerEm } = font;
    return { ascent: ascent / unitsPerEm, descent: -descent / unitsPerEm, lineGap: lineGap / unitsPerEm };
  } catch (error) {
    throw new Error('is no .woff2 file within content/: write its path, such as fonts/our-face.woff2, or "system"', {
      cause: error,
    });
  }
}

/** Font faces. Pages with a boot script declare the display face with that (boot/display-font.ts), the others at once. */
function faceCss({ font, fontWidth = '100%' }: BrandFile, hasBoot: boolean): string {
  if (font === 'system') return '';
  const { ascent, descent, lineGap } = readFace(join(CONTENT, font));
  const scaled = (part: number) => `${Math.floor((part / Number.parseFloat(fontWidth)) * 1_000_000) / 100}%`;
  const arial = ['Arial Bold', 'Arial-BoldMT', 'Liberation Sans Bold', 'Arimo Bold', 'Roboto Bold', 'Arial'];
  const local = arial.map((name) => `local('${name}')`).join(', ');
  // With `optional`, Firefox rejects a face that takes more than 100 ms.
  const face = `@font-face { font-family: 'Display'; src: url('${FROM_CSS}/${font}'); font-weight: 600 800; font-display: swap; }`;
  return `
${hasBoot ? `@media (scripting: none) { ${face} }` : face}
/* Arial and its metric twins, scaled to the display face's mean width and line box. */
@font-face { font-family: '${FALLBACK}'; src: ${local}; font-weight: 600 800; size-adjust: ${fontWidth}; ascent-override: ${scaled(ascent)}; descent-override: ${scaled(descent)}; line-gap-override: ${scaled(lineGap)}; }`;
}

/** Breaks long words on phones. English has none, and reads better without. */
const hyphens = () =>
  new Intl.Locale(LOCALE).language === 'en'
    ? ''
    : '\n@media (width < 30rem) { body, h1, h2, h3, h4 { hyphens: auto; } }';

/** Hides the kite of the form service's pages, which do not know the motif. */
const NO_KITES = '\n@layer utilities { .kite-drawing { display: none; } }';

/**
 * Returns what the style sheet takes from brand.yaml: tokens (`@theme`) and font faces.
 *
 * @param hasBoot whether it is for a page whose boot script declares the display face
 */
export function brandCss(hasBoot = false): string {
  const brand = readBrand();
  const { motif, radius, font } = brand;
  const colours = [...coloursOf(brand)];
  const hues = Object.keys(brand.hues);
  const size = Number.parseFloat(radius);
  const isKite = motif === 'kite';
  return `@source '${FROM_CSS}/images/drawings/*.svg';
@source inline('hue-{${hues.join(',')},}');
@theme {
${colours
  .filter(([name]) => OVERRIDDEN.test(name))
  .map(declare)
  .join('\n')}
--font-display: ${font === 'system' ? 'inherit' : `'Display', '${NAMES}`};
}
@theme inline {
${colours
  .filter(([name]) => !OVERRIDDEN.test(name))
  .map(declare)
  .join('\n')}
--default-hue: ${declare(['', coloursOf(brand).get(`hue-${hues[0]}`) as Colour]).replace(/.*?: |;/g, '')};
--radius-sm: ${size}px;
--radius-md: ${size * 2}px;
--motif: ${isKite ? 'polygon(50% 0, 100% 40%, 50% 100%, 0 40%)' : 'circle(30%)'};
}${faceCss(brand, hasBoot)}${hyphens()}${isKite ? '' : NO_KITES}`;
}

/** Writes brand.css, which app.css imports. */
export const writeBrandCss = () => writeFileSync(BRAND_CSS, brandCss());

/** Writes brand.css whenever brand.yaml has changed, and tells the boot scripts what they need of it. */
export const brandStyles = (): Plugin => {
  /** Returns the constants of the boot scripts, which leave out what they do not need. */
  const write = () => {
    try {
      writeBrandCss();
      const { motif, font } = readBrand();
      return {
        HAS_KITES: JSON.stringify(motif === 'kite'),
        FACE: JSON.stringify(font === 'system' ? '' : `/content/${font}`),
      };
    } catch {
      // The content loader reports the mistake.
      return {};
    }
  };
  return {
    name: 'brand',
    config: () => ({ define: write() }),
    hotUpdate({ file }) {
      if (file === BRAND) write();
    },
  };
};

/** Attributes of the `svg` element that its shapes inherit, or whose names they use. */
const INHERITED = /\s(?:(?:fill|stroke|clip|color|font|text)[\w-]*|xmlns:\w+)=(?:"[^"]*"|'[^']*')/g;

/**
 * Reads a logo. One that is more than twice as wide as high has the name of the company, so that it stands alone.
 *
 * @throws if it cannot be drawn, with advice
 */
export function readLogo(file: string) {
  const { viewBox, width, height, root, inner } = readSvg(readFileSync(file, 'utf8'));
  const inherited = root.match(INHERITED)?.join('') ?? '';
  const shapes = inherited ? `<g${inherited}>${inner.trim()}</g>` : inner.trim();
  const ratio = width / height;
  return { viewBox, shapes, ratio, isWordmark: ratio > 2 };
}
