import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router-dom';
import { pages } from 'virtual:content';
import { contrast } from '../../../builder/content/brand-mistakes.ts';
import { Figure } from './figure.tsx';

const MAX_BYTES = 12_000;

/** Smallest width at which each drawing is shown, without the page's margins: letters need 12 pixels there. */
const SMALLEST = { wide: 690, narrow: 280 };

/** Possible backgrounds of a figure. */
const GROUNDS = { light: ['#fbf8f3', '#ffffff'], dark: ['#0d1424', '#151f36'] };

const FOLDER = new URL('../../../content/images/figures/', import.meta.url);
const drawing = (name: string) => readFileSync(new URL(`${name}.svg`, FOLDER), 'utf8');

const names = readdirSync(FOLDER).map((file) => file.replace('.svg', ''));
const drawings = names.map((file) => ({
  file,
  shape: file.endsWith('-narrow') ? ('narrow' as const) : ('wide' as const),
}));

describe.each(drawings)('figure $file', ({ file, shape }) => {
  const svg = drawing(file);
  const colours = palettes(svg);

  test(`weighs at most ${MAX_BYTES} bytes`, () => {
    expect(Buffer.byteLength(svg)).toBeLessThanOrEqual(MAX_BYTES);
  });

  test('has a title and fetches nothing', () => {
    expect(svg).toMatch(/<title>[^<]{10,}<\/title>/);
    expect(svg).not.toMatch(/<script|<foreignObject|@import|@font-face|href="(?!#)|url\((?!#)|\son\w+=/);
  });

  test('has letters of at least 12 pixels at its smallest size', () => {
    const size = Number(/text \{ font: (\d+)px/.exec(svg)?.[1]);
    const width = Number(/viewBox="0 0 (\d+)/.exec(svg)?.[1]);
    expect((size * SMALLEST[shape]) / width).toBeGreaterThanOrEqual(12);
    expect(svg.match(/font-size|font: /g)).toHaveLength(1);
  });

  test.each(['light', 'dark'] as const)('is legible in the %s theme', (theme) => {
    const palette = colours[theme];
    const onGround = (names_: readonly string[], ratio: number) => {
      for (const colour of names_.filter((key) => palette[key]))
        for (const ground of [...GROUNDS[theme], palette.band ?? ''].filter(Boolean))
          expect(`${colour} ${contrast(palette[colour] ?? '', ground) >= ratio}`).toBe(`${colour} true`);
    };
    onGround(['ink', 'muted', 'you'], 4.5);
    onGround(['rim', 'edge', 'us', 'old-rim', 'finance-rim', 'service-rim', 'sky'], 3);
    for (const [letters, cloth] of [
      ['on-you', 'you'],
      ['on-us', 'us'],
    ] as const)
      if (palette[letters]) expect(contrast(palette[letters], palette[cloth] ?? '')).toBeGreaterThanOrEqual(4.5);
  });

  test('prints in its light colours', () => {
    expect(svg.match(/@media[^{]+/g)).toEqual(['@media screen and (prefers-color-scheme: dark) ']);
  });
});

/** Draws a figure with two sentences as its words, and a button. */
const draw = (drawing: object) =>
  renderToStaticMarkup(
    <MemoryRouter>
      <Figure
        section={{
          kind: 'figure',
          heading: 'How it works',
          drawing: { figure: 'agentic-ai', alt: 'A case’s way', ...drawing },
          caption: ['The red kite is yours.'],
          words: [['First it reads.'], ['Then it asks.']],
          ordered: true,
          actions: [{ label: 'Write to us', href: '/contact' }],
        }}
      />
    </MemoryRouter>,
  );

test('figure > loads lazily, in the shape that fits, with its words below', () => {
  const markup = draw({});
  expect(markup).toContain('<source media="(min-width: 48rem)" srcSet="/images/figures/agentic-ai.jpg" width="16"');
  expect(markup).toContain('<img src="/images/figures/agentic-ai-narrow.jpg" alt="A case’s way" width="16" height="9"');
  expect(markup).toContain('loading="lazy" decoding="async"');
  expect(markup).toMatch(
    /The red kite is yours\..*<figcaption.*<ol[^>]*><li>First it reads\.<\/li><li>Then it asks\.</,
  );
});

test.each([
  ['at its end', {}, /<\/header>.*Write to us/],
  ['below its heading > the drawing climbs', { climbs: true }, /Write to us.*<\/header>/],
])('figure > has its button %s', (_place, drawing, order) => {
  expect(draw(drawing)).toMatch(order);
});

test('figure > shows its last part above the rest, without a text alternative > as a finale', () => {
  const markup = draw({ finale: true });
  expect(markup).toMatch(/agentic-ai-narrow\.jpg#rest" alt="A case’s way".*agentic-ai-narrow\.jpg#last" alt=""/);
});

const withFinale = pages.flatMap(({ sections }) =>
  sections.flatMap((section) => (section.kind === 'figure' && section.drawing.finale ? [section.drawing.figure] : [])),
);

test('drawing > has the groups "rest" and "last" > with a finale', () => {
  for (const name of withFinale.flatMap((figure) => [figure, `${figure}-narrow`]))
    for (const group of ['rest', 'last']) expect(drawing(name)).toContain(`<g id="${group}"`);
});

type Palette = Readonly<Record<string, string>>;

/** The named colours of a drawing; the dark ones are those that differ from the light ones. */
function palettes(svg: string): { light: Palette; dark: Palette } {
  const [light = {}, dark = {}] = [...svg.matchAll(/:root \{([^}]*)\}/g)].map(([, rules = '']) =>
    Object.fromEntries([...rules.matchAll(/--([\w-]+): (#\w+)/g)].map(([, key, value]) => [key, value])),
  ) as Palette[];
  return { light, dark: { ...light, ...dark } };
}
