import { expect, test } from '@jest/globals';
import { contentCopy } from '../../test/content-copy.ts';
import { contrast } from './brand-mistakes.ts';

const { load, mistakes, read, replace, write } = contentCopy();

test.each([
  [
    "muted: { light: '#465a61'",
    "muted: { light: '#9a9a9a'",
    /^muted on paper has a contrast of 2\.\d\d:1 in the light theme, and needs 4\.5:1: /,
  ],
  [
    "onSignal: { light: '#fff', dark: '#1d0b33'",
    "onSignal: { light: '#fff', dark: '#fff'",
    /^on-signal on signal has .* in the dark theme/,
  ],
  ["edge: { light: '#6b7f85'", "edge: { light: '#e0e0e0'", /^edge on paper has .* needs 3:1/],
  ["daemmerung: { light: '#6b2fb3'", "daemmerung: { light: '#f9d423'", /^hue-daemmerung on paper has /],
  ["dark: '#c4a1f7', ground: '#190f2b'", "dark: '#c4a1f7', ground: '#8fb'", /^on-night on ground-daemmerung has /],
  ["ink: { light: '#0f2027'", 'ink: { light: navy', /^light must be a colour in quotes, such as "#0b6fb3"$/],
  ["link: { light: '#0a6259', dark: '#5fd0c0' }", "link: '#0a6259'", /^link must hold fields/],
  ['motif: none', 'motif: balloon', /^motif: "balloon" is no motif; there are kite, none$/],
  ['radius: 8px', 'radius: round', /^radius must be a number of pixels such as 3px$/],
  ['font: system', 'font: fonts/none.woff2', /^font is no \.woff2 file within content\/: /],
])('brand.yaml > is refused at its line, and nowhere else > %s becomes %s', (words, by, message) => {
  const line = read('brand.yaml').slice(0, read('brand.yaml').indexOf(words)).split('\n').length;
  replace('brand.yaml', words, by);
  const found = mistakes();
  expect(found.every((one) => one.startsWith('content/brand.yaml:'))).toBe(true);
  const there = found.filter((one) => one.startsWith(`content/brand.yaml:${line}: `));
  expect(there.map((one) => one.replace(/^\S+ /, ''))).toContainEqual(expect.stringMatching(message));
});

test.each([
  [`fill="none" stroke='#0a0' viewBox="0 0 200 40"`, `<g fill="none" stroke='#0a0'><path d="M0 0h9v9z"/></g>`],
  ['viewBox="0,0,200,40" width="1" style="enable-background:new 0 0 9 9"', '<path d="M0 0h9v9z"/>'],
])('logo > keeps its shape, and what its shapes inherit > %s', (attributes, shapes) => {
  const inner = '<!-- <svg viewBox="0 0 1 1"><style> --><path d="M0 0h9v9z"/>';
  write(
    'images/logo.svg',
    `<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>${inner}</svg>`,
  );
  expect(load().brand.logo).toMatchObject({ ratio: 5, isWordmark: true, shapes });
});

test.each([
  ['#000', '#fff', 21],
  ['#777777', '#ffffff', 4.48],
])('contrast > %s on %s is %d', (one, other, ratio) => {
  expect(contrast(one, other)).toBeCloseTo(ratio, 2);
  expect(contrast(other, one)).toBeCloseTo(ratio, 2);
});
