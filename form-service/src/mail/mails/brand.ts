import { existsSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { CONTENT_FOLDER, CONTENT_NAME, noteReplaced } from '../../contract/words.ts';

/** File with the look of the site and its mails. The site's build checks it. */
const BRAND_NAME = `${CONTENT_NAME}/brand.yaml`;
/** Copy of the file as of the service's build, next to the compiled code. Source code has none. */
const BUILT_FILE = new URL('../../brand.yaml', import.meta.url);

type Colour = string | { readonly light: string; readonly dark: string };

interface Brand {
  readonly motif: string;
  readonly radius: string;
  readonly colours: Readonly<Record<string, Colour>>;
  readonly cloth: readonly Colour[];
  readonly hues: Readonly<Record<string, Colour>>;
}

/** Returns values by name: a colour of the light theme as `ink`, of the dark theme as `ink-dark`. */
function valuesIn(file: URL): [name: string, value: string][] {
  const { motif, radius, colours, cloth, hues } = parse(readFileSync(file, 'utf8'), { schema: 'failsafe' }) as Brand;
  const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const all = [
    ...Object.entries(colours).map(([name, colour]) => [kebab(name), colour] as const),
    ...cloth.map((colour, index) => [`cloth-${index + 1}`, colour] as const),
    ['hue', Object.values(hues)[0] ?? ''] as const,
  ];
  const values: [name: string, value: string][] = [
    ...all.flatMap(([name, colour]): [string, string][] => {
      const { light, dark } = typeof colour === 'string' ? { light: colour, dark: colour } : colour;
      return [
        [name, sixDigits(light)],
        [`${name}-dark`, sixDigits(dark)],
      ];
    }),
    ['radius', String(radius)],
    ['mark', motif === 'kite' ? 'kite.html' : 'dot.html'],
  ];
  const wrong = values.find(([, value]) => !FITTING.test(value));
  if (wrong) throw new Error(wrong[0]);
  return values;
}

/** Values that mails can have: colours, the radius, and the file of the mark. */
const FITTING = /^(?:#[0-9a-f]{6}|\d+(?:\.\d+)?px|\w+\.html)$/i;

/** Values of the build take the place of missing ones, and of all if one is wrong: a mail must not fail because of its look. */
export function readBrand(file: URL, builtFile: URL): ReadonlyMap<string, string> {
  const built = existsSync(builtFile) ? valuesIn(builtFile) : [];
  try {
    return new Map([...built, ...valuesIn(file)]);
  } catch (error) {
    const [mistake = ''] = (error as Error).message.split('\n');
    const named = `${BRAND_NAME}: ${mistake.replace(/:$/, '')}`;
    if (built.length === 0) throw new Error(named, { cause: error });
    noteReplaced(named);
    return new Map(built);
  }
}

/** Mail programs do not read the short form in `bgcolor`. */
const sixDigits = (colour: unknown) => String(colour).replace(/^#(\w)(\w)(\w)$/, '#$1$1$2$2$3$3');

const values = readBrand(new URL('brand.yaml', CONTENT_FOLDER), BUILT_FILE);

/** Mark of the company in the head of a mail. Mail programs show no SVG, and an image would look like an attachment. */
const mark = readFileSync(new URL(values.get('mark') ?? 'dot.html', import.meta.url), 'utf8').trim();

/**
 * Writes the values in place of `var(--name)`, because mail programs know no custom properties.
 *
 * @throws Error if brand.yaml lacks one
 */
export const withBrand = (html: string): string =>
  html.replace('var(--mark)', mark).replace(/var\(--([\w-]+)\)/g, (_, name: string) => {
    const value = values.get(name);
    if (value === undefined) throw new Error(`${BRAND_NAME} has no ${name}`);
    return value;
  });
