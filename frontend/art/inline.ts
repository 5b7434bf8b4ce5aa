import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { COMPONENTS } from './folders.ts';
import { homeKite } from './home-kite.ts';
import { mark } from './mark.ts';

/** Writes the path data of the drawings that are part of the page itself. */
export async function writeInline(): Promise<void> {
  await Promise.all([writePaths('mark', 'the mark', mark()), writePaths('home-kite', "the home page's kite", homeKite())]);
}

const writePaths = (name: string, what: string, paths: object) =>
  writeFile(
    join(COMPONENTS, `${name}-paths.ts`),
    `/** Path data of ${what}. Written by \`npm run art\`. */\nexport const paths = ${JSON.stringify(paths, undefined, 2)} as const;\n`,
  );
