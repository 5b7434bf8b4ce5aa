import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { IMAGES, PUBLIC } from './folders.ts';
import { mark, MARK_SIZE } from './mark.ts';
import { element } from './svg.ts';

/** As the style sheet has them; the last one in dark mode. */
const [INK, SKY, PAPER, LIGHT_SKY] = ['#101b33', '#0b6fb3', '#fbf8f3', '#5fb6f0'];

/** Writes the logo, the favicons and the icons of the web manifest. */
export async function writeIcons(): Promise<void> {
  const folder = join(PUBLIC, 'icons');
  await mkdir(folder, { recursive: true });
  const tile = (size: number, share: number) =>
    sharp(Buffer.from(onTile(share)), { density: 96 * 4 })
      .resize(size)
      .png({ palette: true, effort: 10 })
      .toBuffer();
  const bare = await sharp(Buffer.from(drawing(INK, SKY)), { density: 96 * 4 })
    .resize(32)
    .png()
    .toBuffer();
  await Promise.all([
    writeFile(join(IMAGES, 'logo.svg'), logo()),
    writeFile(join(IMAGES, 'tab-icon.svg'), tabIcon()),
    writeFile(join(PUBLIC, 'favicon.ico'), ico(bare, 32)),
    writeFile(join(PUBLIC, 'apple-touch-icon.png'), await tile(180, 0.62)),
    writeFile(join(folder, 'icon-192.png'), await tile(192, 0.7)),
    writeFile(join(folder, 'icon-512.png'), await tile(512, 0.7)),
    writeFile(join(folder, 'icon-maskable-512.png'), await tile(512, 0.52)),
  ]);
}

type Style = Readonly<Record<string, string>>;

const paths = (panel: Style, tailLine: Style, accentPanel: Style) => {
  const { sail, accent, tail } = mark();
  return [
    element('path', { d: sail, ...panel }),
    element('path', { d: accent, ...accentPanel }),
    element('path', { d: tail, fill: 'none', 'stroke-width': 1.7, 'stroke-linecap': 'round', ...tailLine }),
  ];
};

const xmlns = 'http://www.w3.org/2000/svg';

const drawing = (ink: string, accent: string) =>
  element(
    'svg',
    { xmlns, viewBox: `0 0 ${MARK_SIZE} ${MARK_SIZE}`, width: MARK_SIZE, height: MARK_SIZE },
    ...paths({ fill: ink }, { stroke: ink }, { fill: accent }),
  );

/** The square around the kite without its tail. */
const KITE_BOX = '5.5 1.5 24 24';

/** The tab's icon: without the tail, which is a hair at 16 pixels, in colours that stand on a light and on a dark tab. */
const tabIcon = () => {
  const { sail, accent } = mark();
  return element(
    'svg',
    { xmlns, viewBox: KITE_BOX },
    element('path', { fill: SKY, d: sail }),
    element('path', { fill: LIGHT_SKY, d: accent }),
  );
};

/** The logo of header and footer: in the colour of the text around it, one panel in the accent of the style sheet. */
const logo = () =>
  element(
    'svg',
    { xmlns, viewBox: `0 0 ${MARK_SIZE} ${MARK_SIZE}` },
    ...paths({ fill: 'currentColor' }, { stroke: 'currentColor' }, { class: 'mark-accent', fill: SKY }),
  );

/** The mark on a navy tile, `share` of its side high. */
function onTile(share: number): string {
  const side = MARK_SIZE / share;
  const offset = (side - MARK_SIZE) / 2;
  return element(
    'svg',
    { xmlns, viewBox: `${-offset} ${-offset} ${side} ${side}`, width: 256, height: 256 },
    element('rect', { x: -offset, y: -offset, width: side, height: side, fill: INK }),
    ...paths({ fill: PAPER }, { stroke: PAPER }, { fill: LIGHT_SKY }),
  );
}

/** An ICO file with one PNG in it. */
function ico(png: Buffer, size: number): Buffer {
  const header = Buffer.alloc(22);
  header.writeUInt16LE(1, 2);
  header.writeUInt16LE(1, 4);
  header.writeUInt8(size, 6);
  header.writeUInt8(size, 7);
  header.writeUInt16LE(1, 10);
  header.writeUInt16LE(32, 12);
  header.writeUInt32LE(png.length, 14);
  header.writeUInt32LE(header.length, 18);
  return Buffer.concat([header, png]);
}
