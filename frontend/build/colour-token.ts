import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const STYLES = join(import.meta.dirname, '../src/styles');

/** A colour of the style sheets by its token's name, as it is in light mode: where a picture is drawn, no CSS holds. */
export function colourToken(name: string): string {
  const declared = new RegExp(`(?:--(?:color-)?|\\.)${name}(?:\\s*\\{\\s*--hue)?:\\s*(?:light-dark\\()?(#[0-9a-f]+)`);
  for (const file of readdirSync(STYLES).filter((entry) => entry.endsWith('.css'))) {
    const colour = declared.exec(readFileSync(join(STYLES, file), 'utf8'))?.[1];
    if (colour) return colour;
  }
  throw new Error(`No style sheet in src/styles says what colour ${name} has`);
}
