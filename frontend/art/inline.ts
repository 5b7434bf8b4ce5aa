import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { COMPONENTS } from './folders.ts';
import { homeKite } from './home-kite.ts';
import { mark } from './mark.ts';

/** Writes the path data of the drawings that are part of the page itself. */
export async function writeInline(): Promise<void> {
  const lines = Object.entries({ markPaths: mark(), homeKitePaths: homeKite() }).map(
    ([name, paths]) => `export const ${name} = ${JSON.stringify(paths, undefined, 2)} as const;`,
  );
  await writeFile(join(COMPONENTS, 'kite-paths.ts'), `/** Path data of the mark and of the home page's kite. Written by \`npm run art\`. */\n\n${lines.join('\n\n')}\n`);
}
