import pixelmatch from 'pixelmatch';
import sharp, { type Metadata } from 'sharp';

/** Share of the pixels that differ, 0 to 1. A pixel that only one picture has differs. */
export async function compare(before: string, after: string): Promise<number> {
  const [a, b] = await Promise.all([sharp(before).metadata(), sharp(after).metadata()]);
  const [width, height] = [Math.max(a.width, b.width), Math.max(a.height, b.height)];
  const pixelsOf = (file: string, one: Metadata) =>
    sharp(file)
      .ensureAlpha()
      // Nothing of what is drawn has this colour.
      .extend({ right: width - one.width, bottom: height - one.height, background: '#f0f' })
      .raw()
      .toBuffer();
  const [first, second] = await Promise.all([pixelsOf(before, a), pixelsOf(after, b)]);
  return pixelmatch(first, second, undefined, width, height, { includeAA: true }) / (width * height);
}
