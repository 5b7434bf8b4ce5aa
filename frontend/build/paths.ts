import { join } from 'node:path';

/** Paths that several files of the build share. */
export const REPOSITORY = join(import.meta.dirname, '../..');
export const FRONTEND = join(REPOSITORY, 'frontend');
export const CONTENT = join(FRONTEND, 'content');
/** Within {@link FRONTEND}, as Vite names its entries. */
export const STYLES = 'src/styles/app.css';
