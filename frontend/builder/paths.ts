import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CONTENT_FOLDER } from '../../form-service/src/contract/words.ts';

/** Paths that several files of the build share. */
export const REPOSITORY = join(import.meta.dirname, '../..');
export const FRONTEND = join(REPOSITORY, 'frontend');
export const CONTENT = join(fileURLToPath(CONTENT_FOLDER), '.');
/** Within {@link FRONTEND}, as Vite names its entries. */
export const STYLES = 'src/styles/app.css';
