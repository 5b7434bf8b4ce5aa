import { writeDrawings } from './write-drawings.ts';
import { writeFonts } from './fonts.ts';
import { writeIcons } from './icons.ts';
import { writePictures } from './pictures.ts';

/** `npm run brand` draws everything; `npm run brand -- pictures team` only the pictures whose name contains "team". */
const parts = { fonts: writeFonts, drawings: writeDrawings, icons: writeIcons, pictures: writePictures } as const;

const [part, filter] = process.argv.slice(2);
const chosen = Object.entries(parts).filter(([name]) => part === undefined || part === name);
if (chosen.length === 0) throw new Error(`There is no part "${part}"; choose one of ${Object.keys(parts).join(', ')}`);
for (const [, draw] of chosen) await draw(filter);
