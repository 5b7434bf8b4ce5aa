import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const STYLES = join(import.meta.dirname, '../src/styles/app.css');

const read = () => readFileSync(STYLES, 'utf8');

/** The names of a family of colours: `sky` where it has `--hue-sky`. */
export const colourNames = (family: string): readonly string[] =>
  [...read().matchAll(new RegExp(`--${family}-([\\w-]+): (?:light-dark\\(|#)`, 'g'))].map(([, name = '']) => name);

/** A colour of the style sheet by its token's name, such as `paper` or `hue-sky`, for where no style sheet holds. */
export function colourToken(name: string, theme: 'light' | 'dark' = 'light'): string {
  const declared = new RegExp(`--(?:color-)?${name}: (?:light-dark\\((#\\w+), (#\\w+)\\)|(#\\w+));`);
  const [, light, dark, either] = declared.exec(read()) ?? [];
  const colour = either ?? (theme === 'light' ? light : dark);
  if (!colour) throw new Error(`No token of src/styles/app.css says what colour ${name} has`);
  return colour;
}
