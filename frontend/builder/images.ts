import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { imageSize } from 'image-size';
import sharp from 'sharp';
import { filesIn, nameForAddress } from './content/file-names.ts';
import { mistake, type Finding } from './content/findings.ts';
import { CONTENT } from './paths.ts';
import { readSvg, type Svg } from './svg.ts';

/** Each picture has one master: `services/agentic-ai.jpg` is the picture `services/agentic-ai`. */
export const IMAGES = join(CONTENT, 'images');

/** Widths in pixels, from a phone to a banner on a large screen. No file is wider than its master. */
const WIDTHS = [800, 1200, 1920];

/** Width of the JPEG for clients that cannot read AVIF, such as old browsers and social networks. */
export const FALLBACK_WIDTH = 1200;

/**
 * A phone's picture arrives in one round trip, 14 kB: the effort saves a quarter of the bytes at the same loss, and takes
 * a second for each. Larger ones take more for a loss that is less visible.
 */
export function avifOptions(width: number) {
  const chromaSubsampling = '4:4:4';
  if (width <= 800) return { quality: 55, effort: 5, chromaSubsampling } as const;
  return { ...(width > 1200 ? { quality: 64, effort: 1 } : { quality: 62, effort: 2 }), chromaSubsampling } as const;
}

export const JPEG = { quality: 80, mozjpeg: true } as const;

/** Facts about a picture. */
export interface ImageFacts {
  /** Size of the master after rotation; of a drawing, its size in units. */
  readonly width: number;
  readonly height: number;
  /** Address of a format that every browser reads: a JPEG, or the drawing itself. */
  readonly src: string;
  /** The picture as AVIF; none for a drawing, which is sharp at any size. */
  readonly avif: readonly { readonly width: number; readonly address: string }[];
  /** Path of the master within {@link IMAGES}. */
  readonly file: string;
  /** A drawing that is inlined into pages. */
  readonly drawing?: Svg;
}

/** Reads the size of every picture, and finds those that cannot be used. Nothing is encoded yet: addresses follow from the masters. */
export function readImages(folder = IMAGES) {
  const images = new Map<string, ImageFacts>();
  const mistakes: Finding[] = [];
  for (const file of existsSync(folder) ? filesIn(folder) : []) {
    const other = images.get(nameOf(file))?.file;
    try {
      if (other) throw new Error(`has the name of ${other}: delete or rename one of the two`);
      images.set(nameOf(file), factsOf(folder, file));
    } catch (error) {
      mistakes.push(mistake(`images/${file}`, 1, (error as Error).message));
    }
  }
  return { images, mistakes };
}

const nameOf = (file: string) => file.slice(0, -extname(file).length || undefined);

function factsOf(folder: string, file: string): ImageFacts {
  const name = nameOf(file);
  if (!/^[a-z0-9./-]+$/.test(name))
    throw new Error(
      `may have only small letters, digits, - and . in its name: rename it ${nameForAddress(name)}${extname(file).toLowerCase()}`,
    );
  const content = readFileSync(join(folder, file));
  if (file.endsWith('.svg')) {
    const drawing = readSvg(content.toString('utf8'));
    const { width, height } = drawing;
    const src = `/assets/images/${name}-${hashOf(content)}.svg`;
    return { width, height, src, avif: [], file, drawing: file.startsWith('drawings/') ? drawing : undefined };
  }
  const { format, width, height } = measure(content);
  if (/^(?:drawings|figures)\//.test(file))
    throw new Error('must be an SVG. A photo stands in images/, at the place of a page\'s "picture:"');
  if (format !== 'png' && format !== 'jpg' && format !== 'webp')
    throw new Error(`is ${format}: export it as PNG, JPEG, WebP or SVG`);
  const widths = new Set(WIDTHS.map((wanted) => Math.min(wanted, width)));
  const avif = [...widths].map((size) => {
    const hash = hashOf(content, JSON.stringify(avifOptions(size)), sharp.versions.vips);
    return { width: size, address: `/assets/images/${name}-${size}-${hash}.avif` };
  });
  return { width, height, src: `/images/${name}.jpg`, avif, file };
}

/** Returns the size of a picture after rotation, which cameras record in the file (EXIF). */
function measure(content: Uint8Array): { readonly format?: string; readonly width: number; readonly height: number } {
  try {
    const { type, width, height, orientation = 1 } = imageSize(content);
    return { format: type, ...(orientation > 4 ? { width: height, height: width } : { width, height }) };
  } catch {
    throw new Error('cannot be read as a picture: export it again as PNG, JPEG, WebP or SVG');
  }
}

/** Short hash that makes file names unique by their content. */
export function hashOf(...parts: readonly (string | Uint8Array)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex').slice(0, 8);
}
