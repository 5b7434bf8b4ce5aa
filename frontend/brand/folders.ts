import { join } from 'node:path';

const FRONTEND = join(import.meta.dirname, '..');

/** Masters of the site's pictures; its build makes sizes and formats of them. */
export const IMAGES = join(FRONTEND, 'content/images');

/** Files that the site serves as they are. */
export const PUBLIC = join(FRONTEND, 'public');

export const STYLES = join(FRONTEND, 'src/styles');

/** Path data of drawings that are part of the page. */
export const DRAWINGS = join(FRONTEND, 'src/components/ui/drawings');
