import { join } from 'node:path';

/** Files that the site serves as they are. */
export const PUBLIC = join(import.meta.dirname, '../public');

/** The frontend's style sheets. */
export const STYLES = join(import.meta.dirname, '../src/styles');

/** The frontend's typed content. */
export const CONTENT = join(import.meta.dirname, '../src/content');

/** The frontend's small components. */
export const COMPONENTS = join(import.meta.dirname, '../src/components/ui');

/** What surrounds every page. */
export const LAYOUT = join(import.meta.dirname, '../src/layout');
