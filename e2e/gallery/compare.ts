import sharp from 'sharp';

/** Steps of a colour channel, of 255, that count as drawn alike. */
const TOLERANCE = 8;

export interface Difference {
  /** Share of the pixels that differ, 0 to 1; a pixel that only one picture has differs. */
  readonly share: number;
  /** First and last row that differ, in pixels from the top. */
  readonly rows: readonly [first: number, last: number] | undefined;
}

/** Compares two pictures pixel by pixel. */
export async function compare(before: string, after: string): Promise<Difference> {
  const [a, b] = await Promise.all([pixels(before), pixels(after)]);
  const width = Math.max(a.info.width, b.info.width);
  const height = Math.max(a.info.height, b.info.height);
  const { channels } = a.info;
  let count = 0;
  let first = height;
  let last = -1;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (isAlike(a, b, x, y, channels)) continue;
      count++;
      first = Math.min(first, y);
      last = y;
    }
  }
  return { share: count / (width * height), rows: count > 0 ? [first, last] : undefined };
}

interface Pixels {
  readonly data: Uint8Array;
  readonly info: { readonly width: number; readonly height: number; readonly channels: number };
}

const pixels = (file: string): Promise<Pixels> => sharp(file).removeAlpha().raw().toBuffer({ resolveWithObject: true });

function isAlike(a: Pixels, b: Pixels, x: number, y: number, channels: number): boolean {
  if (!holds(a, x, y) || !holds(b, x, y)) return false;
  const [inA, inB] = [a, b].map(({ info }) => (y * info.width + x) * channels) as [number, number];
  for (let channel = 0; channel < channels; channel++) {
    if (Math.abs((a.data[inA + channel] ?? 0) - (b.data[inB + channel] ?? 0)) > TOLERANCE) return false;
  }
  return true;
}

const holds = ({ info }: Pixels, x: number, y: number) => x < info.width && y < info.height;
