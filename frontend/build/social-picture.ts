import type { Font } from 'opentype.js';
import sharp from 'sharp';
import { outlines } from '../brand/display-face.ts';
import { mark } from '../brand/mark.ts';
import { palette } from '../brand/palette.ts';
import { scenes } from '../brand/scenes.ts';
import { flight } from '../brand/scenes/flight.ts';
import { HEIGHT as SCENE_HEIGHT, stage, type Scene } from '../brand/stage.ts';
import { element, group } from '../brand/svg.ts';
import type { Hue } from '../src/content/schema.ts';
import { setTitle, write } from './set-text.ts';

/** What a page says of itself when it is shared. */
export interface SocialWords {
  readonly title: string;
  readonly kicker: string;
  readonly hue: Hue;
  /** Last part of the page's path; picks the scene. */
  readonly slug?: string;
}

export const SOCIAL_SIZE = { width: 1200, height: 630 } as const;

const [INK, PAPER, MARGIN] = ['#101b33', '#fbf8f3', 64];

/** Left edge of the scene: it leans into the wind like the mark. */
const [EDGE_TOP, EDGE_BOTTOM] = [726, 588];

let fonts: Promise<{ readonly heavy: Font; readonly medium: Font }> | undefined;
const loadFonts = async () => ({ heavy: await outlines(750), medium: await outlines(600) });

/** No picture weighs more: some readers of shared links give up on heavy ones. */
const MAX_BYTES = 80_000;

/** The picture as a JPEG of 1200 x 630, the same for the same words. */
export const socialPicture = async (words: SocialWords): Promise<Buffer> => rasterise(await socialDrawing(words));

/** A drawing as a JPEG, at the best quality that stays within the weight. */
export async function rasterise(drawing: string): Promise<Buffer> {
  const drawn = await sharp(Buffer.from(drawing)).removeAlpha().raw().toBuffer();
  const encode = (quality: number) =>
    sharp(drawn, { raw: { ...SOCIAL_SIZE, channels: 3 } })
      .jpeg({ quality, chromaSubsampling: '4:4:4', mozjpeg: true })
      .toBuffer();
  for (let quality = 82; ; quality -= 8) {
    const picture = await encode(quality);
    if (picture.length <= MAX_BYTES || quality <= 50) return picture;
  }
}

/** The picture as SVG: words on paper at the left, the page's scene at the right. */
export async function socialDrawing({ title, kicker, hue, slug = '' }: SocialWords): Promise<string> {
  const { heavy, medium } = await (fonts ??= loadFonts());
  const { width, height } = SOCIAL_SIZE;
  const colours = palette(hue);
  const heading = setTitle(heavy, title, { width: EDGE_BOTTOM - MARGIN + 44, height: 300, largest: 74, smallest: 38 });
  const { size: kickerSize } = setTitle(medium, kicker, {
    width: EDGE_TOP - 2 * MARGIN,
    height: 32,
    largest: 27,
    smallest: 16,
  });
  const top = 146 + heading.size * 0.98;
  return element(
    'svg',
    { xmlns: 'http://www.w3.org/2000/svg', viewBox: `0 0 ${width} ${height}`, width, height },
    element('rect', { width, height, fill: PAPER }),
    element('clipPath', { id: 'right' }, element('path', { d: `M${EDGE_TOP} 0H${width}V${height}H${EDGE_BOTTOM}z` })),
    group({ 'clip-path': 'url(#right)' }, [
      element('g', { transform: `translate(106) scale(${height / SCENE_HEIGHT})` }, stage(sceneOf(slug), colours)),
    ]),
    element('path', { d: `M${EDGE_TOP} 0L${EDGE_BOTTOM} ${height}`, stroke: colours.hue, 'stroke-width': 6 }),
    write(medium, kicker, { x: MARGIN, y: 128, size: kickerSize, fill: colours.hue }),
    ...heading.lines.map((words, index) =>
      write(heavy, words, { x: MARGIN - 2, y: top + index * heading.leading, size: heading.size, fill: INK }),
    ),
    logo(MARGIN - 6, height - 110),
    write(heavy, 'Kitewright', { x: MARGIN + 58, y: height - 68, size: 36, fill: INK }),
  );
}

/** Pages that show a scene of another key. */
const BORROWED: Readonly<Record<string, string>> = {
  about: 'team/team-meeting',
  careers: 'services/staff-augmentation',
  services: 'services/dedicated-teams',
};

function sceneOf(slug: string): Scene {
  const own = scenes[BORROWED[slug] ?? `services/${slug}`];
  return own?.scene ?? flight([...slug].reduce((seed, letter) => seed * 31 + (letter.codePointAt(0) ?? 0), 7) % 9973);
}

function logo(x: number, y: number): string {
  const { sail, accent, tail } = mark();
  return group({ transform: `translate(${x} ${y}) scale(1.75)` }, [
    element('path', { d: sail, fill: INK }),
    element('path', { d: accent, fill: '#0b6fb3' }),
    element('path', { d: tail, fill: 'none', stroke: INK, 'stroke-width': 1.7, 'stroke-linecap': 'round' }),
  ]);
}
