import { writeFonts } from './fonts.ts';
import { writeGrounds } from './grounds.ts';
import { writeIcons } from './icons.ts';
import { writeInline } from './inline.ts';
import { writePictures } from './pictures.ts';

/** `npm run art` draws everything; `npm run art -- pictures team` only the pictures whose key contains "team". */
const parts = {
  fonts: writeFonts,
  grounds: writeGrounds,
  inline: writeInline,
  icons: writeIcons,
  pictures: writePictures,
} as const;

const [part, filter] = process.argv.slice(2);
const chosen = Object.entries(parts).filter(([name]) => part === undefined || part === name);
if (chosen.length === 0) throw new Error(`There is no part "${part}"; choose one of ${Object.keys(parts).join(', ')}`);
for (const [, draw] of chosen) await draw(filter);
