import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Hue } from '../src/content/elements.ts';
import { STYLES } from './folders.ts';
import { HUES, palette } from './palette.ts';

/** Writes the flat tint that each hue's pictures end in, so that a banner goes on where its picture stops. */
export const writeGrounds = () => writeFile(join(STYLES, 'grounds.css'), grounds());

export function grounds(): string {
  const rules = (Object.keys(HUES) as Hue[]).map((hue) => `  --ground-${hue}: ${palette(hue).ground};`);
  return `/* Written by \`npm run art\`: the tint that the pictures of a hue end in at the left and below. */\n@theme inline {\n${rules.join('\n')}\n}\n`;
}
