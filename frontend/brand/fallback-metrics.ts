import type { Font } from 'opentype.js';

/** Advance widths of Arial Bold in thousandths of an em; Helvetica Bold, Liberation Sans Bold and Arimo Bold share them. */
const ARIAL_BOLD: Readonly<Record<string, number>> = {
  ...widths(278, " .,/IijlI'"),
  ...widths(333, '!-:;()ft'),
  ...widths(389, 'r'),
  ...widths(500, 'z'),
  ...widths(556, '0123456789$aceksvxyJ'),
  ...widths(584, '+'),
  ...widths(611, 'FLTZbdghnopqu?'),
  ...widths(667, 'EPSVXY'),
  ...widths(722, 'ABCDHKNRU&'),
  ...widths(778, 'GOQw'),
  ...widths(833, 'M'),
  ...widths(889, 'm%'),
  ...widths(944, 'W'),
};

/** Headings of the site: the text whose length a late font must not change. */
const SAMPLE = [
  'Building the Future of Software',
  'Young Ambitious People Enhancing Your Business',
  'Flexible Development Teams & Outsourcing Solutions',
  "Let's Build Something Amazing Together",
  'Fast & Agile Development',
  'Enterprise-Grade Security',
  'Custom Software Development',
  'Choose Your Perfect Team Model',
  'What Sets Us Apart',
  'Submit Your Application',
].join(' ');

function widths(advance: number, letters: string): Record<string, number> {
  return Object.fromEntries([...letters].map((letter) => [letter, advance]));
}

/** Descriptors, in per cent, that make Arial Bold occupy the space of the display face. */
export interface FallbackMetrics {
  readonly sizeAdjust: number;
  readonly ascentOverride: number;
  readonly descentOverride: number;
}

/** Scales Arial Bold to the display face's mean width over the sample, then gives it the face's own line box. */
export function fallbackMetrics(face: Font): FallbackMetrics {
  const letters = [...SAMPLE];
  const ours = face.getAdvanceWidth(SAMPLE, 1000);
  const theirs = letters.reduce((sum, letter) => sum + (ARIAL_BOLD[letter] ?? fail(letter)), 0);
  const scale = ours / theirs;
  const percent = (value: number) => Math.round(value * 10_000) / 100;
  return {
    sizeAdjust: percent(scale),
    ascentOverride: percent(face.ascender / face.unitsPerEm / scale),
    descentOverride: percent(-face.descender / face.unitsPerEm / scale),
  };
}

function fail(letter: string): never {
  throw new Error(`No width is known for "${letter}"`);
}
