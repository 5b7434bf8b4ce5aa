import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FRONTEND, STYLES } from './paths.ts';

const read = () => readFileSync(join(FRONTEND, STYLES), 'utf8');

/** Names of a family of colours, such as `sky` for `--hue-sky`. */
export const colourNames = (family: string): readonly string[] =>
  [...read().matchAll(new RegExp(`--${family}-([\\w-]+): (?:light-dark\\(|#)`, 'g'))].map(([, name = '']) => name);

/** Returns a colour by the name of its token, such as `paper` or `hue-sky`, for places that no style sheet reaches. */
export function colourToken(name: string, theme: 'light' | 'dark' = 'light'): string {
  const declared = new RegExp(`--(?:color-)?${name}: (?:light-dark\\((#\\w+), (#\\w+)\\)|(#\\w+));`);
  const [, light, dark, either] = declared.exec(read()) ?? [];
  const colour = either ?? (theme === 'light' ? light : dark);
  if (!colour) throw new Error(`src/styles/app.css has no token for the colour ${name}`);
  return colour;
}
