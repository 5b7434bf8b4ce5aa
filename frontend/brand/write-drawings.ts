import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { drawingPaths } from './drawing.ts';
import { DRAWINGS } from './folders.ts';
import { heroDrawings } from './hero-drawings.ts';

/** Writes the path data of the drawings that are part of the page itself. */
export async function writeDrawings(): Promise<void> {
  await mkdir(DRAWINGS, { recursive: true });
  for (const name of Object.keys(heroDrawings)) await writeFile(join(DRAWINGS, `${name}.ts`), drawingModule(name));
}

export function drawingModule(name: string): string {
  const drawn = heroDrawings[name];
  if (!drawn) throw new Error(`There is no drawing "${name}"`);
  const paths = { size: drawn.size, ...drawingPaths(drawn.drawing) };
  return `/** Path data of the drawing "${name}". Written by \`npm run brand\`. */\nexport const paths = ${JSON.stringify(paths, undefined, 2)} as const;\n`;
}
