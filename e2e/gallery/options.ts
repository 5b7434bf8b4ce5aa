import { parseArgs } from 'node:util';

/** Widths the design is judged at, in CSS pixels: phone, tablet, laptop, large screen. */
const WIDTHS = [375, 768, 1280, 1920];

export const THEMES = ['light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

export interface Options {
  /** Paths of the pages to picture; all when there are none. */
  readonly paths: readonly string[];
  readonly widths: readonly number[];
  readonly compare: boolean;
}

/** Reads `npm run screenshots -- [--compare] [--width 375]... [/path]...`. Throws on any other argument. */
export function readOptions(args: readonly string[]): Options {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { compare: { type: 'boolean', default: false }, width: { type: 'string', multiple: true } },
  });
  return { paths: positionals, widths: values.width?.map(Number) ?? WIDTHS, compare: values.compare };
}
