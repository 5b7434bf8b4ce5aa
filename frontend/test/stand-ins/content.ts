import { join } from 'node:path';
import { loadContent } from '../../build/content/load-content.ts';

/** Stands in for `virtual:content`, which only Vite serves: the same content, with no settings of an operator. */
export const { company, consent, navigation, pages, jobs } = loadContent(join(import.meta.dirname, '../../content'), {
  today: '2026-01-01',
});
