import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { contentCopy } from '../../test/content-copy.ts';
import { contrast, luminances } from './contrast.ts';

const CONTENT = join(import.meta.dirname, '../../content');
const { folder, load, mistakes, read, reminders, replace, write } = contentCopy();

/** Line of brand.yaml that begins with these words. */
const lineOf = (words: string) =>
  read('brand.yaml')
    .split('\n')
    .findIndex((line) => line.trim().startsWith(words)) + 1;

describe('brand.yaml > is refused at its line', () => {
  test.each([
    [
      "muted: { light: '#4a5468'",
      "muted: { light: '#9a9a9a'",
      'muted',
      /^muted on paper has a contrast of 2\.\d\d:1 in the light theme, and needs 4\.5:1: /,
    ],
    [
      "onSignal: { light: '#fff', dark: '#1c0a04'",
      "onSignal: { light: '#fff', dark: '#fff'",
      'onSignal',
      /^on-signal on signal has .* in the dark theme/,
    ],
    ["edge: { light: '#7d7666'", "edge: { light: '#e0e0e0'", 'edge', /^edge on paper has .* needs 3:1/],
    ["teal: { light: '#0f766e'", "teal: { light: '#f9d423'", 'teal', /^hue on paper of teal has /],
    [
      "dark: '#4fd1c5', ground: '#0b1c2d'",
      "dark: '#4fd1c5', ground: '#8fb'",
      'teal',
      /^on-night on ground of teal has /,
    ],
    ["ink: { light: '#101b33'", 'ink: { light: navy', 'ink', /^light must be a colour in quotes, such as "#0b6fb3"$/],
    ["link: { light: '#0b5a94', dark: '#5fb6f0' }", "link: '#0b5a94'", 'link', /^link must hold fields/],
    ['motif: kite', 'motif: balloon', 'motif', /^motif: "balloon" is no motif; there are kite, none$/],
    ['radius: 3px', 'radius: round', 'radius', /^radius must be a number of pixels such as 3px$/],
    ['font: system', 'font: fonts/none.woff2', 'font', /^font is no \.woff2 file within content\/: /],
    ['font: system', 'font: brand.yaml', 'font', /^font is no \.woff2 file/],
  ])('%s becomes %s', (words, by, name, message) => {
    replace('brand.yaml', words, by);
    const found = mistakes().filter((line) => line.startsWith(`content/brand.yaml:${lineOf(name)}: `));
    expect(found.map((line) => line.replace(/^\S+ /, ''))).toContainEqual(expect.stringMatching(message));
  });

  test('and not in the files that use its colours', () => {
    replace('brand.yaml', 'motif: kite', 'motive: kite');
    expect(mistakes().every((line) => line.startsWith('content/brand.yaml:'))).toBe(true);
  });
});

test('a page names a colour that brand.yaml has', () => {
  replace('pages/home.yaml', /^hue: .*/m, 'hue: tael');
  expect(mistakes()).toEqual([
    expect.stringMatching(
      /^content\/pages\/home\.yaml:\d+: hue: "tael" is no colour of brand\.yaml, did you mean "teal"\?$/,
    ),
  ]);
});

describe('logo.svg', () => {
  const draw = (attribute: string, shapes = '<path d="M0 0h9v9z"/>') =>
    write(
      'images/logo.svg',
      `<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg" ${attribute}>${shapes}</svg>`,
    );

  test.each(["viewBox='0 0 200 40'", 'viewBox="0,0,200,40" width="1"'])('keeps its shape > %s', (attribute) => {
    draw(attribute);
    expect(load().brand.logo).toMatchObject({ ratio: 5, isWordmark: true, shapes: '<path d="M0 0h9v9z"/>' });
  });

  test.each([
    [`fill="none" stroke='#0a0' viewBox="0 0 9 9"`, `<g fill="none" stroke='#0a0'><path d="M0 0h9v9z"/></g>`],
    ['viewBox="0 0 9 9" xmlns:a="urn:a"', '<g xmlns:a="urn:a"><path d="M0 0h9v9z"/></g>'],
    ['viewBox="0 0 9 9" style="enable-background:new 0 0 9 9"', '<path d="M0 0h9v9z"/>'],
  ])('keeps what its shapes inherit > %s', (attributes, shapes) => {
    draw(attributes, '<!-- <svg viewBox="0 0 1 1"><style> --><path d="M0 0h9v9z"/>');
    expect(load().brand.logo).toMatchObject({ viewBox: '0 0 9 9', shapes });
  });

  test.each([
    ['width="200"', undefined, 'has no viewBox with four numbers'],
    ['viewBox="0 0 0 9"', undefined, 'has no viewBox with four numbers'],
    ['viewBox="0 0 9 9"', '<style>path{fill:red}</style>', 'has a style element'],
    ['viewBox="0 0 9 9"', '<script/>', 'has a script element'],
    ['viewBox="0 0 9 9"', '<foreignObject/>', 'has a foreignObject element'],
    ['viewBox="0 0 9 9"', '<path style="fill:red"/>', 'has an attribute style'],
    ['viewBox="0 0 9 9"', '<path onload="go()"/>', 'has an attribute onload'],
    ['viewBox="0 0 9 9"', '<image href="https://cdn.example/a.png"/>', 'has a link to https://cdn.example/a.png'],
  ])('is refused > %s %s', (attribute, shapes, message) => {
    draw(attribute, shapes);
    expect(mistakes()).toContainEqual(expect.stringContaining(`content/images/logo.svg:1: ${message}`));
  });
});

test('reminds of letters of headings that the face lacks', () => {
  const font = 'fonts/kitewright-display.woff2';
  mkdirSync(join(folder, 'fonts'), { recursive: true });
  copyFileSync(join(CONTENT, font), join(folder, font));
  replace('brand.yaml', 'font: system', `font: ${font}`);
  expect(reminders().filter((line) => line.includes('lacks'))).toEqual([]);
  replace('pages/home.yaml', /^ {2}heading: .*/m, '  heading: „Łódź“ – größer');
  expect(reminders()).toContainEqual(
    expect.stringMatching(
      /^content\/pages\/home\.yaml:\d+: heading has „ Ł ź, which content\/fonts\/.*\.woff2 lacks: /,
    ),
  );
});

describe('contrast', () => {
  test.each([
    ['#000', '#fff', 21],
    ['#777777', '#ffffff', 4.48],
    ['#767676', '#fff', 4.54],
    ['color-mix(in oklab, #fff 50%, #000)', '#636363', 1],
    ['oklch(from #0b6fb3 95.5% 0.024 h)', '#e4f2ff', 1],
  ])('%s on %s is %d', (one, other, ratio) => {
    const [first = 0, second = 0] = luminances([one, other]);
    expect(contrast(first, second)).toBeCloseTo(ratio, 2);
    expect(contrast(second, first)).toBeCloseTo(ratio, 2);
  });
});
