import { readContentFile } from '../../config/company.ts';

/** File with the look of the site and its mails. The site's build checks it. */
const BRAND_FILE = 'brand.yaml';

type Colour = string | { readonly light: string; readonly dark: string };

interface Brand {
  readonly motif: string;
  readonly radius: string;
  readonly colours: Readonly<Record<string, Colour>>;
  readonly cloth: readonly Colour[];
  readonly hues: Readonly<Record<string, Colour>>;
}

let values: ReadonlyMap<string, string> | undefined;

/** Returns values by name: a colour of the light theme as `ink`, of the dark theme as `ink-dark`. */
function readBrand(): ReadonlyMap<string, string> {
  const { motif, radius, colours, cloth, hues } = readContentFile(BRAND_FILE) as Brand;
  const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const all = [
    ...Object.entries(colours).map(([name, colour]) => [kebab(name), colour] as const),
    ...cloth.map((colour, index) => [`cloth-${index + 1}`, colour] as const),
    ['hue', Object.values(hues)[0] ?? ''] as const,
  ];
  return new Map([
    ...all.flatMap(([name, colour]) => {
      const { light, dark } = typeof colour === 'string' ? { light: colour, dark: colour } : colour;
      return [[name, sixDigits(light)] as const, [`${name}-dark`, sixDigits(dark)] as const];
    }),
    ['radius', radius],
    // A kite, or a dot.
    ['mark', motif === 'kite' ? '&#9670;' : '&#9679;'],
  ]);
}

/** Mail programs do not read the short form in `bgcolor`. */
const sixDigits = (colour: string) => (colour.length === 4 ? colour.replace(/\w/g, '$&$&') : colour);

/**
 * Writes the values in place of `var(--name)`, because mail programs know no custom properties.
 *
 * @throws Error if brand.yaml lacks one
 */
export const withBrand = (html: string): string =>
  html.replace(/var\(--([\w-]+)\)/g, (_, name: string) => {
    values ??= readBrand();
    const value = values.get(name);
    if (value === undefined) throw new Error(`${BRAND_FILE} has no ${name}`);
    return value;
  });
