import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { drawingPaths } from './drawing.ts';
import { COMPONENTS } from './folders.ts';
import { heroDrawings } from './hero-drawings.ts';
import { mark } from './mark.ts';

/** Writes the path data of the drawings that are part of the page itself. */
export async function writeInline(): Promise<void> {
  await mkdir(join(COMPONENTS, 'drawings'), { recursive: true });
  await writePaths('mark-paths', 'the mark', mark());
  for (const [name, { size, drawing }] of Object.entries(heroDrawings)) {
    await writePaths(`drawings/${name}`, `the drawing "${name}"`, { size, ...drawingPaths(drawing) });
  }
}

const writePaths = (file: string, what: string, paths: object) =>
  writeFile(
    join(COMPONENTS, `${file}.ts`),
    `/** Path data of ${what}. Written by \`npm run art\`. */\nexport const paths = ${JSON.stringify(paths, undefined, 2)} as const;\n`,
  );
